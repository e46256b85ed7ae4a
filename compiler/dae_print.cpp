#include "compiler/analyse.hpp"
namespace mosim::compiler {
std::string print(const dae::System&, const parser::Sources&) { return {}; }
}
