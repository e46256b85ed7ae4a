// The object tree of a model, with the settings given from outside.

#include "compiler/instantiate/instantiate.hpp"

#include <fmt/format.h>

#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/component.hpp"
#include "compiler/instantiate/expand.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/instantiate/modifier.hpp"
#include "compiler/instantiate/restrictions.hpp"
#include "compiler/instantiate/settings.hpp"
#include "compiler/instantiate/value.hpp"

namespace mosim::compiler {

namespace {

constexpr int most_levels_after_an_error = 50;

void instantiate_object(Instances& in, Class* object, int depth);

void instantiate_member(Instances& in, Member* m, int depth) {
  Component* c = instantiate_component(in, m);
  if (!c || c->removed) return;
  if (c->basic)
    in.model_components.push_back(c);
  else
    for (Class* element : c->elements) instantiate_object(in, element, depth + 1);
}

void instantiate_object(Instances& in, Class* object, int depth) {
  if (in.exhausted || !expand(in, object)) return;
  if (depth > most_levels_after_an_error && parser::has_errors(in.diagnostics)) return;
  // By index: an outer element without an inner one adds to the members of the root (MLS 5.4).
  for (std::size_t i = 0; i < object->members.size(); ++i) {
    Member* m = object->members[i];
    if (m->is_class() || m->broken) continue;
    if (m->outer && !m->inner) {
      instantiate_component(in, m);
      continue;
    }
    instantiate_member(in, m, depth);
  }
  check_object(in, object);
}

}  // namespace

void instantiate_member(Instances& in, Member* m) { instantiate_member(in, m, 0); }

bool instantiate_model(Instances& in, const std::string& model, const std::vector<Setting>& settings) {
  Member* m = find_model(in, model);
  if (!m) return false;
  using parser::ClassKind;
  const Class* plain = instantiate_class(in, m, nullptr, m->place);
  if (!plain) return false;
  const ClassKind kind = plain->kind();
  if (plain->basic || (kind != ClassKind::model && kind != ClassKind::block && kind != ClassKind::class_)) {
    in.error(m->place, fmt::format("{} is {} and cannot be simulated", model, with_article(kind_name(m->definition->kind))),
             models_instead(in, m));
    return false;
  }
  if (m->definition->partial || plain->definition->partial) {
    in.error(m->place, fmt::format("{} is partial and cannot be simulated", model),
             "simulate a model that extends it");
    return false;
  }
  // The names in settings are those of the model, which they make: put in once there is one.
  Class settings_scope;
  const std::size_t before = in.modifiers->made.size(), redeclarations_before = in.modifiers->redeclarations.size();
  const Modifier* modifier = read_settings(in, m, settings, &settings_scope);
  if (parser::has_errors(in.diagnostics)) return false;
  std::vector<std::int64_t> dims;
  in.root = instantiate_class(in, m, modifier, m->place, &dims);   // dims: a fresh instance, not the plain one
  if (!in.root) return false;
  for (std::size_t k = before; k < in.modifiers->made.size(); ++k) {
    Modifier& made = in.modifiers->made[k];
    if (made.binding && made.binding->scope == &settings_scope) made.binding->scope = in.root;
  }
  for (std::size_t k = redeclarations_before; k < in.modifiers->redeclarations.size(); ++k)
    if (Redeclaration& r = in.modifiers->redeclarations[k].first; r.scope == &settings_scope) r.scope = in.root;
  in.model.name = model;
  in.model.place = m->place;
  in.model.description = m->definition->description.text;
  in.root->in_model = true;
  instantiate_object(in, in.root, 0);
  if (!parser::has_errors(in.diagnostics)) check_overrides(in);
  check_modified_elements(in, in.root, modifier, false);
  check_redeclarations(in);
  return !parser::has_errors(in.diagnostics);
}

std::string print_instances(Instances& in) {
  std::string out;
  const auto line = [&](const Component& c, int depth) {
    out += std::string(static_cast<std::size_t>(depth) * 2, ' ');
    out += fmt::format("{} {}{}", c.basic ? type_name(in, *c.basic) : c.type ? c.type->path : "?", in.text(c.member->name),
                       shape_text(c.dims));
    if (c.removed) out += " (removed by its condition)";
    out += "\n";
  };
  const auto walk = [&](const auto& self, Class* object, int depth) -> void {
    for (Member* m : object->members) {
      if (m->is_class() || !m->component) continue;
      line(*m->component, depth);
      if (m->outer && !m->inner) continue;   // its elements are the inner one's, and may hold this one
      for (Class* element : m->component->elements) self(self, element, depth + 1);
    }
  };
  if (in.root) {
    out += fmt::format("{} {}\n", kind_name(in.root->kind()), in.model.name);
    walk(walk, in.root, 1);
  }
  return out;
}

}  // namespace mosim::compiler
