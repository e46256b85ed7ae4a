#include "foreign/function.hpp"

namespace mosim::foreign {

std::size_t count_leaves(const Type& type) {
  if (type.kind != Type::Kind::record) return 1;
  std::size_t n = 0;
  for (const Type& field : type.fields) n += count_leaves(field);
  return n;
}

}  // namespace mosim::foreign
