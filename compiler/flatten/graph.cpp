#include "compiler/flatten/graph.hpp"

#include <fmt/format.h>

#include <deque>
#include <numeric>

#include "compiler/instantiate/component.hpp"
#include "compiler/instantiate/instances.hpp"

namespace mosim::compiler {

namespace {

std::size_t find(std::vector<std::size_t>& parents, std::size_t i) {
  while (parents[i] != i) i = parents[i] = parents[parents[i]];
  return i;
}

/// False if they are one set already.
bool unite(std::vector<std::size_t>& parents, std::size_t a, std::size_t b) {
  a = find(parents, a);
  b = find(parents, b);
  if (a == b) return false;
  parents[std::max(a, b)] = std::min(a, b);
  return true;
}

std::vector<std::size_t> separate(std::size_t n) {
  std::vector<std::size_t> parents(n);
  std::iota(parents.begin(), parents.end(), std::size_t{0});
  return parents;
}

}  // namespace

// ---- the graph ------------------------------------------------------------------------------------------------------

ConnectionGraph::Node ConnectionGraph::node(Component* c) {
  const auto [it, fresh] = nodes_.try_emplace(c, vertices_.size());
  if (fresh) {
    vertices_.push_back({c, {}, {}});
    joined_.push_back(joined_.size());
    joined_.push_back(joined_.size());
  }
  return it->second;
}

void ConnectionGraph::connect(Component* a, bool inside_a, Component* b, bool inside_b, Place place) {
  const Node x = node(a), y = node(b);
  if (!unite(joined_, 2 * x + (inside_a ? 1 : 0), 2 * y + (inside_b ? 1 : 0)) || x == y) return;
  edges_.push_back({a, b, place});
}

void ConnectionGraph::branch(Component* a, Component* b, Place place) {
  const Node x = node(a), y = node(b);
  branches_.push_back({x, y, place});
}

void ConnectionGraph::root(Component* a, Place place) {
  Vertex& v = vertices_[node(a)];
  if (!v.root) v.root = place;
}

void ConnectionGraph::potential_root(Component* a, std::int64_t priority, Place place) {
  Vertex& v = vertices_[node(a)];
  if (!v.potential || priority < v.potential->priority) v.potential = Vertex::Potential{priority, place, potentials_};
  ++potentials_;
}

// ---- spanning trees (MLS 9.4.2.2) -----------------------------------------------------------------------------------

/// The required edges on the way from a to b, as notes.
std::vector<parser::Note> ConnectionGraph::required_path(Node a, Node b) const {
  std::vector<const Branch*> came(vertices_.size(), nullptr);
  std::vector<bool> seen(vertices_.size(), false);
  std::deque<Node> front{a};
  seen[a] = true;
  while (!front.empty() && !seen[b]) {
    const Node n = front.front();
    front.pop_front();
    for (const Branch& e : branches_) {
      const Node next = e.a == n ? e.b : e.b == n ? e.a : no_node;
      if (next == no_node || seen[next]) continue;
      seen[next] = true;
      came[next] = &e;
      front.push_back(next);
    }
  }
  std::vector<parser::Note> notes;
  constexpr std::size_t enough = 4;
  for (Node n = b; n != a && came[n] && notes.size() < enough; n = came[n]->a == n ? came[n]->b : came[n]->a)
    notes.push_back({came[n]->place, fmt::format("a required edge between {} and {}", vertices_[came[n]->a].component->name,
                                                 vertices_[came[n]->b].component->name)});
  return notes;
}

/// Joins `trees` along the required edges.
bool ConnectionGraph::check_required(Instances& in, std::vector<Node>& trees) {
  std::vector<Branch> all;
  std::swap(all, branches_);         // put back one by one: a path is looked for among the edges before
  bool good = true;
  for (const Branch& e : all) {
    if (!unite(trees, e.a, e.b)) {
      good = false;
      in.error(e.place, fmt::format("this required edge from {} to {} closes a cycle of required edges, so there is no spanning tree",
                                    vertices_[e.a].component->name, vertices_[e.b].component->name),
               "break the loop by a connection: its equations can be left out where they are too many", required_path(e.a, e.b));
      continue;
    }
    branches_.push_back(e);
  }
  std::vector<Node> root_of(vertices_.size(), no_node);
  for (Node n = 0; n < vertices_.size(); ++n) {
    if (!vertices_[n].root) continue;
    Node& first = root_of[find(trees, n)];
    if (first == no_node) {
      first = n;
      continue;
    }
    good = false;
    std::vector<parser::Note> notes{{*vertices_[first].root, fmt::format("{} is a root", vertices_[first].component->name)}};
    for (parser::Note& note : required_path(first, n)) notes.push_back(std::move(note));
    in.error(*vertices_[n].root, fmt::format("{} and {} are both definite roots, and required edges join them", vertices_[first].component->name,
                                             vertices_[n].component->name),
             "one of them is enough; a root that may give way is a potentialRoot", std::move(notes));
  }
  return good;
}

/// One root at least in each part of the graph that hangs together.
bool ConnectionGraph::choose_roots(Instances& in) {
  std::vector<Node> parts = separate(vertices_.size());
  for (const Branch& e : branches_) unite(parts, e.a, e.b);
  for (const Edge& e : edges_) unite(parts, nodes_.at(e.a), nodes_.at(e.b));
  std::vector<Node> best(vertices_.size(), no_node);
  std::vector<bool> definite(vertices_.size(), false);
  for (Node n = 0; n < vertices_.size(); ++n) {
    Vertex& v = vertices_[n];
    const Node part = find(parts, n);
    if (v.root) {
      v.chosen = true;
      definite[part] = true;
    } else if (v.potential) {
      const Node before = best[part];
      const auto rank = [&](Node k) { return std::make_pair(vertices_[k].potential->priority, vertices_[k].potential->order); };
      if (before == no_node || rank(n) < rank(before)) best[part] = n;
    }
  }
  bool good = true;
  for (Node n = 0; n < vertices_.size(); ++n) {
    if (find(parts, n) != n || definite[n]) continue;
    if (best[n] != no_node) {
      vertices_[best[n]].chosen = true;
      continue;
    }
    if (count(vertices_[n].component->dims) == 0) continue;   // an array without elements has no value to be set
    good = false;
    Place place = vertices_[n].component->member->place;
    for (const Branch& e : branches_)
      if (find(parts, e.a) == n) {
        place = e.place;
        break;
      }
    for (const Edge& e : edges_)
      if (find(parts, nodes_.at(e.a)) == n) {
        place = e.place;
        break;
      }
    std::size_t others = 0;
    for (Node k = 0; k < vertices_.size(); ++k) others += k != n && find(parts, k) == n;
    const std::string with = others == 0 ? "" : others == 1 ? " and the one that it is connected to" : fmt::format(" and the {} that it is connected to", others);
    in.error(place, fmt::format("nothing sets {}{}: none of them is a root, nor a potential root", vertices_[n].component->name, with),
             "connect them to a component that is a root, or say Connections.root(...) where the value is set",
             {{vertices_[n].component->member->place, "declared here"}});
  }
  return good;
}

/// How far each node is from its root.
void ConnectionGraph::measure() {
  std::vector<std::vector<Node>> neighbours(vertices_.size());
  const auto join = [&](Node a, Node b) {
    neighbours[a].push_back(b);
    neighbours[b].push_back(a);
  };
  for (const Branch& e : branches_) join(e.a, e.b);
  for (const Edge& e : edges_)
    if (!e.broken) join(nodes_.at(e.a), nodes_.at(e.b));
  std::vector<bool> seen(vertices_.size(), false);
  std::deque<Node> front;
  for (Node n = 0; n < vertices_.size(); ++n)
    if (vertices_[n].chosen) {
      seen[n] = true;
      front.push_back(n);
    }
  while (!front.empty()) {
    const Node n = front.front();
    front.pop_front();
    for (Node next : neighbours[n]) {
      if (seen[next]) continue;
      seen[next] = true;
      vertices_[next].depth = vertices_[n].depth + 1;
      front.push_back(next);
    }
  }
}

bool ConnectionGraph::solve(Instances& in) {
  if (vertices_.empty()) return true;
  std::vector<Node> trees = separate(vertices_.size());
  if (!check_required(in, trees) || !choose_roots(in)) return false;
  std::vector<bool> has_root(vertices_.size(), false);
  for (Node n = 0; n < vertices_.size(); ++n)
    if (vertices_[n].chosen) has_root[find(trees, n)] = true;
  for (Edge& e : edges_) {
    const Node a = find(trees, nodes_.at(e.a)), b = find(trees, nodes_.at(e.b));
    e.broken = a == b || (has_root[a] && has_root[b]);
    if (e.broken) continue;
    const bool rooted = has_root[a] || has_root[b];
    unite(trees, a, b);
    has_root[find(trees, a)] = rooted;
  }
  measure();
  return true;
}

bool ConnectionGraph::is_root(const Component* a) const {
  const auto it = nodes_.find(a);
  return it != nodes_.end() && vertices_[it->second].chosen;
}

std::optional<bool> ConnectionGraph::rooted(Instances& in, const Component* a, Place place) const {
  const auto it = nodes_.find(a);
  const Branch* found = nullptr;
  std::vector<parser::Note> notes;
  for (const Branch& e : branches_) {
    if (it == nodes_.end() || (e.a != it->second && e.b != it->second)) continue;
    notes.push_back({e.place, "a branch with it"});
    if (e.a == it->second) found = &e;
  }
  if (!found || notes.size() != 1) {
    in.error(place, fmt::format("rooted needs one Connections.branch whose first argument is {}, and there {}", a->name,
                                notes.empty() ? "is none" : notes.size() == 1 ? "it is the second" : fmt::format("are {} with it", notes.size())),
             {}, std::move(notes));
    return {};
  }
  return vertices_[found->a].depth < vertices_[found->b].depth;
}

}  // namespace mosim::compiler
