#pragma once
// How the C library's malloc deals with large objects, in a command that compiles one model and runs it.

#include <cstddef>

namespace mosim::cli {

class LargeObjects {
public:
  static constexpr std::size_t very_large = std::size_t(1) << 25;   // bytes: a model of hundreds of thousands of equations has such

  /// From here on the model is compiled: what a stage is done with goes back to the system. It is no room for the next one, which asks for other
  /// sizes.
  static void begin_compiling();
  /// From here on the model is run, which asks for the same sizes again and again.
  static void begin_run();
  /// For an object of at least `very_large` bytes. From the first one on a model is compiled with what others have left, up to a quarter of what the
  /// largest object has: the system clears each page that it gives, which takes a fifth of compiling then.
  static void expect_more(std::size_t bytes);
};

}  // namespace mosim::cli
