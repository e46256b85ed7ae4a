#include "report/file.hpp"

#include "runtime/file.hpp"

namespace mosim::report {

std::optional<std::string> write_file(const std::string& path, std::string contents) {
  runtime::File file(path);
  file.buffer = std::move(contents);
  (void)file.close();
  return file.problem();
}

}  // namespace mosim::report
