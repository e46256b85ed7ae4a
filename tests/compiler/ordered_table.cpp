// The compiler's hash table that keeps the order of its entries, beside the standard library's.

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <random>
#include <unordered_map>
#include <vector>

#include "compiler/ordered_table.hpp"

using mosim::compiler::OrderedTable;

BOOST_AUTO_TEST_SUITE(ordered_table)

BOOST_AUTO_TEST_CASE(has_what_was_put_into_it_in_that_order) {
  std::minstd_rand random(3);
  for (const std::uint64_t stride : {1ull, 64ull, 1ull << 32, 0x9e3779b97f4a7c15ull})   // that a bad hash would put into few places
    for (const std::size_t n : {0u, 1u, 8u, 9u, 100u, 20000u}) {
      OrderedTable<std::uint64_t, std::size_t> table;
      std::unordered_map<std::uint64_t, std::size_t> expected;
      std::vector<std::uint64_t> order;
      if (n == 100) table.reserve(n);
      for (std::size_t k = 0; k < n; ++k) {
        const std::uint64_t key = random() % (n / 2 + 1) * stride;
        const auto [it, fresh] = table.try_emplace(key, k);
        BOOST_TEST_REQUIRE(fresh == expected.try_emplace(key, k).second);
        BOOST_TEST_REQUIRE((it->first == key && it->second == expected.at(key)));
        if (fresh) order.push_back(key);
      }
      BOOST_TEST_REQUIRE(table.size() == expected.size());
      std::size_t at = 0;
      for (const auto& [key, value] : table) BOOST_TEST_REQUIRE((key == order[at++] && table.at(key) == value && table.contains(key)));
      for (std::size_t k = n; k < n + 10; ++k) BOOST_TEST_REQUIRE((!table.contains((k + 1) * stride + 1) && table.find((k + 1) * stride + 1) == table.end()));
      table.clear();
      BOOST_TEST((table.empty() && !table.contains(0)));
      table[5] = 7;
      BOOST_TEST(table.at(5) == 7u);
    }
}

BOOST_AUTO_TEST_SUITE_END()
