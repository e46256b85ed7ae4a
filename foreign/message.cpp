#include "foreign/message.hpp"

#include <cerrno>

#include <sys/socket.h>
#include <unistd.h>

namespace mosim::foreign {
namespace {

constexpr std::uint64_t longest_frame = std::uint64_t(1) << 34;   // more is damage

void put_texts(Writer& w, const std::vector<std::string>& texts) {
  w.put_list(texts, [&](const std::string& text) { w.put_text(text); });
}

std::vector<std::string> get_texts(Reader& r) {
  std::vector<std::string> texts;
  for (auto n = r.get<std::uint64_t>(); n > 0; --n) texts.emplace_back(r.get_text());
  return texts;
}

void put(Writer& w, const Type& type) {
  w.put(type.kind);
  w.put(type.literals);
  w.put_list(type.fields, [&](const Type& field) { put(w, field); });
}

Type get_type(Reader& r) {
  Type type;
  type.kind = r.get<Type::Kind>();
  type.literals = r.get<int>();
  for (auto n = r.get<std::uint64_t>(); n > 0; --n) type.fields.push_back(get_type(r));
  return type;
}

}  // namespace

void put(Writer& w, const Code& code) {
  w.put_text(code.include);
  put_texts(w, code.include_folders);
  put_texts(w, code.libraries);
  put_texts(w, code.library_folders);
  put_texts(w, code.companions);
}

Code get_code(Reader& r) {
  Code code;
  code.include = r.get_text();
  code.include_folders = get_texts(r);
  code.libraries = get_texts(r);
  code.library_folders = get_texts(r);
  code.companions = get_texts(r);
  return code;
}

void put(Writer& w, const Function& function) {
  w.put_text(function.name);
  w.put(function.returns);
  w.put_list(function.parameters, [&](const Parameter& p) {
    put(w, p.type);
    w.put(p.array);
    w.put(p.result);
  });
}

Function get_function(Reader& r) {
  Function function;
  function.name = r.get_text();
  function.returns = r.get<bool>();
  for (auto n = r.get<std::uint64_t>(); n > 0; --n) {
    Parameter p;
    p.type = get_type(r);
    p.array = r.get<bool>();
    p.result = r.get<bool>();
    function.parameters.push_back(std::move(p));
  }
  return function;
}

Channel::~Channel() { ::close(descriptor_); }

bool Channel::send(const Writer& message) {
  const std::string& body = message.bytes();
  const std::uint64_t size = body.size();
  std::string frame(reinterpret_cast<const char*>(&size), sizeof size);
  frame += body;
  for (std::size_t at = 0; at < frame.size();) {
    const ssize_t n = ::send(descriptor_, frame.data() + at, frame.size() - at, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    at += static_cast<std::size_t>(n);
  }
  return true;
}

Channel::Arrival Channel::receive(std::vector<char>& frame) {
  for (;;) {
    const std::size_t there = buffer_.size() - begin_;
    std::uint64_t size = 0;
    if (there >= sizeof size) {
      std::memcpy(&size, buffer_.data() + begin_, sizeof size);
      if (size > longest_frame) return Arrival::gone;
      if (there >= sizeof size + size) {
        const auto begin = buffer_.begin() + static_cast<std::ptrdiff_t>(begin_ + sizeof size);
        frame.assign(begin, begin + static_cast<std::ptrdiff_t>(size));
        begin_ += sizeof size + size;
        if (begin_ == buffer_.size()) {
          buffer_.clear();
          begin_ = 0;
        }
        return Arrival::frame;
      }
    }
    char bytes[1 << 16];
    const ssize_t n = ::recv(descriptor_, bytes, sizeof bytes, 0);
    if (n == 0) return Arrival::gone;
    if (n < 0) return errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK ? Arrival::nothing : Arrival::gone;
    buffer_.insert(buffer_.end(), bytes, bytes + n);
  }
}

}  // namespace mosim::foreign
