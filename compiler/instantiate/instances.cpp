// The predefined types (MLS 4.9), and what every part of a compilation asks of the whole.

#include "compiler/instantiate/instances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/evaluation.hpp"
#include "compiler/instantiate/modifier.hpp"
#include "compiler/instantiate/redeclaration.hpp"
#include "compiler/instantiate/settings.hpp"

namespace mosim::compiler {

namespace {

// ---- predefined types (MLS 4.9) -----------------------------------------------------------------------------------

Member* predefined(Instances& in, Class& c, std::string_view name, Type type) {
  c.path = name;
  c.basic = type;
  c.enclosing = &in.top;
  c.state = Class::State::expanded;
  static constexpr parser::ClassDefinition type_definition = [] {
    parser::ClassDefinition d;
    d.kind = parser::ClassKind::type;
    return d;
  }();
  c.definition = nullptr;
  Member& m = in.members.emplace_back();
  m.name = in.name(name);
  m.owner = m.scope = &in.top;
  m.definition = &type_definition;
  m.plain = &c;
  in.top.table[m.name] = &m;
  return &m;
}

EnumerationId predefined_enumeration(Instances& in, Class& c, std::string_view name,
                                     std::vector<std::string> literals) {
  const auto id = static_cast<EnumerationId>(in.model.enumerations.size());
  in.model.enumerations.push_back({std::string(name), std::move(literals)});
  predefined(in, c, name, {BaseType::enumeration, id});
  return id;
}

}  // namespace

Instances::Instances(Library& l, Diagnostics& d, Elaboration& e)
    : library(l), workspace(l.workspace), diagnostics(d), elaboration(e), modifiers(std::make_unique<Modifiers>()) {
  top.state = Class::State::expanded;
  predefined(*this, real, "Real", {BaseType::real, EnumerationId::none});
  predefined(*this, integer, "Integer", {BaseType::integer, EnumerationId::none});
  predefined(*this, boolean, "Boolean", {BaseType::boolean, EnumerationId::none});
  predefined(*this, string, "String", {BaseType::string, EnumerationId::none});
  predefined(*this, clock, "Clock", {BaseType::clock, EnumerationId::none});
  state_select_id = predefined_enumeration(*this, state_select, "StateSelect",
                                           {"never", "avoid", "default", "prefer", "always"});
  assertion_level_id = predefined_enumeration(*this, assertion_level, "AssertionLevel", {"warning", "error"});
}

Instances::~Instances() = default;

bool Instances::has_room(Place place, double more) {
  work += more;
  if (work <= most_work || exhausted) return !exhausted;
  const Quietly aloud(*this, false);
  error(place,
        fmt::format("the model becomes too large here: there is room for {} variables, {} components, {} calls of functions or {} iterations, {} where they are gone through as expressions",
                    most_work / work_of_a_variable, most_work / work_of_a_class, most_work / work_of_a_call, most_work, most_work / work_of_a_round),
        "look for a size that is too large, or for a nesting that multiplies");
  exhausted = true;
  return false;
}

bool Instances::too_deep(Place place) {
  const Quietly aloud(*this, false);
  error(place, "this leads too deep: what is needed here needs something else, and so on, through tens of thousands of declarations",
        "look for a chain that has no end, or make it shorter");
  exhausted = true;
  return false;
}

std::uint32_t Instances::literal_number(EnumerationId enumeration, Name literal) {
  if (literal_numbers.size() <= index(enumeration)) literal_numbers.resize(index(enumeration) + 1);
  auto& numbers = literal_numbers[index(enumeration)];
  if (numbers.empty())
    for (const std::string& l : model.enumerations[index(enumeration)].literals)
      numbers.try_emplace(name(l), static_cast<std::uint32_t>(numbers.size() + 1));
  const auto it = numbers.find(literal);
  return it == numbers.end() ? 0 : it->second;
}

bool Instances::is_news(Place place, const std::string& cause) {
  if (quiet || exhausted) return false;
  const std::size_t hash = std::hash<std::string>()(cause) ^ std::hash<std::uint64_t>()((std::uint64_t(place.begin) << 32 | place.end) * 0x9e3779b97f4a7c15u);
  return said.insert(hash).second;
}

void Instances::error(Place place, std::string cause, std::string remedy, std::vector<parser::Note> notes) {
  if (!is_news(place, cause)) return;
  constexpr int most_at_one_place = 5;
  if (place && ++said_at[place.begin] > most_at_one_place) return;
  diagnostics.push_back({Severity::error, place, std::move(cause), std::move(remedy), std::move(notes)});
}

bool Instances::is_lenient(Place place) const {
  if (!library.in_library(place)) return false;
  const parser::Modification* annotation = root && root->definition ? root->definition->description.annotation : nullptr;
  return !annotation || std::none_of(annotation->arguments.begin(), annotation->arguments.end(), [&](const parser::Argument& a) {
    const auto* e = std::get_if<parser::ElementModification>(&a.node);
    return e && e->modification && text(e->name.parts.front()) == "__ModelicaAssociation" &&
           std::any_of(e->modification->arguments.begin(), e->modification->arguments.end(), [&](const parser::Argument& b) {
             const auto* inner = std::get_if<parser::ElementModification>(&b.node);
             return inner && text(inner->name.parts.front()) == "TestCase";
           });
  });
}

void Instances::breach(Place place, std::string cause, std::string remedy, std::vector<parser::Note> notes, std::string lenient, Place culprit) {
  if (!is_lenient(place) && !is_lenient(culprit)) return error(place, std::move(cause), std::move(remedy), std::move(notes));
  if (is_news(place, lenient)) diagnostics.push_back({Severity::warning, place, std::move(lenient), {}, {}});
}

Expr Instances::known(VariableId v) {
  const Element e = variable_elements[index(v)];
  if (e.component->variability > flat::Variability::parameter) return Expr::none;
  const auto& value = binding_value(*this, e.component);
  return value && e.element < value->elements.size() ? value->elements[e.element] : Expr::none;
}

Expr Instances::evaluated(Expr e, Reliance reliance, Parts* parts) {
  std::size_t visited = 0;
  const Expr value = evaluate(model, e, [this](VariableId v) { return known(v); }, &known_values, &visited, reliance, parts);
  if (visited > 0) (void)has_room(model.expressions.place(e), work_of_a_node * double(visited));
  if (model.overlong) {
    const Quietly aloud(*this, false);
    error(model.overlong, overlong_text());
  }
  return value;
}

}  // namespace mosim::compiler
