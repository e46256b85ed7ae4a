#pragma once
// Texts that many have in common.

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>
#include <string>
#include <utility>

namespace mosim::runtime {

/// A text that many have in common, kept once: a unit, a path, a line of the source. It takes a pointer, and may be shared between threads.
class Label {
public:
  Label() = default;
  Label(std::string text) : kept_(text.empty() ? nullptr : new Kept(std::move(text))) {}
  Label(const char* text) : Label(std::string(text)) {}
  const std::string& text() const {
    static const std::string none;
    return kept_ ? kept_->text : none;
  }
  operator const std::string&() const { return text(); }
  bool empty() const { return !kept_; }
  bool operator==(const Label& other) const { return kept_ == other.kept_ || text() == other.text(); }
  bool operator==(const char* other) const { return text() == other; }
  bool operator==(const std::string& other) const { return text() == other; }
  bool operator<(const Label& other) const { return text() < other.text(); }
  friend std::string operator+(const std::string& a, const Label& b) { return a + b.text(); }
  friend std::string operator+(const Label& a, const std::string& b) { return a.text() + b; }
  template <class Stream>
  friend Stream& operator<<(Stream& out, const Label& label) { out << label.text(); return out; }

private:
  struct Kept : boost::intrusive_ref_counter<Kept> {
    explicit Kept(std::string t) : text(std::move(t)) {}
    const std::string text;
  };
  boost::intrusive_ptr<const Kept> kept_;
};

}  // namespace mosim::runtime
