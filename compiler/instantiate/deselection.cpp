#include "compiler/instantiate/deselection.hpp"

#include <fmt/format.h>

#include <functional>

#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/instantiate/lookup.hpp"
#include "parser/tokens.hpp"

namespace mosim::compiler {

namespace {

/// One derivation by the grammar: the same tokens, whatever stands between them.
bool same(const Instances& in, const parser::ComponentReference& a, const parser::ComponentReference& b) {
  const std::string_view left = in.workspace.sources.text(a.place), right = in.workspace.sources.text(b.place);
  const char *i = left.data(), *j = right.data(), *const i_end = i + left.size(), *const j_end = j + right.size();
  for (;;) {
    const parser::Token x = parser::token_at(i, i_end), y = parser::token_at(j, j_end);
    if (x.is_end_of_file() || y.is_end_of_file()) return x.is_end_of_file() && y.is_end_of_file();
    if (x.text != y.text) return false;
    i = x.end();
    j = y.end();
  }
}

bool begins_with(const parser::ComponentReference& r, Name name) { return !r.global && r.parts.front().name == name; }

bool matches(const Instances& in, const parser::InheritanceBreak& b, const parser::ConnectEquation& c) {
  if (const Name* name = std::get_if<Name>(&b.target)) return begins_with(c.left, *name) || begins_with(c.right, *name);
  const auto& out = std::get<parser::ConnectEquation>(std::get<const parser::Equation*>(b.target)->node);
  return (same(in, c.left, out.left) && same(in, c.right, out.right)) || (same(in, c.left, out.right) && same(in, c.right, out.left));
}

using Wanted = std::function<bool(const parser::ConnectEquation&)>;

bool any_connection(parser::List<parser::Equation> equations, const Wanted& wanted) {
  for (const parser::Equation& e : equations) {
    if (const auto* c = std::get_if<parser::ConnectEquation>(&e.node)) {
      if (wanted(*c)) return true;
    } else if (const auto* f = std::get_if<parser::ForEquation>(&e.node)) {
      if (any_connection(f->body, wanted)) return true;
    } else if (const auto* i = std::get_if<parser::IfEquation>(&e.node)) {
      for (const auto& branch : i->branches)
        if (any_connection(branch.body, wanted)) return true;
    }
  }
  return false;
}

/// Is there one in a class, or in what it inherits, that was not taken out?
bool any_connection(const Instances& in, const Class* c, const Wanted& wanted) {
  if (const auto* s = c->definition ? std::get_if<parser::LongClassSpecifier>(&c->definition->specifier) : nullptr)
    for (const auto& section : s->composition.sections)
      if (const auto* equations = std::get_if<parser::EquationSection>(&section))
        if (any_connection(equations->equations, [&](const parser::ConnectEquation& e) { return wanted(e) && !is_taken_out(in, c, e); })) return true;
  for (const Class::Base& b : c->bases)
    if (any_connection(in, b.base, wanted)) return true;
  return false;
}

/// Models, blocks and connectors can be taken out.
bool can_be_taken_out(Instances& in, const Member* m) {
  if (m->is_class()) return false;
  const Quietly quietly(in);
  const Member* type = lookup_class(in, m->scope, m->clause->type, "type");
  if (!type) return true;   // that it has none is told elsewhere, or does not matter
  using parser::ClassKind;
  switch (type->definition ? type->definition->kind : ClassKind::type) {
    case ClassKind::class_: case ClassKind::model: case ClassKind::block: case ClassKind::connector: case ClassKind::expandable_connector: return true;
    default: return false;
  }
}

}  // namespace

void take_out(Instances& in, Class* base, const parser::Modification* modification) {
  if (!modification) return;
  const auto each = [&](bool components, const auto& visit) {
    for (const parser::Argument& argument : modification->arguments)
      if (const auto* b = std::get_if<parser::InheritanceBreak>(&argument.node); b && std::holds_alternative<Name>(b->target) == components)
        visit(argument.place, *b);
  };
  each(true, [&](Place place, const parser::InheritanceBreak& b) {
    const Name name = std::get<Name>(b.target);
    Member* m = find_member(in, base, name);
    if (!m || m->broken) {
      in.error(place, fmt::format("{} has no element {}", base->path, in.text(name)));
    } else if (!can_be_taken_out(in, m)) {
      in.error(place, fmt::format("{} is {}, and `break` takes out models, blocks and connectors alone", in.text(name),
                                  m->is_class() ? "a class" : with_article(in.workspace.sources.text(m->clause->type.place))),
               {}, {{m->place, "declared here"}});
    } else {
      m->broken = true;
      base->taken_out.push_back(&b);
    }
  });
  // Components are taken out first.
  each(false, [&](Place place, const parser::InheritanceBreak& b) {
    if (any_connection(in, base, [&](const parser::ConnectEquation& c) { return matches(in, b, c); }))
      base->taken_out.push_back(&b);
    else
      in.error(place, fmt::format("{} has no such connection", base->path), "write both names as they stand there");
  });
}

bool is_taken_out(const Instances& in, const Class* scope, const parser::ConnectEquation& connection) {
  for (const Class* c = scope; c; c = c->derived)
    for (const parser::InheritanceBreak* b : c->taken_out)
      if (matches(in, *b, connection)) return true;
  return false;
}

}  // namespace mosim::compiler
