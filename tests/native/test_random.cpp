// Random numbers against the published algorithms, carried out with Python's whole numbers; the Fourier transform against its definition.

#include <cmath>
#include <complex>
#include <numbers>

#include "calls.hpp"

using namespace calls;

namespace {

struct Drawn {
  std::vector<double> state;
  double value = 0;
};

Drawn draw(std::string_view name, std::vector<double> state) {
  Drawn drawn{std::vector<double>(state.size()), 0};
  native::Out out[] = {{drawn.state, nullptr, nullptr}, {{&drawn.value, 1}, nullptr, nullptr}};
  call(name, {std::move(state)}, out);
  return drawn;
}

/// 32 Integers of both signs, then the place.
std::vector<double> long_state(int place) {
  std::vector<double> state;
  for (long long i = 0; i < 32; ++i) state.push_back(static_cast<double>(i * 7919 * 65537 % 2147483648 - i % 3 * 1000000000));
  state.push_back(place);
  return state;
}

struct Spectrum {
  double info = -1;
  std::vector<double> amplitudes, phases;
};

Spectrum spectrum(const std::vector<double>& u, double work) {
  const std::size_t count = u.size() / 2 + 1;
  Spectrum result{-1, std::vector<double>(count), std::vector<double>(count)};
  native::Out out[] = {{{&result.info, 1}, nullptr, nullptr}, {result.amplitudes, nullptr, nullptr}, {result.phases, nullptr, nullptr}};
  call("ModelicaFFT_kiss_fftr", {u, static_cast<double>(u.size()), work}, out);
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(random_numbers)

BOOST_AUTO_TEST_CASE(generators_are_the_published_ones) {
  // The states of the first two are what comes out, as the library has it.
  const Drawn a = draw("ModelicaRandom_xorshift64star", {12345, -678});
  BOOST_TEST((a.state == std::vector<double>{-924946922, -2050927848}));
  BOOST_TEST(a.value == 0.022481149245203502);
  const Drawn b = draw("ModelicaRandom_xorshift128plus", {12345, -678, 99, 2147483647});
  BOOST_TEST((b.state == std::vector<double>{99, 2147483647, 501137981, -1392497700}));
  BOOST_TEST(b.value == 0.17578386424963371);
  BOOST_TEST(draw("ModelicaRandom_xorshift1024star", long_state(0)).value == 0.1252860481945965);
  BOOST_TEST(draw("ModelicaRandom_xorshift1024star", long_state(5)).value == 0.7846268829517513);
  const Drawn c = draw("ModelicaRandom_xorshift1024star", long_state(15));
  BOOST_TEST(c.value == 0.9178608937604072);
  BOOST_TEST(c.state[32] == 0);
  // Any Integer may be the place: its last four bits count.
  BOOST_TEST(draw("ModelicaRandom_xorshift1024star", long_state(5 - 1600)).value == 0.7846268829517513);
}

BOOST_AUTO_TEST_CASE(numbers_are_even_on_the_unit_interval) {
  // 100,000 of them: the mean of evenly distributed ones is 1/2 with a deviation of 0.0009, the mean square 1/3 with one of 0.0009.
  for (const auto& [name, state] : {std::pair{"ModelicaRandom_xorshift64star", std::vector<double>{1, 2}},
                                    std::pair{"ModelicaRandom_xorshift128plus", std::vector<double>{1, 2, 3, 4}},
                                    std::pair{"ModelicaRandom_xorshift1024star", long_state(0)}}) {
    Drawn drawn{state, 0};
    double sum = 0, squares = 0;
    for (int i = 0; i < 100000; ++i) {
      drawn = draw(name, drawn.state);
      BOOST_REQUIRE((drawn.value > 0 && drawn.value <= 1));
      sum += drawn.value;
      squares += drawn.value * drawn.value;
    }
    BOOST_TEST(std::abs(sum / 100000 - 0.5) < 0.004);
    BOOST_TEST(std::abs(squares / 100000 - 1.0 / 3) < 0.004);
  }
}

BOOST_AUTO_TEST_CASE(a_state_that_is_none_is_refused) {
  BOOST_TEST(error([] { draw("ModelicaRandom_xorshift64star", {1}); }) == "argument 1 of an external function should be an array of 2 numbers");
  BOOST_TEST(error([] { draw("ModelicaRandom_xorshift64star", {1, 1e10}); }) == "state 2 of a random generator does not fit an Integer of 32 bits");
}

BOOST_AUTO_TEST_CASE(the_impure_generator_has_its_state_in_the_run) {
  native::Environment environment;
  const auto ask = [&](double id) {
    double value = 0;
    native::In in{{&id, 1}, {}, nullptr};
    native::Out out{{&value, 1}, nullptr, nullptr};
    native::find("ModelicaRandom_impureRandom_xorshift1024star")->function({&in, 1}, {&out, 1}, environment);
    return value;
  };
  BOOST_TEST(error([&] { ask(7); }) == "impureRandom is called before initializeImpureRandom");
  const std::vector<double> state = long_state(0);
  const double count = 33, id = 7;
  const std::vector<native::In> in{{state, {}, nullptr}, {{&count, 1}, {}, nullptr}, {{&id, 1}, {}, nullptr}};
  native::find("ModelicaRandom_setInternalState_xorshift1024star")->function(in, {}, environment);
  Drawn drawn{state, 0};
  for (int i = 0; i < 40; ++i) {
    drawn = draw("ModelicaRandom_xorshift1024star", drawn.state);
    BOOST_TEST(ask(7) == drawn.value);
  }
  BOOST_TEST(error([&] { ask(8); }) == "impureRandom is called with an id that does not come from the last initializeImpureRandom");
  BOOST_CHECK(native::find("ModelicaRandom_impureRandom_xorshift1024star")->effect == native::Effect::acts);
}

BOOST_AUTO_TEST_CASE(a_global_seed_is_a_whole_number) {
  const double seed = number("ModelicaRandom_automaticGlobalSeed", {0.0});
  BOOST_TEST(seed == std::trunc(seed));
  BOOST_TEST(std::abs(seed) <= 2147483648.0);
}

BOOST_AUTO_TEST_CASE(the_fourier_transform_is_its_definition) {
  for (const std::size_t n : {2u, 4u, 6u, 10u, 14u, 30u, 64u, 120u, 26u * 37u}) {
    std::vector<double> u;
    for (std::size_t i = 0; i < n; ++i) u.push_back(std::sin(static_cast<double>(i * i)) + 0.3 * static_cast<double>(i % 7));
    const std::size_t count = n / 2 + 1;
    const Spectrum found = spectrum(u, static_cast<double>(3 * n + 2 * count));
    BOOST_TEST(found.info == 0);
    for (std::size_t k = 0; k < count; ++k) {
      std::complex<double> sum = 0;
      for (std::size_t i = 0; i < n; ++i) sum += u[i] * std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(i * k % n) / static_cast<double>(n));
      if (k == 0 || k == n / 2) sum = sum.real();
      BOOST_TEST(std::abs(std::polar(found.amplitudes[k] * static_cast<double>(count), found.phases[k]) - sum) < 1e-10);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_cosine_is_one_line_of_the_spectrum) {
  // 1,000,000 samples: the work grows as n log n.
  const std::size_t n = 1000000;
  std::vector<double> u;
  for (std::size_t i = 0; i < n; ++i) u.push_back(std::cos(2 * std::numbers::pi * 3 * static_cast<double>(i) / static_cast<double>(n) + 0.25));
  const Spectrum found = spectrum(u, 4.0 * static_cast<double>(n) + 2);
  BOOST_TEST(found.amplitudes[3] == static_cast<double>(n) / (static_cast<double>(n) + 2), boost::test_tools::tolerance(1e-12));
  BOOST_TEST(found.phases[3] == 0.25, boost::test_tools::tolerance(1e-9));
  for (const std::size_t k : {0u, 1u, 2u, 4u, 5u, 77u, 500000u}) BOOST_TEST(found.amplitudes[k] < 1e-9);
}

BOOST_AUTO_TEST_CASE(the_fourier_transform_says_what_is_wrong) {
  BOOST_TEST(spectrum({1, 2, 3}, 13).info == 1);
  BOOST_TEST(spectrum({1, 2, 3, 4}, 17).info == 2);
  BOOST_TEST(spectrum({}, 2).info == 3);
}

BOOST_AUTO_TEST_SUITE_END()
