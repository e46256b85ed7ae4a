#include "native/lapack_library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "native/call.hpp"

/// LAPACK and BLAS call it with an argument that they refuse. The library's own ends the process, so the program exports this one, which
/// comes first in the search of the loader. It must not return: dgeev, for one, goes on with what dgebal has refused, and writes outside
/// of its arrays. The stack is unwound by the tables that every function has on the machines of Debian.
extern "C" void xerbla_(const char* routine, const std::int32_t* place, std::size_t length) {
  std::string name(routine, std::find_if(routine, routine + length, [](char c) { return c == ' ' || c == '\0'; }));
  for (char& c : name)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  throw mosim::native::RefusedArgument{std::move(name), *place};
}

namespace mosim::native {
namespace {

void* load() {
  void* const library = dlopen(MOSIM_LAPACK, RTLD_NOW | RTLD_LOCAL);
  if (!library) throw Error(std::string("external \"FORTRAN 77\" needs LAPACK (Debian's package liblapack3), which cannot be loaded: ") + dlerror());
  // OpenBLAS shares sums out among threads: the last digits would depend on how many there are.
  if (void* const threads = dlsym(library, "openblas_set_num_threads")) reinterpret_cast<void (*)(int)>(threads)(1);
  return library;
}

}  // namespace

void* lapack_routine(std::string_view name) {
  static void* const library = load();
  void* const address = dlsym(library, (std::string(name) + "_").c_str());
  if (!address) throw Error("the LAPACK that is installed has no routine " + std::string(name));
  return address;
}

}  // namespace mosim::native
