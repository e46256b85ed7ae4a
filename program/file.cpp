#include "program/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <string_view>

#include "program/fields.hpp"
#include "program/flaws.hpp"
#include "program/version.hpp"

namespace mosim::program {

namespace {

// The first byte is no text, and a transfer that changes line ends changes the last ones.
constexpr std::string_view magic("\x8bmosim\r\n", 8);
constexpr std::uint32_t format_version = 2;
constexpr std::uint64_t layout = MOSIM_LAYOUT;   // of the headers that say what is in a program, and of this file: see CMakeLists.txt
constexpr std::size_t longest_version = 100;
constexpr int deepest_type = 64;   // records in records of a C function

constexpr const char* compile_again = "compile the model again: mosim compile MODEL.mo -o FILE.mosim";

template <class T>
constexpr bool is_number = std::is_integral_v<T> && !std::is_same_v<T, bool>;

class Writer {
 public:
  std::string bytes;

  template <class... T>
  void operator()(const T&... x) { (put(x), ...); }

  template <class T> requires is_number<T>
  void put(T x) {
    const auto value = std::uint64_t(static_cast<std::make_unsigned_t<T>>(x));
    char parts[sizeof(T)];
    for (std::size_t k = 0; k < sizeof(T); ++k) parts[k] = static_cast<char>(value >> 8 * k & 0xff);
    bytes.append(parts, sizeof parts);
  }
  void put(bool x) { bytes += x ? '\1' : '\0'; }
  void put(double x) { put(std::bit_cast<std::uint64_t>(x)); }
  template <class E> requires std::is_enum_v<E>
  void put(E x) { put(static_cast<std::underlying_type_t<E>>(x)); }
  void put(const std::string& x) {
    put<std::uint64_t>(x.size());
    bytes += x;
  }
  template <class T>
  void put(const std::vector<T>& list) {
    put<std::uint64_t>(list.size());
    for (const T& x : list) put(x);
  }
  template <class T>
  void put(const std::optional<T>& x) {
    put(x.has_value());
    if (x) put(*x);
  }
  void put(const std::pair<std::string, std::string>& x) { put(x.first), put(x.second); }
  // Each list once: a number, and behind a new one the list.
  void put(const runtime::Literals& x) {
    const auto [it, fresh] = literals_.try_emplace(&x.list(), static_cast<std::uint32_t>(literals_.size()));
    put(it->second);
    if (fresh) put(x.list());
  }
  void put(const runtime::Label& x) {
    const auto [it, fresh] = labels_.try_emplace(&x.text(), static_cast<std::uint32_t>(labels_.size()));
    put(it->second);
    if (fresh) put(x.text());
  }
  template <class T> requires std::is_class_v<T>
  void put(const T& x) { fields(*this, x); }

 private:
  std::map<const std::vector<std::string>*, std::uint32_t> literals_;
  std::unordered_map<const std::string*, std::uint32_t> labels_;
};

/// Bytes that one takes at least.
template <class T>
std::size_t least_size() {
  if constexpr (std::is_same_v<T, runtime::Literals> || std::is_same_v<T, runtime::Label>) {
    return sizeof(std::uint32_t);
  } else {
    static const std::size_t size = [] {
      Writer w;
      w.put(T{});
      return w.bytes.size();
    }();
    return size;
  }
}
// Literals and labels take more only where they are new.
template <class T>
std::size_t least_of_list() {
  constexpr bool has_literals = std::is_same_v<T, runtime::Variable> || std::is_same_v<T, runtime::Text::Piece>;
  constexpr bool has_labels = std::is_same_v<T, runtime::Variable> || std::is_same_v<T, runtime::Spot>;
  return std::max<std::size_t>(1, least_size<T>() - (has_literals + has_labels) * sizeof(std::uint64_t));
}

struct Damaged {
  std::string what;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::size_t left() const { return bytes_.size() - at_; }

  template <class... T>
  void operator()(T&... x) { (get(x), ...); }

  template <class T> requires is_number<T>
  void get(T& x) {
    std::make_unsigned_t<T> value = 0;
    const std::span<const std::byte> parts = take(sizeof(T));
    for (std::size_t k = 0; k < sizeof(T); ++k) value = static_cast<std::make_unsigned_t<T>>(value | std::make_unsigned_t<T>(parts[k]) << 8 * k);
    x = static_cast<T>(value);
  }
  void get(bool& x) {
    const auto byte = static_cast<unsigned char>(take(1)[0]);
    if (byte > 1) throw Damaged{"a Boolean in it is neither true nor false"};
    x = byte == 1;
  }
  void get(double& x) {
    std::uint64_t bits = 0;
    get(bits);
    x = std::bit_cast<double>(bits);
  }
  template <class E> requires std::is_enum_v<E>
  void get(E& x) {
    std::underlying_type_t<E> value = 0;
    get(value);
    x = static_cast<E>(value);
    if (!is_known(x)) throw Damaged{fmt::format("it has the number {} for something that has no such kind", value)};
  }
  void get(std::string& x) {
    const std::span<const std::byte> text = take(length(1));
    x.assign(reinterpret_cast<const char*>(text.data()), text.size());
  }
  template <class T>
  void get(std::vector<T>& list) {
    list = std::vector<T>(length(least_of_list<T>()));
    for (T& x : list) get(x);
  }
  template <class T>
  void get(std::optional<T>& x) {
    bool there = false;
    get(there);
    if (there) get(x.emplace());
  }
  void get(std::pair<std::string, std::string>& x) { get(x.first), get(x.second); }
  void get(runtime::Literals& x) {
    std::uint32_t number = 0;
    get(number);
    if (number > literals_.size()) throw Damaged{"it names literals that it does not have"};
    if (number == literals_.size()) {
      std::vector<std::string> list;
      get(list);
      literals_.push_back(list.empty() ? runtime::Literals() : runtime::Literals(std::move(list)));
    }
    x = literals_[number];
  }
  void get(runtime::Label& x) {
    std::uint32_t number = 0;
    get(number);
    if (number > labels_.size()) throw Damaged{"it names a text that it does not have"};
    if (number == labels_.size()) {
      std::string text;
      get(text);
      labels_.emplace_back(std::move(text));
    }
    x = labels_[number];
  }
  void get(foreign::Type& x) {
    if (++depth_ > deepest_type) throw Damaged{"records of a C function nest too deeply in it"};
    fields(*this, x);
    --depth_;
  }
  template <class T> requires std::is_class_v<T>
  void get(T& x) { fields(*this, x); }

 private:
  std::span<const std::byte> take(std::size_t n) {
    if (n > left()) throw Damaged{"it ends too early"};
    at_ += n;
    return bytes_.subspan(at_ - n, n);
  }
  /// Of a list or a text, which takes no more room than there is.
  std::size_t length(std::size_t least) {
    std::uint64_t n = 0;
    get(n);
    if (n > left() / least) throw Damaged{"it ends too early"};
    return static_cast<std::size_t>(n);
  }

  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::vector<runtime::Literals> literals_;
  std::vector<runtime::Label> labels_;
};

/// FNV-1a, 64 bits.
std::uint64_t checksum(std::string_view content) {
  std::uint64_t sum = 0xcbf29ce484222325ull;
  for (const char c : content) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return sum;
}

struct Head {
  std::uint32_t format = 0;
  std::string version;
  std::uint64_t layout = 0, length = 0, checksum = 0;
};

std::variant<Head, Problem> read_head(Reader& r) {
  Head head;
  try {
    r(head.format);
    if (head.format != format_version)
      return Problem{fmt::format("it has the format {} of compiled models, and this mosim reads the format {}", head.format, format_version), compile_again};
    r(head.version);
    if (head.version.size() > longest_version) throw Damaged{"its head makes no sense"};
    if (head.version != version)
      return Problem{fmt::format("it was compiled by mosim {}, and this is mosim {}", head.version, version), compile_again};
    r(head.layout);
    if (head.layout != layout)
      return Problem{fmt::format("it was compiled by another build of mosim {}, which lays programs out differently", version), compile_again};
    r(head.length, head.checksum);
  } catch (const Damaged& damage) {
    return Problem{"it is damaged: " + damage.what, compile_again};
  }
  return head;
}

std::string_view as_text(std::span<const std::byte> bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

}  // namespace

std::string write(const runtime::Program& program, const std::vector<Source>& sources) {
  Writer content, whole;
  content(program, sources);
  whole.bytes = magic;
  whole(format_version, std::string(version), layout, std::uint64_t(content.bytes.size()), checksum(content.bytes));
  return whole.bytes + content.bytes;
}

std::variant<Model, Problem> read(std::span<const std::byte> bytes) {
  const std::string_view text = as_text(bytes);
  if (!text.starts_with(magic)) {
    const bool cut = magic.starts_with(text) && !text.empty();
    return Problem{cut ? "it is damaged: it ends too early" : "it is no compiled model", compile_again};
  }
  Reader r(bytes.subspan(magic.size()));
  auto found = read_head(r);
  if (auto* const problem = std::get_if<Problem>(&found)) return std::move(*problem);
  const Head& head = std::get<Head>(found);
  const auto damaged = [&](std::string_view what) { return Problem{fmt::format("it is damaged: {}", what), compile_again}; };
  if (r.left() != head.length) return damaged(r.left() < head.length ? "it ends too early" : "more follows behind its end");
  if (checksum(text.substr(text.size() - r.left())) != head.checksum) return damaged("its checksum does not fit what is in it");
  Model model;
  try {
    r.get(model);
    if (r.left() != 0) throw Damaged{"more follows behind its end"};
  } catch (const Damaged& damage) {
    return damaged(damage.what);
  }
  if (const auto flaw = find_flaw(model.program)) return damaged(*flaw);
  return model;
}

}  // namespace mosim::program
