#pragma once
// Names to members (MLS 5.3).

#include <string>
#include <string_view>
#include <vector>

#include "parser/syntax.hpp"

namespace mosim::compiler {

struct Class;
struct Instances;
struct Member;

using parser::Name;
using parser::Place;

/// A simple name from inside a class (MLS 5.3.1). Null if there is none. Says nothing.
Member* lookup(Instances& in, Class* scope, Name name);
/// A member by name, inherited ones and stored classes included (MLS 5.3.2).
Member* find_member(Instances& in, Class* c, Name name);
/// A dotted class name; null with an error if there is none. `what` is for the message: "class", "base class", ...
/// `path` gets the members for all parts of the name.
Member* lookup_class(Instances& in, Class* scope, const parser::QualifiedName& name, std::string_view what,
                     std::vector<Member*>* path = nullptr);
/// The element of a class that a composite name asks for: C.name (MLS 5.3.2); null with an error at `place`.
Member* find_inside(Instances& in, Member* class_member, Name name, Place place, std::string_view what);
/// Is it declared as a package, or does it at least satisfy the requirements for one: classes and constants alone?
bool is_package_like(Instances& in, Class* c);
/// What to do about a name that a class does not have: "did you mean ...?", or where more of its library is found.
std::string missing_remedy(Instances& in, const Class* c, std::string_view missing, const std::vector<std::string_view>& names);
/// The enumeration type whose literal an import clause of the scope or around it brings, and its number; null: there is none. Only
/// elements of packages can be imported (MLS 13.2); the library of Modelica by Example has this, and other tools take it: a warning.
struct ImportedLiteral {
  Member* type = nullptr;
  Class* of = nullptr;
  std::uint32_t number = 0;
};
ImportedLiteral imported_literal(Instances& in, Class* scope, Name name);
/// Does an import clause of the scope or around it bring the name, but lead nowhere? Says so at the clause.
bool import_of_nothing(Instances& in, Class* scope, Name name);
void check_imports_lead_somewhere(Instances& in, Class* c);
/// Names that can be seen from a class, for suggestions.
std::vector<std::string_view> visible_names(Instances& in, Class* scope, bool classes_only = false);
/// "did you mean ...?" as a remedy, or empty.
std::string did_you_mean(Instances& in, Class* scope, std::string_view misspelt, bool classes_only = false);

}  // namespace mosim::compiler
