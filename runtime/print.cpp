#include "runtime/results.hpp"
namespace mosim::runtime {
std::string print(const Program&) { return {}; }
}
