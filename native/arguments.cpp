#include "native/arguments.hpp"

#include <cmath>
#include <utility>

namespace mosim::native {
namespace {

[[noreturn]] void wrong(std::size_t i, const char* wanted) {
  throw Error("argument " + std::to_string(i + 1) + " of an external function should be " + wanted);
}

}  // namespace

double real(std::span<const In> in, std::size_t i) {
  if (i >= in.size() || in[i].numbers.size() != 1) wrong(i, "one number");
  return in[i].numbers[0];
}

long long integer(std::span<const In> in, std::size_t i) {
  const double value = real(in, i);
  if (!(std::abs(value) <= 9007199254740992.0) || value != std::trunc(value)) wrong(i, "a whole number");
  return static_cast<long long>(value);
}

std::size_t size(std::span<const In> in, std::size_t i) {
  const long long value = integer(in, i);
  if (value < 0) wrong(i, "a size, which is not negative");
  return static_cast<std::size_t>(value);
}

bool boolean(std::span<const In> in, std::size_t i) { return real(in, i) != 0; }

std::string_view text(std::span<const In> in, std::size_t i) {
  if (i >= in.size() || in[i].texts.size() != 1) wrong(i, "one String");
  return in[i].texts[0];
}

std::span<const double> numbers(std::span<const In> in, std::size_t i, std::size_t count) {
  if (i >= in.size() || in[i].numbers.size() != count) wrong(i, ("an array of " + std::to_string(count) + " numbers").c_str());
  return in[i].numbers;
}

std::span<double> places(std::span<Out> out, std::size_t i, std::size_t count) {
  if (i >= out.size() || out[i].numbers.size() != count)
    throw Error("result " + std::to_string(i + 1) + " of an external function should be an array of " + std::to_string(count) + " numbers");
  return out[i].numbers;
}

void set(std::span<Out> out, std::size_t i, double value) { places(out, i, 1)[0] = value; }

void set(std::span<Out> out, std::size_t i, std::string value) {
  if (i >= out.size() || !out[i].texts || out[i].texts->size() != 1)
    throw Error("result " + std::to_string(i + 1) + " of an external function should be one String");
  out[i].texts->front() = std::move(value);
}

void make(std::span<Out> out, std::size_t i, std::unique_ptr<Object> object) {
  if (i >= out.size() || !out[i].object) throw Error("result " + std::to_string(i + 1) + " of an external function should be an object");
  *out[i].object = std::move(object);
}

}  // namespace mosim::native
