#pragma once
// Interface compatibility, or subtyping (MLS 6.4 - 6.6): may one class stand where another one is expected?

#include <optional>
#include <string>

#include "parser/source.hpp"

namespace mosim::compiler {

struct Class;
struct Instances;
struct Member;

using parser::Place;

/// Why one class is not compatible with another.
struct Incompatibility {
  std::string reason;   // continues "A is not compatible with B: "
  Place place;          // of the element in question, or nowhere
  bool default_only = false;   // an input has no default value, where the other class has one: in a library that is let pass
};

enum class Compatibility {
  subtype,    // MLS 6.4
  plug,       // and what it has in addition works unconnected (MLS 6.5)
};

/// Empty if `a` is compatible with `b`. For functions, the order and the defaults of inputs count too (MLS 6.6).
std::optional<Incompatibility> incompatibility(Instances& in, Class* a, Class* b, Compatibility kind);

/// Empty if an inner element can stand for an outer one (MLS 5.4): compatible types, the same array dimensions.
std::optional<Incompatibility> inner_incompatibility(Instances& in, Member* inner, Member* outer);

}  // namespace mosim::compiler
