#pragma once
// Reads arguments and writes results of a call; an argument that is not there or not of its kind is an Error, never a crash.

#include <cstddef>

#include "native/call.hpp"

namespace mosim::native {

double real(std::span<const In> in, std::size_t i);
/// A whole number that fits; the Error names what it should have been.
long long integer(std::span<const In> in, std::size_t i);
std::size_t size(std::span<const In> in, std::size_t i);
bool boolean(std::span<const In> in, std::size_t i);
std::string_view text(std::span<const In> in, std::size_t i);
std::span<const double> numbers(std::span<const In> in, std::size_t i, std::size_t count);

void set(std::span<Out> out, std::size_t i, double value);
void set(std::span<Out> out, std::size_t i, std::string value);
std::span<double> places(std::span<Out> out, std::size_t i, std::size_t count);

void make(std::span<Out> out, std::size_t i, std::unique_ptr<Object> object);

/// The object of a constructor of this interface; an Error, if it is null or of another kind.
template <typename T>
T& object(std::span<const In> in, std::size_t i, std::string_view kind) {
  if (i >= in.size() || !in[i].object) throw Error("the " + std::string(kind) + " is a null object: its constructor has not been called");
  if (T* const it = dynamic_cast<T*>(in[i].object)) return *it;
  throw Error("the object that is handed over is no " + std::string(kind));
}

}  // namespace mosim::native
