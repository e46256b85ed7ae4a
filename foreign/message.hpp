#pragma once
// What the two processes say to each other: frames of bytes over a socket.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "foreign/function.hpp"

namespace mosim::foreign {

/// The first byte of a frame.
enum class Word : std::uint8_t {
  // of the parent
  define,    // functions with the same code: their number, the code, and of each its number, name and parameters
  call,      // a function's number, its operands
  destroy,   // a function's number, an object's
  // of the worker
  done,      // the results
  failed,    // why: ModelicaError, C that does not compile
  exited,    // exit() was called, with this status
  message, warning,   // ahead of done or failed
};

class Writer {
 public:
  explicit Writer(Word word) { put(word); }
  template <class T>
  void put(T value) requires std::is_trivially_copyable_v<T> {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put_text(std::string_view text) {
    put<std::uint64_t>(text.size());
    bytes_.append(text);
  }
  template <class List, class Put>
  void put_list(const List& list, Put&& put_one) {
    put<std::uint64_t>(list.size());
    for (const auto& one : list) put_one(one);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Reads what a Writer wrote. A frame that is too short (its writer's memory was damaged) is a std::runtime_error.
class Reader {
 public:
  explicit Reader(std::vector<char> bytes) : bytes_(std::move(bytes)) { word_ = get<Word>(); }
  Word word() const { return word_; }
  template <class T>
  T get() {
    T value;
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }
  /// Valid as long as the reader.
  std::string_view get_text() {
    const auto n = static_cast<std::size_t>(get<std::uint64_t>());
    return {take(n), n};
  }

 private:
  const char* take(std::size_t n) {
    if (n > bytes_.size() - at_) throw std::runtime_error("the answer is not whole");
    const char* const result = bytes_.data() + at_;
    at_ += n;
    return result;
  }
  std::vector<char> bytes_;
  std::size_t at_ = 0;
  Word word_;
};

void put(Writer& w, const Function& function);
Function get_function(Reader& r);
void put(Writer& w, const Code& code);
Code get_code(Reader& r);

/// One end of the socket, which it closes.
class Channel {
 public:
  explicit Channel(int descriptor) : descriptor_(descriptor) {}
  ~Channel();
  Channel(const Channel&) = delete;

  /// False: the other end is gone.
  bool send(const Writer& message);
  /// `nothing`: on a socket with a time limit, that or a signal came first; it can be called again.
  enum class Arrival { frame, nothing, gone };
  Arrival receive(std::vector<char>& frame);
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
};

}  // namespace mosim::foreign
