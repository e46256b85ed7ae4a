// A file that is cut off, or in which any byte is another one, is an error or runs as what it is then: never a crash, nor without end. The
// checksum is made right again, so that what is behind it is tested.

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdlib>
#include <new>
#include <random>
#include <thread>

#include "program/flaws.hpp"
#include "program/version.hpp"
#include "tests/program/support.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

/// Under the sanitizers a run takes many times as long: every third byte is enough there.
#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t stride = 3;
#else
constexpr std::size_t stride = 1;
#endif

/// Ends a run that takes too long by the flag that Ctrl-C sets.
class Watch {
 public:
  Watch() : thread_([this] {
    while (!over_) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      if (const auto begun = begun_.load(); begun != 0 && now() - begun > 100) stop = true;
    }
  }) {}
  ~Watch() {
    over_ = true;
    thread_.join();
  }
  void begin() { stop = false, begun_ = now(); }
  void end() { begun_ = 0; }
  std::atomic<bool> stop = false;

 private:
  static std::int64_t now() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  std::atomic<std::int64_t> begun_ = 0;
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

void run(const runtime::Program& program, Watch& watch) {
  runtime::Options options;
  options.stop = 1;
  options.intervals = 4;
  options.tolerance = 1e-3;
  options.maximum_events = 20;
  options.maximum_rounds = 8000;
  options.interrupt = &watch.stop;
  options.print = [](std::string_view) {};
  watch.begin();
  try {
    (void)outcome(program, options);
  } catch (const std::bad_alloc&) {}   // is said, too
  watch.end();
}

/// A small file: the texts that are only shown are left out.
std::string short_bytes(const Small& small) {
  runtime::Program p = compile(small);
  for (runtime::Spot& spot : p.origins.spots) spot.path = spot.line_text = "";
  for (auto& end : p.origins.ends) end.text = 0;
  p.origins.texts.clear();
  for (auto& o : p.code_origins) o = runtime::none;
  for (auto& kernel : p.kernels)
    for (auto& row : kernel.rows) row.origin = {runtime::none};
  return bytes_of(p);
}

}  // namespace

BOOST_AUTO_TEST_CASE(cut_off_at_any_length) {
  const std::string bytes = bytes_of(compile(small_models().front()));
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    std::string part = bytes.substr(0, n);
    BOOST_REQUIRE_MESSAGE(!cause(part).empty(), n);
    // With a head that fits what is left.
    if (n < bytes.size() / 4 || n % 7 == 0) {
      const std::string::size_type length_at = 8 + 4 + 8 + std::string(version).size() + 8;
      if (n < length_at + 16) continue;
      const std::uint64_t left = n - (length_at + 16);
      for (int k = 0; k < 8; ++k) part[length_at + std::size_t(k)] = static_cast<char>(left >> 8 * k & 0xff);
      renew_checksum(part);
      BOOST_REQUIRE_MESSAGE(cause(part).find("ends too early") != std::string::npos, n << ": " << cause(part));
    }
  }
  BOOST_TEST(cause(bytes) == "");
  BOOST_TEST(cause(bytes + "x") == "it is damaged: more follows behind its end");
}

BOOST_AUTO_TEST_CASE(any_byte_changed_is_noticed) {
  std::string bytes = short_bytes(small_models().front());
  for (char& byte : bytes) {
    byte = static_cast<char>(byte ^ 0x10);
    BOOST_REQUIRE(!cause(bytes).empty());
    byte = static_cast<char>(byte ^ 0x10);
  }
}

BOOST_AUTO_TEST_CASE(any_byte_changed_with_a_checksum_that_fits) {
  // MOSIM_MASKS=1,2,4,... is for a longer look: each byte is changed with each of these.
  std::vector<unsigned> masks;
  if (const char* given = std::getenv("MOSIM_MASKS"))
    for (char* at = const_cast<char*>(given); *at;) masks.push_back(unsigned(std::strtoul(at, &at, 10))), at += *at == ',';
  Watch watch;
  for (const Small& small : small_models()) {
    BOOST_TEST_CONTEXT(small.name) {
      const std::string whole = short_bytes(small);
      BOOST_REQUIRE(cause(whole) == "");
      std::string bytes = whole;
      std::size_t refused = 0, ran = 0;
      unsigned random = 12345;
      for (std::size_t k = 0; k < bytes.size(); k += stride * (1 + bytes.size() / 6000)) {   // what is long repeats itself
        random = random * 1103515245u + 12345u;
        std::vector<unsigned> own = masks;
        if (own.empty()) own = {std::vector<unsigned>{0xff, 0x01, 0x80, 0x02, 0x04, 0x55}[(random >> 16) % 6]};
        for (const unsigned mask : own) {
          if ((mask & 0xff) == 0) continue;
          bytes[k] = static_cast<char>(bytes[k] ^ static_cast<char>(mask));
          renew_checksum(bytes);
          auto found = read(bytes);
          if (auto* model = std::get_if<program::Model>(&found)) run(model->program, watch), ++ran;
          else ++refused;
          bytes = whole;
        }
      }
      BOOST_TEST_MESSAGE(small.name << ": " << bytes.size() << " bytes, " << refused << " files refused, " << ran << " run");
      BOOST_TEST(refused > 0u);
      BOOST_TEST(ran > 0u);
    }
  }
}

// Numbers that lead somewhere, but elsewhere: they come from another place in the file.
BOOST_AUTO_TEST_CASE(numbers_in_the_wrong_place) {
  // MOSIM_SWAPS=N is for a longer look: so many files of each model.
  const char* const given = std::getenv("MOSIM_SWAPS");
  const unsigned long swaps = given ? std::strtoul(given, nullptr, 10) : 300 / stride;
  Watch watch;
  for (const Small& small : small_models()) {
    const std::string whole = short_bytes(small);
    std::minstd_rand random(1);
    std::size_t ran = 0;
    for (unsigned long n = 0; n < swaps; ++n) {
      std::string bytes = whole;
      const std::size_t width = random() % 4 == 0 ? 8 : 4, to = random() % (bytes.size() - width), from = random() % (bytes.size() - width);
      bytes.replace(to, width, whole.substr(from, width));
      renew_checksum(bytes);
      auto found = read(bytes);
      if (auto* model = std::get_if<program::Model>(&found)) run(model->program, watch), ++ran;
    }
    BOOST_TEST_MESSAGE(small.name << ": " << ran << " of " << swaps << " files run");
  }
}

BOOST_AUTO_TEST_CASE(numbers_that_are_none_or_too_large) {
  // Each number of 32 bits in the file, and each length, is something that leads far away.
  Watch watch;
  for (const Small& small : small_models()) {
    const std::string whole = short_bytes(small);
    for (const std::uint32_t number : {0xffffffffu, 0x7fffffffu, 0x00010000u}) {
      std::string bytes = whole;
      for (std::size_t k = 0; k + 4 <= bytes.size(); k += 13 * stride) {
        for (int j = 0; j < 4; ++j) bytes[k + std::size_t(j)] = static_cast<char>(number >> 8 * j & 0xff);
        renew_checksum(bytes);
        auto found = read(bytes);
        if (auto* model = std::get_if<program::Model>(&found)) run(model->program, watch);
        bytes = whole;
      }
    }
  }
}
