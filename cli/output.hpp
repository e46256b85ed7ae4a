#pragma once
// What the command says on its standard streams, and where its files can go.

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

namespace mosim::cli {

/// A standard stream. The first failure is kept; after it nothing more is written.
class Stream {
 public:
  explicit Stream(std::FILE* file);
  /// Text to be read. What could steer a terminal, as it may come from a model's strings, is made visible.
  void say(std::string_view text);
  /// What a program may read, or what is meant for a terminal: as it is.
  void write(std::string_view text);
  /// As it is, but on a terminal as by `say`.
  void print(std::string_view text) { is_terminal_ ? say(text) : write(text); }
  void flush();

  bool is_terminal() const { return is_terminal_; }
  int descriptor() const;
  /// errno of the first failure, or 0.
  int error() const { return error_; }

 private:
  std::FILE* file_;
  bool is_terminal_;
  int error_ = 0;
};

/// Standard output and standard error.
struct Streams {
  Stream out{stdout}, err{stderr};
};

/// A text without control characters other than line breaks and tabs: each is a question mark, and so is what is no UTF-8 and what
/// changes the direction of writing.
std::string visible(std::string_view text);

/// Why a file cannot be written, as far as one can see without touching it; in one sentence.
std::optional<std::string> unwritable(const std::string& path);

}  // namespace mosim::cli
