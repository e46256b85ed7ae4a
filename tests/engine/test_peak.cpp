// What compiling takes at its most, by counting what is asked for and given back: so many bytes for each equation, however many there are.

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstdlib>
#include <fmt/format.h>
#include <malloc.h>
#include <new>

#include "mosim/session.hpp"

#if !defined(__SANITIZE_ADDRESS__)

namespace {

std::atomic<std::size_t> held, most;

void* counted(void* block) {
  if (!block) throw std::bad_alloc();
  const std::size_t now = held += malloc_usable_size(block);
  std::size_t before = most;
  while (now > before && !most.compare_exchange_weak(before, now)) {}
  return block;
}

void give_back(void* block) {
  if (!block) return;
  held -= malloc_usable_size(block);
  std::free(block);
}

}  // namespace

void* operator new(std::size_t size) { return counted(std::malloc(size)); }
void* operator new[](std::size_t size) { return counted(std::malloc(size)); }
void* operator new(std::size_t size, std::align_val_t at) { return counted(std::aligned_alloc(std::size_t(at), (size + std::size_t(at) - 1) / std::size_t(at) * std::size_t(at))); }
void operator delete(void* block) noexcept { give_back(block); }
void operator delete[](void* block) noexcept { give_back(block); }
void operator delete(void* block, std::size_t) noexcept { give_back(block); }
void operator delete[](void* block, std::size_t) noexcept { give_back(block); }
void operator delete(void* block, std::align_val_t) noexcept { give_back(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { give_back(block); }

BOOST_AUTO_TEST_SUITE(peak)

BOOST_AUTO_TEST_CASE(of_states_in_a_loop) {
  struct Bytes { double peak, kept; };
  const auto each = [](std::size_t n, bool verifiable) {
    mosim::Session s({.verifiable = verifiable});
    s.read_text("M.mo", fmt::format("model M Real x[{}](each start = 1, each fixed = true); equation for i in 1:{} loop der(x[i]) = -i/{}*x[i]; end for; end M;", n, n, n));
    const std::size_t before = held;
    most = before;
    const auto m = s.compile("M");
    BOOST_REQUIRE(m);
    return Bytes{double(most - before) / double(n), double(held - before) / double(n)};
  };
  const auto few = each(100, true);   // what is made once in a process
  BOOST_TEST(few.peak > 0);
  for (const std::size_t n : {20'000u, 40'000u, 80'000u}) {
    const Bytes with = each(n, true), without = each(n, false);
    BOOST_TEST_MESSAGE(n << ": " << with.peak << " bytes at most, " << with.kept << " kept; without equations " << without.peak << " and " << without.kept);
    BOOST_TEST(with.peak < 1000);
    BOOST_TEST(without.peak < with.peak - 30);   // an equation of the flat model
    BOOST_TEST(without.kept < 550);
    BOOST_TEST(without.kept < 0.7 * with.kept);
  }
}

BOOST_AUTO_TEST_SUITE_END()

#endif
