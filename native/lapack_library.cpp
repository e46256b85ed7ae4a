#include "native/lapack_library.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "native/call.hpp"

namespace {

using Xerbla = void (*)(const char* routine, const std::int32_t* place, std::size_t length);

thread_local int calls = 0;      // of routines, that are under way
Xerbla others = nullptr;         // what LAPACK calls where it is not called from here

}  // namespace

/// LAPACK and BLAS call it with an argument that they refuse. The library's own ends the process, so the program exports this one, which
/// comes first in the search of the loader. It must not return: dgeev, for one, goes on with what dgebal has refused, and writes outside
/// of its arrays. The stack is unwound by the tables that every function has on the machines of Debian.
extern "C" void xerbla_(const char* routine, const std::int32_t* place, std::size_t length) {
  if (calls == 0 && others) return others(routine, place, length);
  std::string name(routine, std::find_if(routine, routine + length, [](char c) { return c == ' ' || c == '\0'; }));
  for (char& c : name)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  throw mosim::native::RefusedArgument{std::move(name), *place};
}

namespace mosim::native {
namespace {

/// Sets a function in the table through which a library calls it. That page stays writable, as it is where the loader binds lazily.
void redirect(const link_map& library, const char* name, Xerbla function) {
  const auto at = [&](ElfW(Addr) address) { return address < library.l_addr ? library.l_addr + address : address; };   // not all loaders have added it
  const ElfW(Sym)* symbols = nullptr;
  const char* names = nullptr;
  std::pair<ElfW(Addr), std::size_t> calls_through{}, addresses_through{};
  for (const ElfW(Dyn)* d = library.l_ld; d->d_tag != DT_NULL; ++d) switch (d->d_tag) {
      case DT_SYMTAB: symbols = reinterpret_cast<const ElfW(Sym)*>(at(d->d_un.d_ptr)); break;
      case DT_STRTAB: names = reinterpret_cast<const char*>(at(d->d_un.d_ptr)); break;
      case DT_JMPREL: calls_through.first = at(d->d_un.d_ptr); break;
      case DT_PLTRELSZ: calls_through.second = d->d_un.d_val; break;
      case DT_RELA: addresses_through.first = at(d->d_un.d_ptr); break;
      case DT_RELASZ: addresses_through.second = d->d_un.d_val; break;
      default: break;
    }
  if (!symbols || !names) return;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  for (const auto& [first, size] : {calls_through, addresses_through})
    for (std::size_t k = 0; first && k < size / sizeof(ElfW(Rela)); ++k) {
      const ElfW(Rela)& r = reinterpret_cast<const ElfW(Rela)*>(first)[k];
      const std::size_t symbol = sizeof(void*) == 8 ? r.r_info >> 32 : r.r_info >> 8;
      if (symbol == 0 || std::strcmp(names + symbols[symbol].st_name, name) != 0) continue;
      const std::uintptr_t slot = library.l_addr + r.r_offset;
      if (mprotect(reinterpret_cast<void*>(slot / page * page), page, PROT_READ | PROT_WRITE) == 0) *reinterpret_cast<Xerbla*>(slot) = function;
    }
}

/// Inside of a shared library that keeps its names to itself the loader does not find xerbla_ of this file. Other callers of the same
/// LAPACK still get theirs.
void take_place_of_xerbla(void* library) {
  others = reinterpret_cast<Xerbla>(dlsym(library, "xerbla_"));
  if (!others || dlsym(RTLD_DEFAULT, "xerbla_") == reinterpret_cast<void*>(&xerbla_)) return;
  // LAPACK, BLAS, and what both may be in.
  for (const char* const name : {"dgetrf_", "dgemm_", "dgemv_", "xerbla_"}) {
    Dl_info info;
    link_map* map = nullptr;
    if (void* const address = dlsym(library, name); address && dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) && map) redirect(*map, "xerbla_", &xerbla_);
  }
  if (link_map* map = nullptr; dlinfo(library, RTLD_DI_LINKMAP, &map) == 0) redirect(*map, "xerbla_", &xerbla_);
}

void* load() {
  void* const library = dlopen(MOSIM_LAPACK, RTLD_NOW | RTLD_LOCAL);
  if (!library) throw Error(std::string("external \"FORTRAN 77\" needs LAPACK (Debian's package liblapack3), which cannot be loaded: ") + dlerror());
  // OpenBLAS shares sums out among threads: the last digits would depend on how many there are.
  if (void* const threads = dlsym(library, "openblas_set_num_threads")) reinterpret_cast<void (*)(int)>(threads)(1);
  take_place_of_xerbla(library);
  return library;
}

}  // namespace

LapackCall::LapackCall() { ++calls; }
LapackCall::~LapackCall() { --calls; }

void* lapack_routine(std::string_view name) {
  static void* const library = load();
  void* const address = dlsym(library, (std::string(name) + "_").c_str());
  if (!address) throw Error("the LAPACK that is installed has no routine " + std::string(name));
  return address;
}

}  // namespace mosim::native
