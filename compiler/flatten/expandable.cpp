#include "compiler/flatten/expandable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "compiler/elaborate/references.hpp"
#include "compiler/flatten/connect.hpp"
#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/component.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/instantiate/instantiate.hpp"
#include "compiler/instantiate/lookup.hpp"
#include "compiler/instantiate/modifier.hpp"

namespace mosim::compiler {

namespace {

using parser::ClassKind;
using Dims = std::vector<std::int64_t>;

constexpr std::size_t maximum_nesting = 20;   // of expandable connectors in each other

bool is_expandable(const Class* c) { return c && !c->basic && c->kind() == ClassKind::expandable_connector; }
bool is_expandable(const Component* c) { return c && is_expandable(c->type); }
bool is_parameter(const Member* m) {
  return m->prefix.variability == parser::Variability::parameter || m->prefix.variability == parser::Variability::constant;
}

/// One part of a reference: a name, and for each subscript the indices it takes; nothing for `:`.
struct Step {
  Name name;
  Place place;
  struct Subscript {
    std::vector<std::int64_t> indices;
    bool all = false, keeps = false;   // a slice keeps its dimension
  };
  std::vector<Subscript> subscripts;
};

/// One argument of a connect-equation, as far as it is known: the elements that its parts lead to, and the parts behind.
struct Side {
  const parser::ComponentReference* name = nullptr;
  std::vector<Resolved::Element> elements;
  Dims dims;
  std::vector<Step> rest;
  std::size_t passed = 0;              // parts
  bool complete() const { return rest.empty(); }
};

struct Link {
  Side sides[2];
  Place place;
  bool done = false;
};

/// An element that a connection asks for: like an element of another component, and at least of this size.
struct Demand {
  Component* like;
  std::size_t element;
  bool whole;                          // of all of its elements
  Dims dims;
  Place place;
};

class Augmentation {
public:
  explicit Augmentation(Instances& in) : in_(in) {}
  void run();

private:
  void gather(const parser::Equation& e, const parser::ConnectEquation& c, const Environment& env);
  std::optional<Side> side(const parser::ComponentReference& name, const Environment& env, bool& removed);
  std::optional<Step> step(const parser::ReferencePart& part, const Environment& env);
  bool advance(Side& s);
  bool work(Link& l);
  bool ask(const Side& from, const Side& like, bool& later);
  std::optional<Dims> wanted(const Side& from, const Side& like, const Step& s);
  bool make_present(Class* object, Member* m, std::optional<Dims> dims, Member::Presence how);
  void add(Class* object, Name name, const Demand& d);
  bool unite(Class* a, Class* b);
  bool propagate();
  bool create_arrays();
  void complain();

  std::size_t number(Class* object);
  std::size_t find(std::size_t i) {
    while (parents_[i] != i) i = parents_[i] = parents_[parents_[i]];
    return i;
  }

  Instances& in_;
  std::vector<Link> links_;
  std::unordered_map<const Class*, std::size_t> numbers_;
  std::vector<Class*> objects_;
  std::vector<std::size_t> parents_;   // union-find: which objects are connected
  std::map<std::pair<std::size_t, Name>, Demand> demands_;   // of arrays: by object
};

std::size_t Augmentation::number(Class* object) {
  const auto [it, fresh] = numbers_.try_emplace(object, objects_.size());
  if (fresh) {
    objects_.push_back(object);
    parents_.push_back(parents_.size());
  }
  return it->second;
}

// ---- what is connected ----------------------------------------------------------------------------------------------

std::optional<Step> Augmentation::step(const parser::ReferencePart& part, const Environment& env) {
  Step s{part.name, part.place, {}};
  for (const parser::Subscript& subscript : part.subscripts) {
    Step::Subscript& indices = s.subscripts.emplace_back();
    if (!subscript.expression) {
      indices.all = indices.keeps = true;
      continue;
    }
    const auto v = elaborate(in_, *subscript.expression, env);
    if (!v) return {};
    if (v->dims.size() > 1 || v->record || v->type.base != BaseType::integer) {
      in_.error(subscript.place, "a subscript of an expandable connector's element must be an Integer or a vector of Integers");
      return {};
    }
    indices.keeps = !v->dims.empty();
    for (Expr e : v->elements) {
      const Expr known = in_.evaluated(e);
      if (known == Expr::none || in_.model.expressions.op(known) != Op::integer) {
        in_.error(subscript.place, "the subscripts of a connector must be known before the run", "use only constants and parameters in them");
        return {};
      }
      indices.indices.push_back(in_.model.expressions.integer_value(known));
      if (indices.indices.back() < 1) {
        in_.error(subscript.place, fmt::format("the subscript {} is less than 1", indices.indices.back()));
        return {};
      }
    }
  }
  return s;
}

/// Goes as far as components are declared; from an expandable connector on, step by step.
std::optional<Side> Augmentation::side(const parser::ComponentReference& name, const Environment& env, bool& removed) {
  removed = false;
  Side s;
  s.name = &name;
  for (std::size_t n = 1; n <= name.parts.size(); ++n) {
    parser::ComponentReference prefix = name;
    prefix.parts = name.parts.first(n);
    const auto r = resolve(in_, prefix, env);
    if (!r) return {};
    if (r->removed) {
      removed = true;
      return {};
    }
    if (!is_expandable(r->last) && n < name.parts.size()) continue;
    s.elements = r->elements;
    s.dims = r->dims;
    s.passed = n;
    for (std::size_t p = n; p < name.parts.size(); ++p) {
      auto next = step(name.parts[p], env);
      if (!next) return {};
      s.rest.push_back(std::move(*next));
    }
    break;
  }
  return s;
}

void Augmentation::gather(const parser::Equation& e, const parser::ConnectEquation& c, const Environment& env) {
  bool removed[2];
  auto a = side(c.left, env, removed[0]), b = side(c.right, env, removed[1]);
  if (!a || !b) return;
  const auto concerned = [](const Side& s) { return !s.rest.empty() || (!s.elements.empty() && is_expandable(s.elements.front().component)); };
  if (!concerned(*a) && !concerned(*b)) return;
  links_.push_back({{std::move(*a), std::move(*b)}, e.place});
}

// ---- going on ---------------------------------------------------------------------------------------------------------

/// Follows the parts of s that exist; declared elements on the way become present. True if it got any further.
bool Augmentation::advance(Side& s) {
  bool moved = false;
  while (!s.rest.empty()) {
    const Step& next = s.rest.front();
    std::vector<Component*> here;
    for (const Resolved::Element& e : s.elements) {
      if (e.index >= e.component->elements.size()) return moved;
      Class* object = e.component->elements[e.index];
      Member* m = find_member(in_, object, next.name);
      if (!m || m->is_class()) return moved;
      Component* c = instantiate_component(in_, m);
      if (c && c->absent && !make_present(object, m, {}, Member::Presence::connected)) return moved;
      c = m->component;
      if (!c || c->removed) return moved;
      here.push_back(c);
    }
    if (here.empty()) return moved;
    const Component* front = here.front();
    if (next.subscripts.size() > front->dims.size()) return moved;
    std::vector<std::size_t> taken{0};
    Dims left;
    for (std::size_t d = 0; d < front->dims.size(); ++d) {
      std::vector<std::int64_t> indices;
      bool keeps = true;
      if (d < next.subscripts.size() && !next.subscripts[d].all) {
        indices = next.subscripts[d].indices;
        keeps = next.subscripts[d].keeps;
      } else {
        for (std::int64_t i = 1; i <= front->dims[d]; ++i) indices.push_back(i);
      }
      std::vector<std::size_t> more;
      for (std::size_t p : taken)
        for (std::int64_t i : indices) {
          if (i > front->dims[d]) {
            in_.error(next.place, fmt::format("the subscript {} of {} lies outside 1:{}", i, front->name, front->dims[d]));
            return moved;
          }
          more.push_back(p * static_cast<std::size_t>(front->dims[d]) + static_cast<std::size_t>(i - 1));
        }
      taken = std::move(more);
      if (keeps) left.push_back(static_cast<std::int64_t>(indices.size()));
    }
    s.elements.clear();
    for (Component* c : here)
      for (std::size_t k : taken) s.elements.push_back({c, k});
    s.dims.insert(s.dims.end(), left.begin(), left.end());
    s.rest.erase(s.rest.begin());
    ++s.passed;
    moved = true;
  }
  return moved;
}

/// A declared element that a connection uses. False if its size is not known yet, or after an error.
bool Augmentation::make_present(Class* object, Member* m, std::optional<Dims> dims, Member::Presence how) {
  if (!dims) {
    const auto open = [](const auto& subscripts) { return std::any_of(subscripts.begin(), subscripts.end(), [](const auto& s) { return !s.expression; }); };
    if (open(m->sized_declaration->subscripts) || open(m->sized_clause->subscripts)) return false;
  }
  if (m->modifier && m->modifier->binding)
    in_.error(m->modifier->binding->place, fmt::format("{} is an element of the expandable connector {}, and has its value from its connections alone", in_.text(m->name), object->path),
              "remove the value", {{m->place, "declared here"}});
  m->presence = how;
  m->given_dims = std::move(dims);
  m->component = nullptr;
  instantiate_member(in_, m);
  return m->component && (m->component->basic || m->component->type);
}

/// A new element of an object.
void Augmentation::add(Class* object, Name name, const Demand& d) {
  std::size_t depth = 0;
  for (const Class* o = object; is_expandable(o); o = o->parent_object) ++depth;
  if (depth > maximum_nesting) {
    in_.error(d.place, fmt::format("the expandable connector {} is connected to an element of itself, so that it would contain itself without end", object->path),
              "connect another expandable connector to the element");
    return;
  }
  Member& made = in_.members.emplace_back(*d.like->member);
  made.name = name;
  made.place = d.place;
  made.owner = object;
  made.presence = Member::Presence::added;
  made.given_dims = d.dims;
  made.component = nullptr;
  made.type = nullptr;
  made.type_dims.clear();
  made.condition = nullptr;
  made.is_protected = made.inner = made.outer = made.inner_part = made.automatic_inner = made.busy = false;
  if (d.like->basic) {
    made.modifier = nullptr;           // a signal has its type, and not the other's start value
  } else if (!d.whole) {
    const Modifier* one = d.like->dims.empty() ? d.like->member->modifier : element_modifier(in_, d.like->member->modifier, element_steps(d.like->dims, d.element));
    made.modifier = d.dims.empty() ? one : class_modifier(in_, one);
  }
  object->members.push_back(&made);
  object->table[name] = &made;
  instantiate_member(in_, &made);
}

/// The size of a new element from the subscripts it is asked for with, and from the size of the other side.
std::optional<Dims> Augmentation::wanted(const Side& from, const Side& like, const Step& s) {
  if (like.dims.size() < from.dims.size()) return {};
  Dims rest(like.dims.begin() + static_cast<std::ptrdiff_t>(from.dims.size()), like.dims.end());
  if (s.subscripts.empty()) return rest;
  Dims dims;
  std::size_t at = 0;
  for (const Step::Subscript& subscript : s.subscripts) {
    if (subscript.all && at >= rest.size()) return {};
    dims.push_back(subscript.all ? rest[at] : subscript.indices.empty() ? 0 : *std::max_element(subscript.indices.begin(), subscript.indices.end()));
    if (subscript.keeps) ++at;
  }
  dims.insert(dims.end(), rest.begin() + static_cast<std::ptrdiff_t>(std::min(at, rest.size())), rest.end());
  return dims;
}

/// `from` ends in an element that does not exist, or whose size is open; `like` is what it is connected to. `later`: it
/// is an array whose size depends on other connections too.
bool Augmentation::ask(const Side& from, const Side& like, bool& later) {
  later = false;
  const Step& s = from.rest.front();
  if (from.rest.size() != 1 || like.elements.empty()) return false;
  const auto dims = wanted(from, like, s);
  if (!dims) return false;
  const Resolved::Element front = like.elements.front();
  const Demand d{front.component, front.index, s.subscripts.empty() && *dims == front.component->dims, *dims, s.place};
  for (const Resolved::Element& e : from.elements)
    if (e.index >= e.component->elements.size() || !is_expandable(e.component->elements[e.index])) return false;
  for (const Resolved::Element& e : from.elements) {
    Class* object = e.component->elements[e.index];
    Member* m = find_member(in_, object, s.name);
    if (m && m->component && !m->component->absent) continue;
    if (!dims->empty()) {
      later = true;
      const auto [it, fresh] = demands_.try_emplace({number(object), s.name}, d);
      if (fresh) continue;
      Demand& known = it->second;
      if (known.dims.size() != d.dims.size()) {
        in_.error(s.place, fmt::format("{} is asked for with {} and with {} dimensions", in_.text(s.name), known.dims.size(), d.dims.size()), {},
                  {{known.place, "the other use"}});
        continue;
      }
      for (std::size_t k = 0; k < d.dims.size(); ++k) known.dims[k] = std::max(known.dims[k], d.dims[k]);
      known.whole = known.whole && d.whole;
    } else if (m) {
      make_present(object, m, d.dims, Member::Presence::connected);
    } else {
      add(object, s.name, d);
    }
  }
  return true;
}

bool Augmentation::unite(Class* a, Class* b) {
  const std::size_t x = find(number(a)), y = find(number(b));
  if (x == y) return false;
  parents_[std::max(x, y)] = std::min(x, y);
  return true;
}

/// True if anything changed.
bool Augmentation::work(Link& l) {
  bool changed = advance(l.sides[0]);
  changed |= advance(l.sides[1]);
  for (int k : {0, 1}) {
    Side &from = l.sides[k], &like = l.sides[1 - k];
    if (from.complete() || !like.complete()) continue;
    bool later = false;
    if (ask(from, like, later) && !later && advance(from)) changed = true;
  }
  if (!l.sides[0].complete() || !l.sides[1].complete()) return changed;
  l.done = true;
  const auto &a = l.sides[0].elements, &b = l.sides[1].elements;
  for (std::size_t k = 0; k < a.size() && k < b.size(); ++k)
    if (is_expandable(a[k].component) && is_expandable(b[k].component)) unite(a[k].component->elements[a[k].index], b[k].component->elements[b[k].index]);
  return true;
}

/// Connected expandable connectors have the same elements.
bool Augmentation::propagate() {
  bool changed = false;
  std::map<std::size_t, std::vector<std::size_t>> sets;
  for (std::size_t i = 0; i < objects_.size(); ++i) sets[find(i)].push_back(i);
  for (const auto& [root, set] : sets) {
    if (set.size() < 2) continue;
    std::vector<std::pair<Name, Component*>> present;
    for (std::size_t i : set)
      for (Member* m : objects_[i]->members) {
        if (m->is_class() || m->broken || is_parameter(m) || !m->component || m->component->removed) continue;
        if (std::none_of(present.begin(), present.end(), [&](const auto& p) { return p.first == m->name; })) present.push_back({m->name, m->component});
      }
    for (const auto& [name, c] : present)
      for (std::size_t i : set) {
        Class* object = objects_[i];
        Member* m = find_member(in_, object, name);
        if (!m) {
          add(object, name, {c, 0, true, c->dims, c->member->place});
          changed = true;
        } else if (m->component && m->component->absent) {
          changed |= make_present(object, m, c->dims, Member::Presence::connected);
        }
        m = find_member(in_, object, name);
        Component* other = m && !m->is_class() ? m->component : nullptr;
        if (!is_expandable(c) || !is_expandable(other)) continue;
        for (std::size_t k = 0; k < c->elements.size() && k < other->elements.size(); ++k) changed |= unite(c->elements[k], other->elements[k]);
      }
  }
  return changed;
}

/// Arrays of the sizes that all connections together ask for.
bool Augmentation::create_arrays() {
  std::map<std::pair<std::size_t, Name>, Dims> sizes;   // by set
  for (const auto& [key, d] : demands_) {
    Dims& dims = sizes[{find(key.first), key.second}];
    dims.resize(std::max(dims.size(), d.dims.size()), 0);
    for (std::size_t k = 0; k < d.dims.size(); ++k) dims[k] = std::max(dims[k], d.dims[k]);
  }
  bool changed = false;
  for (auto& [key, d] : demands_) {
    Class* object = objects_[key.first];
    const Dims& dims = sizes.at({find(key.first), key.second});
    d.whole = d.whole && d.dims == dims;
    d.dims = dims;
    Member* m = find_member(in_, object, key.second);
    if (!m)
      add(object, key.second, d);
    else if (m->component && m->component->absent)
      make_present(object, m, d.dims, Member::Presence::connected);
    changed = true;
  }
  demands_.clear();
  return changed;
}

void Augmentation::complain() {
  for (const Link& l : links_) {
    if (l.done) continue;
    const auto text = [&](const Side& s) { return std::string(in_.workspace.sources.text(s.name->place)); };
    const Side& bad = l.sides[0].complete() ? l.sides[1] : l.sides[0];
    if (!l.sides[0].complete() && !l.sides[1].complete()) {
      in_.error(l.place, fmt::format("neither {} nor {} is declared, so nothing says what they are", text(l.sides[0]), text(l.sides[1])),
                "declare one of them in its expandable connector, or connect it to a component");
      continue;
    }
    const Step& s = bad.rest.front();
    const Class* object = bad.elements.empty() || bad.elements.front().index >= bad.elements.front().component->elements.size()
                              ? nullptr
                              : bad.elements.front().component->elements[bad.elements.front().index];
    if (object && is_expandable(object) && bad.rest.size() > 1)
      in_.error(s.place, fmt::format("{} is not declared in {}, so there is nothing to connect in it", in_.text(s.name), spelled(in_, *bad.name, bad.passed - 1)),
                fmt::format("declare it in {}, or connect it as a whole to a component", object->path));
    else
      in_.error(s.place, fmt::format("{} has no element {} of this size", spelled(in_, *bad.name, bad.passed - 1), in_.text(s.name)));
  }
}

void Augmentation::run() {
  visit_connections(in_, [&](const parser::Equation& e, const Environment& env) {
    if (const auto* c = std::get_if<parser::ConnectEquation>(&e.node)) gather(e, *c, env);
  });
  // Each round makes at least one element or finishes a connection.
  for (bool changed = true; changed;) {
    changed = false;
    for (Link& l : links_)
      if (!l.done) changed |= work(l);
    if (parser::has_errors(in_.diagnostics)) return;
    changed |= propagate();
    if (parser::has_errors(in_.diagnostics)) return;
    if (!changed) changed = create_arrays();
  }
  complain();
}

}  // namespace

void augment_expandable_connectors(Instances& in) {
  if (in.has_expandable) Augmentation(in).run();
}

}  // namespace mosim::compiler
