#pragma once
// A vector of what is plain bytes. Growing, it is moved by the system where it is large: its pages change their addresses, and none is copied or
// touched anew, as std::vector's are.

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace mosim::compiler {

template <class T>
class PlainVector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T> && alignof(T) <= alignof(std::max_align_t));

public:
  PlainVector() = default;
  PlainVector(const PlainVector& other) { append(other); }
  PlainVector(PlainVector&& other) noexcept { swap(other); }
  PlainVector& operator=(PlainVector other) noexcept {
    swap(other);
    return *this;
  }
  ~PlainVector() { std::free(data_); }

  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](std::size_t k) { return data_[k]; }
  const T& operator[](std::size_t k) const { return data_[k]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

  void push_back(T value) {
    if (size_ == capacity_) grow(size_ + 1);
    new (data_ + size_++) T(value);
  }
  /// What is appended is not a part of the vector itself.
  void append(std::span<const T> values) {
    reserve(size_ + values.size());
    if (!values.empty()) std::memcpy(static_cast<void*>(data_ + size_), values.data(), values.size() * sizeof(T));
    size_ += values.size();
  }
  void resize(std::size_t size, T value) {
    reserve(size);
    for (; size_ < size; ++size_) new (data_ + size_) T(value);
    size_ = size;
  }
  /// Its memory is given back.
  void reset() { PlainVector().swap(*this); }
  void swap(PlainVector& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

private:
  void reserve(std::size_t capacity) {
    if (capacity > capacity_) grow(capacity);
  }
  void grow(std::size_t least) {
    const std::size_t capacity = std::max({least, 2 * capacity_, 64 / sizeof(T) + 1});
    if (capacity > static_cast<std::size_t>(-1) / 2 / sizeof(T)) throw std::bad_alloc();
    void* const data = std::realloc(static_cast<void*>(data_), capacity * sizeof(T));
    if (!data) throw std::bad_alloc();
    data_ = static_cast<T*>(data);
    capacity_ = capacity;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace mosim::compiler
