#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "native/call.hpp"
#include "native/matrix_file.hpp"

namespace mosim::native {

std::string read_bytes(const std::string& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) throw Error("there is no file " + file);
  if (!std::filesystem::is_regular_file(status)) throw Error(file + " is not a regular file");
  errno = 0;
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in) throw Error("cannot open " + file + ": " + std::strerror(errno));
  const std::streamoff size = in.tellg();
  std::string bytes(size > 0 ? static_cast<std::size_t>(size) : 0, '\0');
  in.seekg(0);
  if (!in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) throw Error("cannot read " + file + ": " + std::strerror(errno));
  return bytes;
}

}  // namespace mosim::native
