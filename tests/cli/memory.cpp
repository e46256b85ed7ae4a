// Where a program's memory comes from (cli/main.cpp, cli/memory).

#include <boost/test/unit_test.hpp>

#include <sys/resource.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "cli/memory/small_objects.hpp"
#include "tests/cli/folder.hpp"

using namespace mosim::tests;
using mosim::cli::SmallObjects;

BOOST_AUTO_TEST_SUITE(small_objects)

BOOST_AUTO_TEST_CASE(pieces_are_apart_aligned_and_known_by_their_address) {
  SmallObjects memory;
  std::map<char*, std::size_t> pieces;   // and how much was asked for
  for (int round = 0; round < 300; ++round)
    for (std::size_t bytes = 1; bytes <= SmallObjects::largest; bytes += 7) {
      char* const piece = static_cast<char*>(memory.take(bytes));
      BOOST_REQUIRE(piece != nullptr);
      BOOST_TEST(reinterpret_cast<std::uintptr_t>(piece) % SmallObjects::granule == 0);
      BOOST_TEST(SmallObjects::size_of(piece) == (bytes + 15) / 16 * 16);
      std::memset(piece, 0xAB, bytes);
      pieces.emplace(piece, bytes);
    }
  const char* end = nullptr;
  for (const auto& [piece, bytes] : pieces) {
    BOOST_TEST((end == nullptr || piece >= end));
    end = piece + bytes;
  }
  int here = 0;
  const auto elsewhere = std::make_unique<char[]>(5000);
  BOOST_TEST(SmallObjects::size_of(&here) == 0u);
  BOOST_TEST(SmallObjects::size_of(elsewhere.get()) == 0u);
  BOOST_TEST(SmallObjects::size_of(nullptr) == 0u);

  // What is given back is given again, and nothing new but the rest of a page.
  std::set<void*> before;
  for (const auto& [piece, bytes] : pieces) {
    before.insert(piece);
    memory.give(piece, bytes);
  }
  std::map<std::size_t, std::size_t> fresh;   // by size
  for (const auto& [piece, bytes] : pieces) fresh[SmallObjects::size_for(bytes)] += before.erase(memory.take(bytes)) == 0;
  for (const auto& [size, count] : fresh) BOOST_TEST(count * size < 4096);
}

BOOST_AUTO_TEST_CASE(what_a_thread_leaves_serves_the_next) {
  const auto piece_of_a_thread = [](bool back) {
    void* piece = nullptr;
    std::jthread([&] {
      piece = SmallObjects::here()->take(48);
      if (back) SmallObjects::here()->give(piece, 48);
    }).join();
    return piece;
  };
  void* const first = piece_of_a_thread(true);
  BOOST_TEST(piece_of_a_thread(false) == first);
  // Another thread gives it back, and has it then.
  SmallObjects& mine = *SmallObjects::here();
  mine.give(first, 48);
  BOOST_TEST(mine.take(48) == first);
}

// A thread that gives what another takes, as one that destroys models which others have compiled: there is no more of it each time.
BOOST_AUTO_TEST_CASE(what_another_has_too_much_of_is_taken_again) {
  SmallObjects maker, user;
  std::set<void*> ever;
  constexpr std::size_t bytes = 40, pieces = 10'000, rounds = 50;
  for (std::size_t round = 0; round < rounds; ++round) {
    std::vector<void*> made;
    for (std::size_t k = 0; k < pieces; ++k) made.push_back(maker.take(bytes));
    BOOST_TEST_REQUIRE((std::set<void*>(made.begin(), made.end()).size() == pieces));
    ever.insert(made.begin(), made.end());
    for (void* const piece : made) user.give(piece, bytes);
  }
  BOOST_TEST(ever.size() < pieces + 4 * (1 << 16) / bytes);   // and what each may keep
}

BOOST_AUTO_TEST_SUITE_END()

#ifdef HEAP_END
namespace {

constexpr const char* many_states = R"(model Many
  parameter Integer n = 20000;
  Real x[n](each start = 1, each fixed = true);
equation
  for i in 1:n loop
    der(x[i]) = -i/n*x[i];
  end for;
end Many;
)";

}  // namespace

BOOST_AUTO_TEST_SUITE(memory)

// The C library goes on elsewhere, and comes back to the heap where that has room again.
BOOST_AUTO_TEST_CASE(a_heap_that_cannot_grow_any_more) {
  Folder f;
  f.write("Many.mo", many_states);
  BOOST_TEST(f.run("Many.mo --stop 1e-9 -o free.csv --results 'x[20000]'").status == 0);
  for (int half = 1; half <= 48; ++half) {   // megabytes and halves
    const Ran r = f.run("Many.mo --stop 1e-9 -o ends.csv --results 'x[20000]'", fmt::format("HEAP_END={} LD_PRELOAD='{}'", half * (1 << 19), HEAP_END));
    BOOST_TEST_CONTEXT("a heap of " << half << " half megabytes: " << r.err) {
      BOOST_TEST(r.status == 0);
      BOOST_TEST(read(f.path / "ends.csv") == read(f.path / "free.csv"));
    }
  }
}

// A page of the system's is cleared when it is first touched. What stages of a large model are done with serves the next ones.
BOOST_AUTO_TEST_CASE(pages_of_a_large_model_are_used_again) {
  Folder f;
  const auto first_touches = [&](int n) {
    std::string text = many_states;
    text.replace(text.find("20000"), 5, std::to_string(n));
    f.write("Many.mo", text);
    rusage before{}, after{};
    getrusage(RUSAGE_CHILDREN, &before);
    BOOST_TEST(f.run("Many.mo --check --quiet").status == 0);
    getrusage(RUSAGE_CHILDREN, &after);
    return double(after.ru_minflt - before.ru_minflt) / n;
  };
  const double large = first_touches(100'000), very_large = first_touches(400'000);
  BOOST_TEST_MESSAGE(large << " and " << very_large << " pages for each equation");
  BOOST_TEST(very_large < 0.9 * large);
}

BOOST_AUTO_TEST_SUITE_END()
#endif
