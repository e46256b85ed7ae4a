#include "engine/saved.hpp"

#include <fmt/format.h>

#include <bit>
#include <concepts>
#include <stdexcept>

#include "program/file.hpp"

namespace mosim::engine {

namespace {

// The first byte is no text.
constexpr std::string_view magic("\x8cmosim run 2\n", 13);

/// Numbers with the lowest byte first, lists and texts behind their lengths. Nothing that it makes needs memory to be destroyed.
class Writer {
public:
  std::string bytes;
  template <class... T>
  void operator()(const T&... x) { (put(x), ...); }

private:
  void put(std::unsigned_integral auto x) {
    for (std::size_t k = 0; k < sizeof x; ++k) bytes += static_cast<char>(std::uint64_t(x) >> 8 * k & 0xff);
  }
  void put(double x) { put(std::bit_cast<std::uint64_t>(x)); }
  void put(const std::string& x) {
    put(std::uint64_t(x.size()));
    bytes += x;
  }
  template <class A, class B>
  void put(const std::pair<A, B>& x) { put(x.first), put(x.second); }
  template <class T>
  void put(const std::optional<T>& x) {
    put(std::uint8_t(x.has_value()));
    if (x) put(*x);
  }
  template <class T>
  void put(const std::vector<T>& list) {
    put(std::uint64_t(list.size()));
    for (const T& x : list) put(x);
  }
};

class Reader {
public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}
  bool is_done() const { return left_.empty(); }
  template <class... T>
  void operator()(T&... x) { (get(x), ...); }
  std::uint8_t byte(std::uint8_t largest) {
    std::uint8_t x = 0;
    get(x);
    if (x > largest) throw std::invalid_argument("these bytes are no saved run");
    return x;
  }
  std::size_t length() {
    std::uint64_t n = 0;
    get(n);
    if (n > left_.size()) throw std::invalid_argument("these bytes are no saved run: they end too early");   // each member takes one at least
    return std::size_t(n);
  }

private:
  std::string_view take(std::size_t n) {
    if (n > left_.size()) throw std::invalid_argument("these bytes are no saved run: they end too early");
    const std::string_view taken = left_.substr(0, n);
    left_.remove_prefix(n);
    return taken;
  }
  template <std::unsigned_integral T>
  void get(T& x) {
    const std::string_view parts = take(sizeof x);
    std::uint64_t value = 0;
    for (std::size_t k = 0; k < sizeof x; ++k) value |= std::uint64_t(static_cast<unsigned char>(parts[k])) << 8 * k;
    x = static_cast<T>(value);
  }
  void get(double& x) {
    std::uint64_t bits = 0;
    get(bits);
    x = std::bit_cast<double>(bits);
  }
  void get(std::string& x) { x = take(length()); }
  template <class A, class B>
  void get(std::pair<A, B>& x) { get(x.first), get(x.second); }
  template <class T>
  void get(std::optional<T>& x) {
    if (byte(1)) get(x.emplace());
  }
  template <class T>
  void get(std::vector<T>& list) {
    list.clear();
    for (std::size_t n = length(); n > 0; --n) get(list.emplace_back());
  }

  std::string_view left_;
};

void put(Writer& w, const Options& o) {
  w(o.start, o.stop, o.tolerance, o.intervals, o.interval, o.set, std::uint8_t(o.solver), o.hysteresis, o.maximum_events, o.results, std::uint8_t(o.events),
    std::uint64_t(o.inputs.size()));
  for (const Input& i : o.inputs) w(i.variable, i.times, i.values, std::uint8_t(i.holds));
}

// Functions are left empty, for the caller to give.
void get(Reader& r, Options& o) {
  r(o.start, o.stop, o.tolerance, o.intervals, o.interval, o.set);
  o.solver = static_cast<Solver>(r.byte(std::uint8_t(solver_names.size() - 1)));
  r(o.hysteresis, o.maximum_events, o.results);
  o.events = r.byte(1) != 0;
  for (std::size_t n = r.length(); n > 0; --n) {
    Input& i = o.inputs.emplace_back();
    r(i.variable, i.times, i.values);
    i.holds = r.byte(1) != 0;
  }
}

}  // namespace

std::string write(const Saved& saved) {
  Writer w;
  w.bytes = magic;
  w(saved.program, saved.time);
  put(w, saved.options);
  w(std::uint64_t(saved.pieces.size()));
  for (const Piece& p : saved.pieces) w(std::uint8_t(p.what), p.until, p.values);
  return std::move(w.bytes);
}

Saved read_saved(std::string_view bytes) {
  if (!bytes.starts_with(magic)) throw std::invalid_argument("these bytes are no saved run of this version of mosim");
  Reader r(bytes.substr(magic.size()));
  Saved saved;
  r(saved.program, saved.time);
  get(r, saved.options);
  for (std::size_t n = r.length(); n > 0; --n) {
    Piece& p = saved.pieces.emplace_back();
    p.what = static_cast<Piece::What>(r.byte(std::uint8_t(Piece::What::look)));
    r(p.until, p.values);
  }
  if (!r.is_done()) throw std::invalid_argument("these bytes are no saved run: more follows behind its end");
  return saved;
}

std::uint64_t checksum(const runtime::Program& program) {
  // FNV-1a, 64 bits.
  std::uint64_t sum = 0xcbf29ce484222325ull;
  for (const char c : program::write(program, {})) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return sum;
}

}  // namespace mosim::engine
