#include "compiler/instantiate/value.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/instances.hpp"

namespace mosim::compiler {

std::size_t count(const std::vector<std::int64_t>& dims) {
  std::size_t n = 1;
  for (std::int64_t d : dims) {
    if (d < 0) throw SizeOfRun();
    n *= static_cast<std::size_t>(d);
  }
  return n;
}

double room_for(const std::vector<std::int64_t>& dims) {
  double n = 1;
  for (const std::int64_t d : dims) n *= double(std::max<std::int64_t>(d, 0));
  return n;
}

bool same_type(const Instances& in, Type a, Type b) {
  if (a == b) return true;
  if (a.base != BaseType::enumeration || b.base != BaseType::enumeration) return false;
  return in.model.enumerations[index(a.enumeration)].literals == in.model.enumerations[index(b.enumeration)].literals;
}

std::string type_name(Instances& in, Type type) {
  switch (type.base) {
    case BaseType::real: return "Real";
    case BaseType::integer: return "Integer";
    case BaseType::boolean: return "Boolean";
    case BaseType::string: return "String";
    case BaseType::clock: return "Clock";
    case BaseType::object: return in.model.object_classes[index(type.object)].name;
    case BaseType::enumeration: return in.model.enumerations[index(type.enumeration)].name;
  }
  return "?";
}

std::string shape_text(const std::vector<std::int64_t>& dims) {
  if (dims.empty()) return "";
  std::string text = "[";
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (i) text += ",";
    text += dims[i] < 0 ? ":" : std::to_string(dims[i]);
  }
  return text + "]";
}

std::string type_name(Instances& in, const Value& v) {
  return v.record ? v.record->path : v.function ? fmt::format("the function {}", v.function->path) : type_name(in, v.type);
}

}  // namespace mosim::compiler
