#pragma once
// A compiled model as a file: a program, and the texts that it was made from.
//
// A head (what it is, who wrote it, how long it is, a checksum) and the content: the fields of the structs in runtime/program.hpp in their
// order, numbers as they are in memory with the lowest byte first, lists and texts behind their lengths in 64 bits, no pointers. It
// is for the mosim that wrote it: another version, or one built from other headers, does not read it.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "runtime/program.hpp"

namespace mosim::program {

/// A text that the program's origins lead to.
struct Source {
  std::string path, text;
};

struct Model {
  runtime::Program program;
  std::vector<Source> sources;
};

/// Why a file is of no use here, and what to do about it, each in one sentence.
struct Problem {
  std::string cause, remedy;
};

/// The bytes of the file.
std::string write(const runtime::Program& program, const std::vector<Source>& sources);

/// Whatever the bytes are, what comes out is a program without a flaw (flaws.hpp), or a problem.
std::variant<Model, Problem> read(std::span<const std::byte> bytes);

}  // namespace mosim::program
