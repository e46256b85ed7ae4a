#pragma once
// Connections (MLS 9): connect-equations -> connection sets -> equations; inStream and actualStream (MLS 15).

#include <map>
#include <unordered_map>

#include "compiler/elaborate/references.hpp"
#include "compiler/flatten/flatten.hpp"
#include "compiler/flatten/graph.hpp"

namespace mosim::compiler {

/// What a connector's variable is to a connection.
enum class Role : std::uint8_t { potential, flow, stream, input, output, parameter };

const char* role_name(Role r);

/// One primitive element of a connector, seen from the inside or from the outside of its component (MLS 9.1.2).
struct Terminal {
  VariableId variable;
  bool inside;
  friend bool operator==(const Terminal&, const Terminal&) = default;
};

/// The overdetermined component of a connector that a reference means as one node of the virtual connection graph; null
/// after an error.
Component* graph_node(Instances& in, const Resolved& r, const parser::ComponentReference& name);

/// The connections of a model, and what they make of its variables.
class Connections {
public:
  explicit Connections(Instances& in);

  /// connect(a, b) in the class that `env` is of.
  void connect(const parser::Equation& e, const parser::ConnectEquation& c, const Environment& env);
  /// All connect-equations of a section, those in for- and if-equations too.
  void collect(parser::List<parser::Equation> equations, const Environment& env);
  /// Once all are collected: chooses the roots of the virtual connection graph (graph.hpp). False after an error.
  bool solve() { return graph_.solve(in_); }
  const ConnectionGraph& graph() const { return graph_; }
  /// How often element k of a connector stands in connect-equations.
  std::int64_t cardinality(const Component* c, std::size_t k) const;
  /// The equations of all sets: potentials equal, flows adding up to zero.
  void equations(Collected& out);
  /// inStream(v), by the set that v is in as an inside connector (MLS 15.2). Expr::none after an error.
  Expr in_stream(VariableId v, Place place);
  /// actualStream(v) (MLS 15.3)
  Expr actual_stream(VariableId v, Place place, bool literal);

private:
  struct Info {
    Role role = Role::potential;
    VariableId flow = VariableId::none;   // of a stream variable: the flow variable of its connector
    bool in_connector = false;
    bool is_public = true;
  };
  void learn(Class* object, Role role, bool in_connector, bool is_public);
  void learn(Component* c, Role role, bool in_connector, bool is_public);
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
  std::vector<Terminal> members(Terminal t);
  void group();
  void potential_equations(const std::vector<Terminal>& set, Place place, Collected& out);
  void flow_equation(const std::vector<Terminal>& set, Place place, Collected& out);
  // streams.cpp
  double attribute_number(Expr attribute, double otherwise);
  bool may_flow_in(Terminal t);
  Expr carried(Terminal t, Place place);
  Expr mixture(const std::vector<Terminal>& set, Terminal self, Place place);
  void stream_equations(const std::vector<Terminal>& set, Place place, Collected& out);
  void check_sources(const std::vector<Terminal>& set, Place place);

  Instances& in_;
  std::vector<Info> infos_;                       // by VariableId
  std::vector<std::size_t> parents_;              // union-find over terminals
  std::vector<Place> places_;                     // of the connect-equation that joined a terminal first
  std::map<std::size_t, std::vector<Terminal>> sets_;   // by root, once grouped
  bool grouped_ = false;
  std::unordered_map<VariableId, std::optional<Expr>> in_streams_;   // known ones; empty while asked for
  ConnectionGraph graph_;
  bool only_matched_ = false;                     // what is compared is not joined: the graph has it as one
  std::unordered_map<const Component*, std::vector<std::int64_t>> counts_;   // occurrences in connect-equations, by element
};

}  // namespace mosim::compiler
