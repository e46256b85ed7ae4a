// The stages of a compilation share one large stack (compiler/stack.hpp).

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <thread>

#include "compiler/stack.hpp"

using namespace mosim::compiler;

BOOST_AUTO_TEST_CASE(a_task_within_a_task_stays_on_its_stack) {
  std::thread::id outer, inner, later;
  on_large_stack([&] {
    outer = std::this_thread::get_id();
    on_large_stack([&] { inner = std::this_thread::get_id(); });
    BOOST_CHECK_THROW(on_large_stack([] { throw std::runtime_error("within"); }), std::runtime_error);
  });
  on_large_stack([&] { later = std::this_thread::get_id(); });
  BOOST_TEST((outer != std::this_thread::get_id()));
  BOOST_TEST((inner == outer));
  BOOST_TEST((later != std::this_thread::get_id()));
}
