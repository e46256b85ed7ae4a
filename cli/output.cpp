#include "cli/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>

#include <sys/stat.h>
#include <unistd.h>

namespace mosim::cli {

namespace {

/// The bytes of the character at the start of a text, and which one it is; one byte and nothing, if it is no UTF-8.
struct Character {
  std::size_t bytes = 1;
  std::optional<std::uint32_t> code;
};

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {1, first};
  const std::size_t bytes = first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xc2 && first < 0xe0 ? 2 : 0;
  if (bytes == 0 || text.size() < bytes) return {};
  std::uint32_t code = first & (0xffu >> (bytes + 1));
  for (std::size_t k = 1; k < bytes; ++k) {
    if ((byte(k) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(k) & 0x3fu);
  }
  const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  if (overlong || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {};
  return {bytes, code};
}

bool is_harmless(std::uint32_t code) {
  if (code == '\n' || code == '\t') return true;
  const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const bool direction = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code == 0x200e || code == 0x200f;
  const bool breaks = code == 0x2028 || code == 0x2029;
  return !control && !direction && !breaks;
}

}  // namespace

std::string visible(std::string_view text) {
  const auto is_plain = [](char c) { return (c >= ' ' && c < 0x7f) || c == '\n'; };
  if (std::all_of(text.begin(), text.end(), is_plain)) return std::string(text);
  std::string result;
  while (!text.empty()) {
    const Character c = first_character(text);
    if (c.code && is_harmless(*c.code)) {
      result += text.substr(0, c.bytes);
    } else if (!text.starts_with("\r\n")) {
      result += '?';
    }
    text.remove_prefix(c.bytes);
  }
  return result;
}

Stream::Stream(std::FILE* file) : file_(file), is_terminal_(isatty(fileno(file)) == 1) {}

int Stream::descriptor() const { return fileno(file_); }

void Stream::say(std::string_view text) { write(visible(text)); }

void Stream::write(std::string_view text) {
  if (error_ == 0 && std::fwrite(text.data(), 1, text.size(), file_) != text.size()) error_ = errno;
}

void Stream::flush() {
  if (error_ == 0 && std::fflush(file_) != 0) error_ = errno;
}

std::optional<std::string> unwritable(const std::string& path) {
  struct stat status {};
  const auto because = [&](int error) { return fmt::format("cannot write {}: {}", path, std::strerror(error)); };
  if (::stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) return because(EISDIR);
    return ::access(path.c_str(), W_OK) == 0 ? std::optional<std::string>() : because(errno);
  }
  if (errno != ENOENT) return because(errno);
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  const std::string folder = parent.empty() ? std::string(1, '.') : parent.string();
  if (::stat(folder.c_str(), &status) != 0) return fmt::format("cannot write {}: there is no folder {}", path, folder);
  return ::access(folder.c_str(), W_OK | X_OK) == 0 ? std::optional<std::string>() : because(errno);
}

}  // namespace mosim::cli
