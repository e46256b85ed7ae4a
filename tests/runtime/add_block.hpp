#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "builder.hpp"

namespace mosim::test {

/// Adds a block whose residuals `body` emits, returning their slots.
inline Index add_block(Builder& b, bool linear, std::vector<Slot> unknowns, const std::function<std::vector<Slot>()>& body) {
  Block block;
  block.linear = linear;
  block.unknowns = std::move(unknowns);
  block.code = b.code([&] { block.residuals = body(); });
  block.body = block.code;
  block.nominal.assign(block.unknowns.size(), 1.0);
  for (std::size_t k = 0; k < block.unknowns.size(); ++k) block.names.push_back("z" + std::to_string(k));
  block.origin = b.origin("the loop");
  b.p.blocks.push_back(block);
  return static_cast<Index>(b.p.blocks.size() - 1);
}

}  // namespace mosim::test
