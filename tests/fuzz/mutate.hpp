#pragma once
// Mutations that know tokens, brackets, lines and blocks.

#include <functional>

#include "tests/fuzz/corpus.hpp"
#include "tests/fuzz/random.hpp"

namespace mosim::fuzz {

/// How far a text is good.
enum class Worth { broken, readable, valid };

/// A text made from one of the corpus by some mutations, a few of them with parts of others. A mutation that takes away from a
/// text's worth is mostly taken back, so that many inputs come far.
std::string make_input(const std::vector<Seed>& corpus, Random& random, const std::function<Worth(const std::string&)>& worth);

}  // namespace mosim::fuzz
