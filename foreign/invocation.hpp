#pragma once
// One function that can be called: its address, and how its operands lie in memory (MLS 12.9.1). By libffi.

#include <ffi.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "foreign/function.hpp"
#include "foreign/message.hpp"
#include "foreign/utilities.hpp"

namespace mosim::foreign {

/// How a type lies in memory.
struct Layout {
  explicit Layout(const Type& type);
  Layout(const Layout&) = delete;

  const Type& type;
  ffi_type record{};                            // of a record; else not used
  ffi_type* ffi = nullptr;
  std::vector<ffi_type*> elements;              // of a record, ended by a null pointer
  std::vector<std::unique_ptr<Layout>> fields;
  /// The scalars, and how far from the beginning they lie.
  struct Leaf {
    const Type* type;
    std::size_t at;
  };
  std::vector<Leaf> leaves;
};

class Invocation {
 public:
  /// Errors (std::runtime_error): libffi does not take it.
  Invocation(Function function, void* address);
  Invocation(const Invocation&) = delete;

  /// Reads the operands: of each leaf of each parameter, how many there are, and they themselves (double, text, or the number of an
  /// object); writes `done` with those of the results, or `failed`. Objects are kept in `objects`, under numbers from 1.
  Writer call(Reader& request, Surroundings& surroundings, std::vector<void*>& objects);
  /// Its one parameter is the object.
  Writer destroy(void* object, Surroundings& surroundings);

 private:
  Writer run(Surroundings& surroundings, void* result, void** arguments, bool& good);
  Function function_;
  void* address_;
  std::vector<std::unique_ptr<Layout>> layouts_;
  std::vector<ffi_type*> types_;
  ffi_cif interface_{};
};

}  // namespace mosim::foreign
