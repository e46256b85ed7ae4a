#pragma once
// Models as text, and the bytes of their files.

#include <string>
#include <variant>
#include <vector>

#include "compiler/lower/lower.hpp"
#include "program/file.hpp"
#include "runtime/simulate.hpp"

namespace mosim::tests {

/// The last class of the text; a failure, if it is not valid.
runtime::Program compile(const std::string& text, bool native_code = false, std::size_t kernels_from = compiler::usual_kernels_from);

/// Small models that have a bit of everything between them.
struct Small {
  const char* name;
  const char* text;
  std::size_t kernels_from = compiler::usual_kernels_from;
};
inline runtime::Program compile(const Small& small) { return compile(small.text, false, small.kernels_from); }
const std::vector<Small>& small_models();

std::string bytes_of(const runtime::Program& program);
std::variant<program::Model, program::Problem> read(const std::string& bytes);
/// What is said of the bytes; empty: a program comes out.
std::string cause(const std::string& bytes);

/// Makes the checksum right again in a file that was changed behind its head: FNV-1a of 64 bits over what follows, the last number of the head.
void renew_checksum(std::string& bytes);

/// All numbers of the rows, and what the event log says, as bytes.
std::string outcome(const runtime::Program& program, runtime::Options options);

}  // namespace mosim::tests
