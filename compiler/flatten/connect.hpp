#pragma once
// Connections (MLS 9): connect-equations -> connection sets -> equations; inStream and actualStream (MLS 15).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compiler/elaborate/connections.hpp"
#include "compiler/elaborate/references.hpp"
#include "compiler/flatten/graph.hpp"

namespace mosim::compiler {

struct Collected;

/// What a connector's variable is to a connection. A `signal` is a variable of an expandable connector that is neither flow
/// nor stream: where its value comes from follows from its connections (MLS 9.1.3).
enum class ConnectionKind : std::uint8_t { potential, flow, stream, input, output, signal, parameter };

const char* connection_kind_name(ConnectionKind r);

/// One primitive element of a connector, seen from the inside or from the outside of its component (MLS 9.1.2).
struct Terminal {
  VariableId variable;
  bool inside;
  friend bool operator==(const Terminal&, const Terminal&) = default;
};

/// Every connect-equation of the model, and every equation of the virtual connection graph, with the scope that its names
/// are looked up in (structural_equations.hpp).
using ConnectionVisitor = std::function<void(const parser::Equation&, const Environment&)>;
void visit_connections(Instances& in, const ConnectionVisitor& visit);

/// The connections of a model, and what they make of its variables.
class Connections : public KnownConnections {
public:
  explicit Connections(Instances& in);

  /// connect(a, b) in the class that `env` is of.
  void connect(const parser::Equation& e, const parser::ConnectEquation& c, const Environment& env);
  /// All connections of the model.
  void collect();
  /// Once all are collected: chooses the roots of the virtual connection graph (graph.hpp). False after an error.
  bool solve() { return graph_.solve(in_); }
  std::int64_t cardinality(const Component* c, std::size_t k) override;
  bool is_root(const Component* node) const override { return graph_.is_root(node); }
  std::optional<bool> rooted(const Component* node, Place place) const override { return graph_.rooted(in_, node, place); }
  /// The equations of all sets: potentials equal, flows adding up to zero.
  void equations(Collected& out);
  /// Once that is done: the sets, and what a variable is in them.
  const std::map<std::size_t, std::vector<Terminal>>& sets() const { return sets_; }
  ConnectionKind kind(VariableId v) const { return infos_[index(v)].kind; }
  Expr in_stream(VariableId v, Place place) override;
  Expr actual_stream(VariableId v, Place place, bool literal) override;

private:
  struct Info {
    ConnectionKind kind = ConnectionKind::potential;
    VariableId flow = VariableId::none;   // of a stream variable: the flow variable of its connector
    bool in_connector = false;
    bool is_public = true;
    bool added = false;                   // to an expandable connector, by a connection
  };
  // expandable connectors: signals.cpp
  void check_signals(Collected& out);
  bool of_top_level(VariableId v) const;

  /// What messages say of connectors: which variables are theirs, and whether they are connected.
  void describe_connectors();
  void describe_connectors(Class* object, Place used);
  void learn(Class* object, ConnectionKind kind, bool in_connector, bool is_public, bool added);
  void learn(Component* c, ConnectionKind kind, bool in_connector, bool is_public, bool added);
  // overconstrained.cpp
  void graph_equation(const parser::Expression& e, const Environment& env);
  void edge_equations(Collected& out);
  bool constrain(const ConnectionGraph::Edge& edge, const Value& a, const Value& b, Collected& out);
  void equal_leaves(const ConnectionGraph::Edge& edge, const Value& a, const Value& b, Collected& out);

  bool match_components(Component* a, std::size_t ka, Component* b, std::size_t kb, bool inside_a, bool inside_b, Place place);
  bool match_objects(Class* a, Class* b, bool inside_a, bool inside_b, Place place);
  void join(Terminal a, Terminal b, Place place);
  std::size_t find(std::size_t t);
  std::size_t number(Terminal t) const { return 2 * index(t.variable) + (t.inside ? 1 : 0); }
  Terminal terminal(std::size_t n) const { return {static_cast<VariableId>(n / 2), n % 2 == 1}; }
  const std::vector<Terminal>& members(Terminal t);
  void group();
  bool merge_outputs(const std::vector<Terminal>& set, Place place, Collected& out);   // connected_states.cpp
  void potential_equations(const std::vector<Terminal>& set, Place place, Collected& out);
  void flow_equation(const std::vector<Terminal>& set, Place place, Collected& out);
  // streams.cpp
  double attribute_number(Expr attribute, double otherwise);
  bool may_flow_in(Terminal t);
  Expr carried(Terminal t, Place place);
  Expr mixture(const std::vector<Terminal>& set, Terminal self, Place place);
  Expr inflow(Terminal t, Place place);
  Expr mixed_by_sums(const std::vector<Terminal>& set, Terminal self, Place place);
  Expr sum_variable(Expr value, Terminal t, Place place);
  void stream_equations(const std::vector<Terminal>& set, Place place, Collected& out);
  void check_sources(const std::vector<Terminal>& set, Place place);

  Instances& in_;
  std::vector<Info> infos_;                       // by VariableId
  std::vector<std::size_t> parents_;              // union-find over terminals
  std::vector<Place> places_;                     // of the connect-equation that joined a terminal first
  std::map<std::size_t, std::vector<Terminal>> sets_;   // by root, once grouped
  bool grouped_ = false;
  std::vector<Terminal> lone_;                    // a set of one, for members()
  bool has_signals_ = false;
  std::unordered_map<VariableId, std::optional<Expr>> in_streams_;   // known ones; empty while asked for
  /// Of a large set.
  struct Mixer {
    struct Sums {
      Expr flow, carried, values;
    };
    bool known = false;
    std::vector<Terminal> carriers;               // through which something may flow in
    std::unordered_map<std::size_t, std::size_t> positions;   // among these, by number()
    std::vector<Sums> before, from;               // over the carriers before the k-th, and from it on; empty where they are few
    double nominal = 1;
  };
  std::map<std::size_t, Mixer> mixers_;           // by the number of the set's first terminal
  ConnectionGraph graph_;
  bool only_matched_ = false;                     // what is compared is not joined: the graph has it as one
  std::vector<Resolved::Element> occurrences_;    // of connectors in connect-equations
  std::map<std::pair<const Component*, std::size_t>, std::int64_t> counts_;   // of these, once asked for
};

}  // namespace mosim::compiler
