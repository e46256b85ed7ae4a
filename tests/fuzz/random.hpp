#pragma once
// Random numbers that are the same on every machine: splitmix64 (Steele, Lea, Flood, OOPSLA 2014).

#include <cstddef>
#include <cstdint>
#include <span>

namespace mosim::fuzz {

struct Random {
  std::uint64_t state;

  std::uint64_t next() {
    std::uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// One of 0 ... n - 1; 0 if n is 0.
  std::size_t below(std::size_t n) { return n ? std::size_t(next() % n) : 0; }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class List>
  const auto& one_of(const List& list) {
    return list[below(std::size(list))];
  }
};

/// The generator of one input: of that input's number and the seed alone.
inline Random random_of(std::uint64_t seed, std::uint64_t number) {
  Random r{seed * 0x9e3779b97f4a7c15u ^ number};
  r.next();
  return {r.next() ^ number};
}

}  // namespace mosim::fuzz
