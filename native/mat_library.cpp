#include "native/mat_library.hpp"

#include <dlfcn.h>

#include <string>

#include "native/call.hpp"

namespace mosim::native {
namespace {

MatLibrary load() {
  void* const library = dlopen(MOSIM_MATIO, RTLD_NOW | RTLD_LOCAL);
  if (!library) throw Error(std::string("files of MATLAB are read by libmatio, which cannot be loaded: ") + dlerror());
  const auto set = [&](auto& function, const char* name) {
    void* const address = dlsym(library, name);
    if (!address) throw Error(std::string("libmatio has no function ") + name);
    function = reinterpret_cast<std::decay_t<decltype(function)>>(address);
  };
  MatLibrary result{};
  set(result.open, "Mat_Open");
  set(result.create, "Mat_CreateVer");
  set(result.close, "Mat_Close");
  set(result.version, "Mat_GetVersion");
  set(result.next_info, "Mat_VarReadNextInfo");
  set(result.read, "Mat_VarRead");
  set(result.make, "Mat_VarCreate");
  set(result.write, "Mat_VarWrite");
  set(result.remove, "Mat_VarDelete");
  set(result.free, "Mat_VarFree");
  set(result.field, "Mat_VarGetStructFieldByName");
  // The library prints what it dislikes to standard error; here an Error says it.
  decltype(&::Mat_LogInitFunc) log;
  set(log, "Mat_LogInitFunc");
  log("mosim", [](int, char*) {});
  return result;
}

}  // namespace

const MatLibrary& mat_library() {
  static const MatLibrary library = load();
  return library;
}

}  // namespace mosim::native
