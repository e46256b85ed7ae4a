#include "compiler/elaborate/foreign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "compiler/elaborate/elaborate.hpp"
#include "compiler/elaborate/elaboration.hpp"
#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/expand.hpp"
#include "compiler/instantiate/lookup.hpp"
#include "foreign/process.hpp"
#include "foreign/unit.hpp"
#include "native/resource.hpp"

namespace mosim::compiler {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds patience{2};   // with code that is carried out while compiling

/// A literal String, or an array of them; false: something else.
bool texts_in(const parser::Expression& e, std::vector<std::string>& texts) {
  if (const auto* literal = std::get_if<parser::StringLiteral>(&e.node)) {
    texts.emplace_back(literal->value);
    return true;
  }
  if (const auto* sum = std::get_if<parser::Binary>(&e.node)) {
    std::vector<std::string> left, right;
    if (sum->op != parser::BinaryOperator::add || !texts_in(*sum->left, left) || !texts_in(*sum->right, right) || left.size() != 1 || right.size() != 1) return false;
    texts.push_back(left.front() + right.front());
    return true;
  }
  const auto* array = std::get_if<parser::ArrayConstructor>(&e.node);
  if (!array) return false;
  for (const parser::Expression* one : array->elements)
    if (!texts_in(*one, texts)) return false;
  return true;
}

/// The texts of one annotation (MLS 12.9.4) of the clause; libraries of old have it behind the clause.
bool annotation_texts(Instances& in, const Class* function, const parser::ExternalClause& clause, std::string_view name, std::vector<std::string>& texts) {
  for (const parser::Modification* annotation : {clause.annotation, function->definition->description.annotation}) {
    if (!annotation) continue;
    for (const parser::Argument& a : annotation->arguments) {
      const auto* e = std::get_if<parser::ElementModification>(&a.node);
      if (!e || e->name.parts.size() != 1 || in.text(e->name.parts.front()) != name || !e->modification || !e->modification->binding) continue;
      if (!texts_in(*e->modification->binding, texts)) {
        in.error(e->modification->binding->place, fmt::format("the annotation {} of an external function is a literal String, or an array of them", name));
        return false;
      }
    }
  }
  return true;
}

/// The folder of the outermost package that a file is in, or that of the file.
fs::path top_folder(Instances& in, Place place) {
  std::error_code error;
  fs::path folder = fs::absolute(fs::path(in.workspace.sources.source(place)->path), error).parent_path();
  while (folder.has_relative_path() && fs::exists(folder / "package.mo", error) && fs::exists(folder.parent_path() / "package.mo", error)) folder = folder.parent_path();
  return folder;
}

std::optional<std::vector<std::string>> folders(Instances& in, const Class* function, const parser::ExternalClause& clause, std::string_view name, const char* usual) {
  std::vector<std::string> uris, found;
  if (!annotation_texts(in, function, clause, name, uris)) return {};
  if (uris.empty()) return std::vector<std::string>{(top_folder(in, clause.place) / "Resources" / usual).string()};
  native::Environment environment;
  environment.resource = in.library.resource;
  for (auto& [package, folder] : in.library.folders()) environment.folders.emplace(package, folder);
  for (std::string uri : uris) {
    // The text of the specification has one stroke in places.
    if (uri.starts_with("modelica:/") && !uri.starts_with("modelica://")) uri = "modelica://" + uri.substr(10);
    try {
      found.push_back(native::file_of(uri, environment));
    } catch (const native::Error& problem) {
      in.error(clause.place, fmt::format("the annotation {} of {}: {}", name, function->path, problem.what()));
      return {};
    }
  }
  return found;
}

std::optional<foreign::Code> code_of(Instances& in, const Class* function, const parser::ExternalClause& clause) {
  std::vector<std::string> includes;
  foreign::Code code;
  auto include_folders = folders(in, function, clause, "IncludeDirectory", "Include"), library_folders = folders(in, function, clause, "LibraryDirectory", "Library");
  if (!include_folders || !library_folders || !annotation_texts(in, function, clause, "Include", includes) || !annotation_texts(in, function, clause, "Library", code.libraries)) return {};
  for (const std::string& text : includes) code.include += (code.include.empty() ? "" : "\n") + text;
  code.include_folders = std::move(*include_folders);
  code.library_folders = std::move(*library_folders);
  return code;
}

/// For messages: the first file of the model's own that a C text includes.
std::string_view included_file(std::string_view text) {
  for (std::size_t at = 0; (at = text.find("#include", at)) != std::string::npos; ++at) {
    const std::size_t begin = text.find_first_of("\"\n", at), end = begin == std::string::npos ? begin : text.find_first_of("\"\n", begin + 1);
    if (end == std::string::npos || text[begin] != '"') continue;
    const std::string_view file = text.substr(begin + 1, end - begin - 1);
    if (file != "ModelicaUtilities.h") return file;
  }
  return "";
}

std::string say_code(const foreign::Code& code) {
  std::string libraries;
  for (const std::string& library : code.libraries) libraries += (libraries.empty() ? "" : ", ") + library;
  if (!libraries.empty()) return fmt::format("in the {} {}", code.libraries.size() == 1 ? "library" : "libraries", libraries);
  if (code.include.empty()) return "in the C library";
  const std::string_view file = included_file(code.include);
  return file.empty() ? "in the text of its annotation Include" : fmt::format("in the C file {}", file);
}

foreign::Process& process(Instances& in) {
  if (!in.elaboration.foreign) in.elaboration.foreign = std::make_shared<foreign::Process>(patience);
  return *in.elaboration.foreign;
}

/// The classes of external objects that a function is of, or takes.
std::vector<Class*> objects_of(Instances& in, const Class* function) {
  std::vector<Class*> objects;
  const auto look = [&](Class* c) {
    if (c && expand(in, c) && c->basic && c->basic->base == BaseType::object && std::find(objects.begin(), objects.end(), c) == objects.end()) objects.push_back(c);
  };
  if (function->enclosing && function->enclosing != &in.top && find_member(in, function->enclosing, in.name("destructor"))) look(function->enclosing);
  for (Member* m : function->members) {
    if (m->is_class() || m->broken || m->prefix.causality != parser::Causality::input) continue;
    Member* const type = lookup_class(in, m->scope, m->clause->type, "type");
    if (type) look(instantiate_class(in, type, nullptr, m->place));
  }
  return objects;
}

/// The code of an external object's constructor and destructor: libraries have what belongs to it in several files that call each other.
std::vector<foreign::Code> companions_of(Instances& in, const Class* function, const foreign::Code& own) {
  const Quietly quietly(in);
  std::vector<foreign::Code> found;
  for (Class* object : objects_of(in, function))
    for (const char* const name : {"constructor", "destructor"}) {
      Member* const m = find_member(in, object, in.name(name));
      const auto* const specifier = m && m->definition ? std::get_if<parser::LongClassSpecifier>(&m->definition->specifier) : nullptr;
      Class* const c = specifier && specifier->composition.external ? instantiate_class(in, m, nullptr, m->place) : nullptr;
      auto code = c ? code_of(in, c, *specifier->composition.external) : std::nullopt;
      if (code && !code->include.empty() && code->include != own.include && std::find(found.begin(), found.end(), *code) == found.end()) found.push_back(std::move(*code));
    }
  return found;
}

/// Why its code cannot be called; empty: it can, perhaps together with the least of those texts that does.
std::string problem_of(Instances& in, const Class* function, foreign::Function& f) {
  const auto check = [&] {
    try {
      process(in).check(process(in).add(f));
      return std::string();
    } catch (const native::Error& error) {
      return std::string(error.what());
    }
  };
  const std::string problem = check();
  if (problem.empty()) return "";
  const foreign::Code own = f.code;
  const auto companions = companions_of(in, function, own);
  std::vector<std::span<const foreign::Code>> trials;
  for (const foreign::Code& one : companions) trials.push_back({&one, 1});
  if (companions.size() > 1) trials.push_back(companions);
  for (const auto trial : trials) {
    f.code = own;
    for (const foreign::Code& one : trial) link_with(f.code, one);
    if (check().empty()) return "";
  }
  f.code = own;
  return problem;
}

}  // namespace

bool brings_code(Instances& in, const Class& function, const parser::ExternalClause& clause) {
  const Quietly quietly(in);
  std::vector<std::string> texts;
  return !annotation_texts(in, &function, clause, "Include", texts) || !annotation_texts(in, &function, clause, "Library", texts) || !texts.empty();
}

std::optional<foreign::Function> foreign_function(Instances& in, const Class* function, const parser::ExternalClause& clause) {
  foreign::Function result;
  result.name = in.text(clause.has_call ? clause.function : function->definition->name);
  auto code = code_of(in, function, clause);
  if (!code) return {};
  result.code = std::move(*code);
  result.acts = function->definition->purity == parser::Purity::impure;
  const auto [known, fresh] = in.elaboration.foreign_problems.try_emplace(&clause);
  std::string& problem = known->second;
  if (!in.elaboration.native_code) {
    if (fresh) problem = foreign::missing_code(result);
    if (problem.empty()) {
      in.error(clause.place, fmt::format("{} calls {} {}, which is foreign code and runs with your rights: it is called only with --native-code", function->path, result.name, say_code(result.code)),
               "if you trust it, give the option --native-code");
      return {};
    }
  } else if (fresh) {
    problem = problem_of(in, function, result);
    in.elaboration.linked_codes[&clause] = result.code;
  } else {
    result.code = in.elaboration.linked_codes[&clause];
  }
  if (problem.empty()) return result;
  in.error(clause.place, fmt::format("the external function {} cannot be called: {}", function->path, problem));
  return {};
}

std::optional<foreign::Function> foreign_destructor(Instances& in, Class* constructor) {
  Class* const object = constructor->enclosing;
  Member* const m = object ? find_member(in, object, in.name("destructor")) : nullptr;
  const auto* const specifier = m && m->definition ? std::get_if<parser::LongClassSpecifier>(&m->definition->specifier) : nullptr;
  if (!specifier || !specifier->composition.external) return {};
  Class* const destructor = instantiate_class(in, m, nullptr, m->place);
  const parser::ExternalClause& clause = *specifier->composition.external;
  if (!destructor || native::find(in.text(clause.has_call ? clause.function : m->definition->name))) return {};
  auto result = foreign_function(in, destructor, clause);
  if (result) result->parameters = {{{foreign::Type::Kind::object}, false, false}};
  return result;
}

std::optional<foreign::Type> foreign_type(Instances& in, const Value& v, const parser::ExternalClause& clause) {
  using Kind = foreign::Type::Kind;
  const auto refuse = [&](std::string_view what) -> std::optional<foreign::Type> {
    in.error(clause.place, fmt::format("{} has no counterpart in C that an external function could be called with (MLS 12.9.1)", what));
    return {};
  };
  if (v.function) return refuse("a function");
  if (v.record) {
    foreign::Type type{Kind::record};
    const auto members = record_elements(in, v.record);
    for (std::size_t k = 0; k < v.members.size(); ++k) {
      if (v.members[k].dims.size() != v.dims.size()) return refuse(fmt::format("a record with an array in it, as {} of {},", in.text(members[k]->name), v.record->path));
      auto field = foreign_type(in, v.members[k], clause);
      if (!field) return {};
      type.fields.push_back(std::move(*field));
    }
    if (type.fields.empty()) return refuse("a record without elements");
    return type;
  }
  switch (v.type.base) {
    case BaseType::real: return foreign::Type{Kind::real};
    case BaseType::integer: return foreign::Type{Kind::integer};
    case BaseType::boolean: return foreign::Type{Kind::boolean};
    case BaseType::string: return foreign::Type{Kind::string};
    case BaseType::object: return foreign::Type{Kind::object};
    case BaseType::enumeration: return foreign::Type{Kind::integer, {}, static_cast<int>(in.model.enumerations[index(v.type.enumeration)].literals.size())};
    case BaseType::clock: break;
  }
  return refuse("a Clock");
}

bool call_foreign(Instances& in, const foreign::Function& function, std::span<const native::In> operands, std::span<native::Out> results, native::Environment& environment, Place place) {
  foreign::Process& p = process(in);
  const bool alive = p.death().empty();
  try {
    p.call(p.add(function), operands, results, environment);
    return true;
  } catch (const foreign::Stopped& late) {   // another call may take as long: the process stays dead
    if (alive) in.diagnostics.push_back({Severity::warning, place, fmt::format("{} while compiling, and is left to the run", late.what()), "", {}});
  } catch (const native::Error&) {
    if (p.death().empty()) return false;
    if (alive) in.diagnostics.push_back({Severity::warning, place, fmt::format("while compiling {}", p.death()), "", {}});
    if (alive) in.elaboration.foreign.reset();
  }
  return false;
}

bool is_size(Instances& in, const parser::Expression& e) {
  const auto* call = std::get_if<parser::Call>(&e.node);
  return call && call->callee.parts.size() == 1 && in.text(call->callee.parts.front().name) == "size" && call->arguments.positional.size() == 2;
}

}  // namespace mosim::compiler
