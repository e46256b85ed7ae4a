#pragma once
// The compiler's recursion follows the model: a chain of ten thousand declarations that need each other is as many calls deep.
// So its stages run on a stack of known size, and refuse what would lead beyond it.

#include <cstddef>
#include <functional>

namespace mosim::compiler {

/// Where a large stack is. Another thread's start takes a tenth of a millisecond, and from then on memory is shared out with locks. Code that
/// is called back may look whether it is on its thread's own stack (CPython from 3.14 does), and then needs that thread.
enum class StackIn : bool { another_thread, this_thread };

/// Runs a task on a stack of a gigabyte, of which the machine gives what is used; on a smaller one where there is no room for it. A task
/// inside of another stays on its stack.
/// What it throws comes through.
void on_large_stack(const std::function<void()>& task, StackIn place = StackIn::another_thread);

/// The stack that this runs on.
class Stack {
public:
  Stack();
  /// Whether there is room for more calls inside this one.
  bool has_room() const;

private:
  const char* low_ = nullptr;   // its last byte; null: unknown
};

}  // namespace mosim::compiler
