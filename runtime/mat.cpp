#include "runtime/results.hpp"
namespace mosim::runtime {
std::optional<std::string> write_mat(const Program&, const Result&, const std::string&) { return "not yet"; }
}
