// ModelicaRandom_*: S. Vigna's generators: xorshift64*, xorshift1024* (An experimental exploration of Marsaglia's xorshift generators,
// scrambled, ACM Trans. Math. Softw. 42 (2016)) and xorshift128+ (Further scramblings of Marsaglia's xorshift generators, 2014).
// A state of 64 bits is two Integers, the low half first.

#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>

#include "native/arguments.hpp"
#include "native/entries.hpp"

namespace mosim::native {
namespace {

std::uint32_t half(double value, std::size_t i) {
  if (!(value >= -2147483648.0 && value <= 4294967295.0))
    throw Error("state " + std::to_string(i + 1) + " of a random generator does not fit an Integer of 32 bits");
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
}

std::uint64_t word(std::span<const double> state, std::size_t i) {
  return half(state[2 * i], 2 * i) | static_cast<std::uint64_t>(half(state[2 * i + 1], 2 * i + 1)) << 32;
}

void put(std::span<double> state, std::size_t i, std::uint64_t word) {
  state[2 * i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(word));
  state[2 * i + 1] = static_cast<std::int32_t>(static_cast<std::uint32_t>(word >> 32));
}

/// All words of 64 bits, evenly on (0, 1].
double unit(std::uint64_t word) { return 0.5 + static_cast<double>(static_cast<std::int64_t>(word)) * 0x1p-64; }

void xorshift64star(std::span<const In> in, std::span<Out> out, Environment&) {
  std::uint64_t x = word(numbers(in, 0, 2), 0);
  x ^= x >> 12;
  x ^= x << 25;
  x ^= x >> 27;
  // The library goes on with the product, where the published generator goes on with x.
  x *= 2685821657736338717u;
  put(places(out, 0, 2), 0, x);
  set(out, 1, unit(x));
}

void xorshift128plus(std::span<const In> in, std::span<Out> out, Environment&) {
  const std::span<const double> state = numbers(in, 0, 4);
  std::uint64_t s1 = word(state, 0);
  const std::uint64_t s0 = word(state, 1);
  s1 ^= s1 << 23;
  // The library goes on with the sum as the second word, where the published generator leaves the sum out of its state.
  const std::uint64_t sum = (s1 ^ s0 ^ (s1 >> 17) ^ (s0 >> 26)) + s0;
  put(places(out, 0, 4), 0, s0);
  put(places(out, 0, 4), 1, sum);
  set(out, 1, unit(sum));
}

/// 16 words, and which of them is next: of that Integer the last 4 bits, as initialState makes any.
double xorshift1024star(std::span<double> state) {
  std::size_t p = half(state[32], 32) & 15;
  std::uint64_t s0 = word(state, p);
  p = (p + 1) & 15;
  std::uint64_t s1 = word(state, p);
  s1 ^= s1 << 31;
  s1 ^= s1 >> 11;
  s0 ^= s0 >> 30;
  const std::uint64_t next = s0 ^ s1;
  put(state, p, next);
  state[32] = static_cast<double>(p);
  return unit(next * 1181783497276652981u);
}

void xorshift1024star(std::span<const In> in, std::span<Out> out, Environment&) {
  const std::span<const double> before = numbers(in, 0, 33);
  const std::span<double> state = places(out, 0, 33);
  std::copy(before.begin(), before.end(), state.begin());
  set(out, 1, xorshift1024star(state));
}

constexpr std::string_view impure_key = "ModelicaRandom_impureRandom";

/// The hidden state, and the number by which its caller shows that it was set.
struct ImpureState : Object {
  std::array<double, 33> state{};
  long long id = 0;
};

void set_internal_state(std::span<const In> in, std::span<Out>, Environment& environment) {
  const std::size_t count = size(in, 1);
  if (count != 33) throw Error("the state of the impure random generator has 33 Integers, not " + std::to_string(count));
  const std::span<const double> state = numbers(in, 0, count);
  auto memory = std::make_shared<ImpureState>();
  std::copy(state.begin(), state.end(), memory->state.begin());
  memory->id = integer(in, 2);
  environment.memory.insert_or_assign(std::string(impure_key), std::move(memory));
}

void impure_random(std::span<const In> in, std::span<Out> out, Environment& environment) {
  const auto found = environment.memory.find(impure_key);
  ImpureState* const memory = found == environment.memory.end() ? nullptr : dynamic_cast<ImpureState*>(found->second.get());
  if (!memory) throw Error("impureRandom is called before initializeImpureRandom");
  if (memory->id != integer(in, 0)) throw Error("impureRandom is called with an id that does not come from the last initializeImpureRandom");
  set(out, 0, xorshift1024star(memory->state));
}

/// From the clock and the process: another one for each run, and for each of two that begin at once.
void automatic_global_seed(std::span<const In>, std::span<Out> out, Environment&) {
  std::uint64_t x = static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  x ^= static_cast<std::uint64_t>(getpid()) << 40;
  x = (x | 1) * 2685821657736338717u;
  set(out, 0, static_cast<double>(static_cast<std::int32_t>(static_cast<std::uint32_t>(x >> 32))));
}

constexpr Entry entries[] = {
    {"ModelicaRandom_xorshift64star", xorshift64star, Effect::none},
    {"ModelicaRandom_xorshift128plus", xorshift128plus, Effect::none},
    {"ModelicaRandom_xorshift1024star", xorshift1024star, Effect::none},
    {"ModelicaRandom_setInternalState_xorshift1024star", set_internal_state, Effect::acts},
    {"ModelicaRandom_impureRandom_xorshift1024star", impure_random, Effect::acts},
    {"ModelicaRandom_automaticGlobalSeed", automatic_global_seed, Effect::acts},
};

}  // namespace

std::span<const Entry> random_numbers() { return entries; }

}  // namespace mosim::native
