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

namespace {

/// Calls inside each other until so many bytes of the stack are used: whether there was room all the way.
bool goes_deep(const Stack& stack, const char* top, std::size_t bytes) {
  volatile char here[std::size_t(1) << 16];   // of which one page is touched
  here[0] = 0;
  if (!stack.has_room()) return false;
  if (std::size_t(top - const_cast<const char*>(here)) >= bytes) return true;
  const bool rest = goes_deep(stack, top, bytes);
  return here[0] == 0 && rest;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_calling_thread_may_change_to_a_large_stack) {
  constexpr std::size_t much = std::size_t(300) << 20;   // far more than a thread's own
  const auto me = std::this_thread::get_id();
  for (int k = 0; k < 3; ++k) {
    std::thread::id outer, inner;
    bool deep = false, has_end = false;
    on_large_stack([&] {
      outer = std::this_thread::get_id();
      const char top = 0;
      const Stack stack;
      deep = goes_deep(stack, &top, much);
      has_end = !goes_deep(stack, &top, std::size_t(2) << 30);
      on_large_stack([&] { inner = std::this_thread::get_id(); }, StackIn::this_thread);
      BOOST_CHECK_THROW(on_large_stack([] { throw std::runtime_error("within"); }), std::runtime_error);
    }, StackIn::this_thread);
    BOOST_TEST((inner == outer));
    BOOST_TEST(deep);
    BOOST_TEST(has_end);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    BOOST_TEST((outer == me));
#endif
    BOOST_CHECK_THROW(on_large_stack([] { throw std::runtime_error("through"); }, StackIn::this_thread), std::runtime_error);
    // The thread's own stack is as it was: a megabyte or some, and its end is known.
    BOOST_TEST(Stack().has_room());
    on_large_stack([&] { outer = std::this_thread::get_id(); });
    BOOST_TEST((outer != me));
  }
}
