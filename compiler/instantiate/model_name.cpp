// The model that is asked for by its name, and what else could have been meant.

#include "compiler/instantiate/instantiate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/instantiate/lookup.hpp"

namespace mosim::compiler {

namespace {

constexpr std::size_t shown = 8;            // names in a message
constexpr std::size_t most_files = 40;      // read in search of models
constexpr std::size_t most_models = 10000;  // looked at for a name that is near

/// Where the identifier that begins at `at` ends: at a dot outside quotes, or at the end.
std::size_t end_of_identifier(const std::string& path, std::size_t at) {
  const bool quoted = at < path.size() && path[at] == '\'';
  bool inside = quoted;
  for (std::size_t i = at + (quoted ? 1 : 0); i < path.size(); ++i) {
    if (inside && path[i] == '\\') {
      ++i;
    } else if (inside && path[i] == '\'') {
      inside = false;
    } else if (!inside && path[i] == '.') {
      return i;
    }
  }
  return path.size();
}

/// As names are stored: in a quoted identifier the escapes of ? and of the double quote are redundant (MLS 2.3.1).
std::string without_redundant_escapes(std::string part) {
  if (!part.starts_with('\'')) return part;
  for (std::size_t i = 0; i + 1 < part.size(); ++i)
    if (part[i] == '\\' && (part[i + 1] == '?' || part[i + 1] == '"'))
      part.erase(i, 1);
    else if (part[i] == '\\')
      ++i;
  return part;
}

/// Finds models in syntax: nothing is instantiated for a message.
class Models {
public:
  Models(Instances& in, std::size_t most, bool from_files) : in_(in), most_(most), files_(from_files ? most_files : 0) {}

  void in(StoredClass* stored, const std::string& path) {
    classes_of(*stored->definition, path);
    if (files_ == 0) {
      for (StoredClass* c : in_.library.known(stored)) of(c, path + ".");
      return;
    }
    std::vector<std::string> names = in_.library.names(stored);
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    for (const std::string& name : names) {
      if (files_ == 0 || full()) return;
      --files_;
      StoredClass* c = in_.library.find(stored, in_.name(name));
      if (c && c->definition) of(c, path + ".");
    }
  }
  void of(StoredClass* stored, const std::string& prefix) {
    const std::string path = prefix + std::string(in_.text(stored->name));
    add(*stored->definition, path);
    if (!full()) in(stored, path);
  }
  void classes_of(const parser::ClassDefinition& d, const std::string& path) {
    const auto* l = std::get_if<parser::LongClassSpecifier>(&d.specifier);
    if (!l) return;
    for (const parser::Element& e : l->composition.elements) {
      const auto* c = std::get_if<const parser::ClassDefinition*>(&e.node);
      if (!c || e.is_protected || full()) continue;
      const std::string inner = path + "." + std::string(in_.text((*c)->name));
      add(**c, inner);
      if ((*c)->kind == parser::ClassKind::package) classes_of(**c, inner);
    }
  }
  bool full() const { return found.size() >= most_; }

  std::vector<std::string> found;

private:
  void add(const parser::ClassDefinition& d, const std::string& path) {
    using parser::ClassKind;
    const bool model = d.kind == ClassKind::model || d.kind == ClassKind::block || d.kind == ClassKind::class_;
    if (model && !d.partial && !full()) found.push_back(path);
  }

  Instances& in_;
  std::size_t most_, files_;
};

std::vector<std::string> models_read(Instances& in, std::size_t most) {
  Models models(in, most, false);
  for (StoredClass* c : in.library.known(nullptr)) models.of(c, "");
  return std::move(models.found);
}

std::string list(const std::vector<std::string>& names) {
  const bool more = names.size() > shown;
  return fmt::format("{}{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(more ? shown : names.size()), ", "), more ? ", ..." : "");
}

std::string last_part(const std::string& path) {
  std::size_t at = 0;
  for (std::size_t end = end_of_identifier(path, 0); end < path.size(); end = end_of_identifier(path, at)) at = end + 1;
  return path.substr(at);
}

/// "did you mean ...?": a class beside the part that leads nowhere, or a model of that name elsewhere.
std::string meant_instead(Instances& in, Class* scope, const std::string& path, const std::string& part, const std::string& rest) {
  const std::vector<std::string> models = models_read(in, most_models);
  const std::string wanted = last_part(path);
  std::vector<std::string> same;
  for (const std::string& m : models)
    if (last_part(m) == wanted && m != path) same.push_back(m);
  if (!same.empty()) return fmt::format("did you mean {}{}?", same.front(), same.size() > 1 ? " or " + same[1] : "");
  std::vector<std::string> beside = in.library.names(scope == &in.top ? nullptr : scope->stored);
  for (const Member* member : scope->members)
    if (member->is_class()) beside.emplace_back(in.text(member->name));
  std::string near = parser::nearest(part, {beside.begin(), beside.end()});
  if (!near.empty()) {
    if (scope != &in.top) near = scope->path + "." + near;
    const bool whole = std::find(models.begin(), models.end(), near + rest) != models.end();
    return fmt::format("did you mean {}?", whole ? near + rest : near);
  }
  std::vector<std::string> names;
  for (const std::string& m : models) names.push_back(last_part(m));
  near = parser::nearest(wanted, {names.begin(), names.end()});
  if (!near.empty()) return fmt::format("did you mean {}?", models[static_cast<std::size_t>(std::find(names.begin(), names.end(), near) - names.begin())]);
  if (scope == &in.top) return models.empty() ? "" : "the models read are " + list(models);
  std::vector<std::string> inside;
  for (const std::string& m : models)
    if (m.compare(0, scope->path.size() + 1, scope->path + ".") == 0) inside.push_back(m);
  return inside.empty() ? missing_remedy(in, scope, part, {}) : "its models are " + list(inside);
}

}  // namespace

Member* find_model(Instances& in, const std::string& path) {
  Class* scope = &in.top;
  Member* m = nullptr;
  std::size_t at = 0;
  while (at <= path.size()) {
    const std::size_t dot = end_of_identifier(path, at);
    const std::string part = without_redundant_escapes(path.substr(at, dot - at));
    at = dot + 1;
    m = part.empty() ? nullptr : find_member(in, scope, in.name(part));
    if (!m || !m->is_class()) {
      in.error({}, fmt::format("there is no model {}{}", path,
                               scope == &in.top ? "" : fmt::format(": {} has no class {}", scope->path, part)),
               meant_instead(in, scope, path, part, path.substr(dot)));
      return nullptr;
    }
    if (at <= path.size()) {
      scope = instantiate_class(in, m, nullptr, m->place);
      if (!scope) return nullptr;
    }
  }
  return m;
}

std::string models_instead(Instances& in, const Member* m) {
  std::vector<std::string> models;
  const std::size_t said = in.diagnostics.size();
  if (m->definition->kind == parser::ClassKind::package) {
    Models found(in, shown + 1, true);
    const std::string path = (m->owner->path.empty() ? "" : m->owner->path + ".") + std::string(in.text(m->name));
    if (m->stored)
      found.in(m->stored, path);
    else
      found.classes_of(*m->definition, path);
    models = std::move(found.found);
    in.diagnostics.resize(said);   // of files that were read for this list alone
    if (!models.empty())
      return fmt::format("name one of its models with --model, for example --model {}{}", models.front(),
                         models.size() > 1 ? "; it has " + list(models) : "");
  }
  models = models_read(in, shown + 1);
  if (models.empty()) return "name a model or a block";
  return fmt::format("name a model or a block with --model, for example --model {}{}", models.front(), models.size() > 1 ? "; there are " + list(models) : "");
}

}  // namespace mosim::compiler
