#pragma once
// What expressions ask of the connections of a model, which is known once all connections are.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "compiler/expression/expression.hpp"
#include "parser/syntax.hpp"

namespace mosim::compiler {

struct Component;
struct Instances;
struct Resolved;

class KnownConnections {
public:
  virtual ~KnownConnections() = default;
  /// inStream(v), by the set that v is in as an inside connector (MLS 15.2). Expr::none after an error.
  virtual Expr in_stream(VariableId v, Place place) = 0;
  /// actualStream(v) (MLS 15.3)
  virtual Expr actual_stream(VariableId v, Place place, bool literal) = 0;
  /// How often element k of a connector stands in connect-equations.
  virtual std::int64_t cardinality(const Component* c, std::size_t k) = 0;
  /// Is this node of the virtual connection graph a root (MLS 9.4.1)?
  virtual bool is_root(const Component* node) const = 0;
  /// Is it closer to the root than b, for the one branch(node, b) there is? Empty after an error.
  virtual std::optional<bool> rooted(const Component* node, Place place) const = 0;
};

/// The overdetermined component of a connector that a reference means as one node of the virtual connection graph; null
/// after an error.
Component* graph_node(Instances& in, const Resolved& r, const parser::ComponentReference& name);

}  // namespace mosim::compiler
