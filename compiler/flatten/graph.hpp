#pragma once
// The virtual connection graph (MLS 9.4): which connections between overdetermined records or types bring all their
// equations, and which the equalityConstraint function alone.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "parser/diagnostic.hpp"
#include "parser/source.hpp"

namespace mosim::compiler {

struct Component;
struct Instances;

using parser::Place;

/// Nodes are the overdetermined components of connectors. First everything is put in, in the order of the model, then
/// solve() chooses the roots and breaks connections; what is_root and rooted say holds from then on.
class ConnectionGraph {
public:
  /// An optional edge of the spanning trees: a connection.
  struct Edge {
    Component *a, *b;
    Place place;
    bool broken = false;
  };

  /// A connection of a to b, each as an inside or outside connector. One that joins what is already joined is no edge.
  void connect(Component* a, bool inside_a, Component* b, bool inside_b, Place place);
  /// Connections.branch(a, b): a required edge.
  void branch(Component* a, Component* b, Place place);
  /// Connections.root(a)
  void root(Component* a, Place place);
  /// Connections.potentialRoot(a, priority)
  void potential_root(Component* a, std::int64_t priority, Place place);

  /// Errors: two roots joined by required edges, a cycle of them, a part of the graph without any root.
  bool solve(Instances& in);

  const std::vector<Edge>& edges() const { return edges_; }
  bool is_root(const Component* a) const;
  /// Is a closer to the root than b, for the one branch(a, b) there is? Empty after an error.
  std::optional<bool> rooted(Instances& in, const Component* a, Place place) const;

private:
  using Node = std::size_t;
  static constexpr Node no_node = static_cast<Node>(-1);
  struct Vertex {
    Component* component;
    std::optional<Place> root;
    struct Potential {
      std::int64_t priority;
      Place place;
      std::size_t order;
    };
    std::optional<Potential> potential;
    bool chosen = false;             // as a root
    std::size_t depth = 0;           // in its spanning tree
  };
  struct Branch {
    Node a, b;
    Place place;
  };

  Node node(Component* c);
  std::vector<parser::Note> required_path(Node a, Node b) const;
  bool check_required(Instances& in, std::vector<Node>& trees);
  bool choose_roots(Instances& in);
  void measure();

  std::unordered_map<const Component*, Node> nodes_;
  std::vector<Vertex> vertices_;
  std::vector<Branch> branches_;
  std::vector<Edge> edges_;
  std::vector<std::size_t> joined_;  // union-find over 2 * node + inside
  std::size_t potentials_ = 0;
};

}  // namespace mosim::compiler
