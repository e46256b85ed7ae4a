#pragma once
// libmatio, which reads and writes MATLAB's files. It is loaded with the first of them: the loader would spend milliseconds on it
// (and on HDF5, which it needs) at the start of every run.

#include <matio.h>

namespace mosim::native {

/// The functions in use, under their names in matio.h.
struct MatLibrary {
  decltype(&::Mat_Open) open;
  decltype(&::Mat_CreateVer) create;
  decltype(&::Mat_Close) close;
  decltype(&::Mat_GetVersion) version;
  decltype(&::Mat_VarReadNextInfo) next_info;
  decltype(&::Mat_VarRead) read;
  decltype(&::Mat_VarCreate) make;
  decltype(&::Mat_VarWrite) write;
  decltype(&::Mat_VarDelete) remove;
  decltype(&::Mat_VarFree) free;
  decltype(&::Mat_VarGetStructFieldByName) field;
};

/// Errors: the library is not there.
const MatLibrary& mat_library();

}  // namespace mosim::native
