#pragma once
// Studies for Python.

#include <nanobind/nanobind.h>

namespace mosim::python {

void bind_studies(nanobind::module_& m);

}  // namespace mosim::python
