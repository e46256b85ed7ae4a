#include "native/resource.hpp"

#include <filesystem>

namespace mosim::native {
namespace {

int digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1; }

/// %20 is a blank (RFC 3986, 2.1).
std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '%' && k + 2 < text.size() && digit(text[k + 1]) >= 0 && digit(text[k + 2]) >= 0) {
      out += static_cast<char>(16 * digit(text[k + 1]) + digit(text[k + 2]));
      k += 2;
    } else {
      out += text[k];
    }
  }
  return out;
}

bool begins_with(std::string_view text, std::string_view with) {
  if (text.size() < with.size()) return false;
  for (std::size_t k = 0; k < with.size(); ++k)   // a scheme is the same in capitals (RFC 3986, 3.1)
    if ((text[k] >= 'A' && text[k] <= 'Z' ? text[k] - 'A' + 'a' : text[k]) != with[k]) return false;
  return true;
}

}  // namespace

std::string file_of(std::string_view name, const Environment& environment) {
  constexpr std::string_view modelica = "modelica://", file = "file://";
  if (begins_with(name, file)) {
    name.remove_prefix(file.size());
    if (const auto host = name.find('/'); host != 0 && host != std::string_view::npos && name.substr(0, host) == "localhost") name.remove_prefix(host);
    return decoded(name);
  }
  if (!begins_with(name, modelica)) return std::string(name);
  if (environment.resource)
    if (auto path = environment.resource(name)) return std::move(*path);
  std::string_view package = name.substr(modelica.size()), rest;
  if (const auto slash = package.find('/'); slash != std::string_view::npos) rest = package.substr(slash), package = package.substr(0, slash);
  const auto dot = package.find('.');
  const std::string top(package.substr(0, dot));
  const auto it = environment.folders.find(top);
  if (it == environment.folders.end()) throw Error("the package " + top + " of \"" + std::string(name) + "\" is not known, or has no folder");
  // A package inside may have a folder of its own; else the folder around it counts.
  std::filesystem::path folder = it->second;
  std::string_view inner = dot == std::string_view::npos ? std::string_view() : package.substr(dot + 1);
  while (!inner.empty()) {
    const auto next = inner.find('.');
    std::error_code error;
    if (!std::filesystem::exists(folder / inner.substr(0, next) / "package.mo", error)) break;
    folder /= inner.substr(0, next);
    inner = next == std::string_view::npos ? std::string_view() : inner.substr(next + 1);
  }
  return folder.string() + decoded(rest);
}

}  // namespace mosim::native
