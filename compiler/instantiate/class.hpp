#pragma once
// A class in one context: the type of one component, a base class of one object, or a package. Its members are found by
// name; a member's own Component or Class is made when it is first asked for.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/flatten/flat.hpp"
#include "compiler/instantiate/library.hpp"
#include "compiler/instantiate/modifier.hpp"
#include "compiler/instantiate/value.hpp"
#include "compiler/ordered_table.hpp"
#include "parser/syntax.hpp"

namespace mosim::compiler {

struct Class;
struct Component;
struct Instances;
struct Modifier;

/// A named element of a class: a component, or a class.
struct Member {
  Name name = Name::none;
  Place place;
  Class* owner = nullptr;                          // the class whose text declares it: where its names are looked up
  const parser::Element* element = nullptr;        // null for a stored class
  // One of these:
  const parser::ComponentClause* clause = nullptr;
  const parser::Declaration* declaration = nullptr;
  const parser::ClassDefinition* definition = nullptr;
  StoredClass* stored = nullptr;                   // of a class in a file of its own

  const Modifier* modifier = nullptr;              // outer over inner, the declaration's own included
  Class* scope = nullptr;                          // where its type is looked up: owner, or a redeclaration's scope
  bool is_protected = false, final_ = false, inner = false, outer = false, replaceable = false;
  bool broken = false;                             // removed by `break`

  // Of a component, after redeclaration: what a redeclaration does not give is kept (MLS 7.3).
  parser::TypePrefix prefix;
  const parser::ComponentClause* sized_clause = nullptr;    // where its array dimensions are given
  const parser::Declaration* sized_declaration = nullptr;
  Class* sized_scope = nullptr;
  const parser::Expression* condition = nullptr;   // looked up in owner

  Member* replaced = nullptr;                      // of a class extends: the inherited class that it extends
  bool inner_part = false;                         // of an element that is inner and outer: not found by its name
  bool automatic_inner = false;                    // made for an outer without one (MLS 5.4)

  Class* type = nullptr;                           // of a component: type_of(), once asked for
  std::vector<std::int64_t> type_dims;
  Component* component = nullptr;
  Class* plain = nullptr;                          // of a class: the instance without further modification
  bool busy = false;                               // being instantiated: a cycle if met again
  bool shared = false;                             // by all objects of the class that declares it: see Instances::encapsulated
  bool placed = false;                             // among the members, perhaps where a base class has the same element
  /// Of an element of an expandable connector (MLS 9.1.3): only potentially present until connected, or added by a
  /// connection. Its size may be known from the connections alone.
  enum class Presence : std::uint8_t { declared, connected, added } presence = Presence::declared;
  std::optional<std::vector<std::int64_t>> given_dims;

  bool is_class() const { return definition != nullptr; }
};

struct Class {
  std::string path;                                // qualified name, for messages
  const parser::ClassDefinition* definition = nullptr;   // null: a predefined type
  StoredClass* stored = nullptr;
  Member* member = nullptr;                        // that declares it; null for predefined types
  Class* enclosing = nullptr;                      // null: the top level
  const Modifier* modifier = nullptr;
  std::optional<Type> basic;                       // a predefined type, or one derived from it
  std::vector<std::int64_t> dims;                  // of an array class that it extends
  std::vector<Type> index_types;                   // of these dimensions

  // Of an object: the prefix of its members' names ("a.b[2]."), and whether it is part of the model.
  std::string prefix;
  std::string numbered_prefix;                     // the same with a number for each subscript; empty: no other
  bool in_model = false;
  flat::Variability variability = flat::Variability::continuous;   // of a component declared parameter or constant
  bool is_protected = false;
  bool hidden = false;                             // of a component annotated HideResult, or in one
  Class* parent_object = nullptr;                  // the object that holds this one
  Class* derived = nullptr;                        // of a base class: the class that extends it
  std::size_t inheritance = 0;                     // so many classes derive from it
  Class* far_heir = nullptr;                       // one of these, so that long chains are climbed in few steps: see set_heir()

  enum class State { fresh, expanding, expanded } state = State::fresh;
  std::vector<Member*> members;                    // own and inherited, in the order of the text
  OrderedTable<Name, Member*> table;
  struct Base {
    Place place;
    Class* base;
  };
  std::vector<Base> bases;
  std::vector<const parser::InheritanceBreak*> taken_out;   // of a base class, by the one that derives from it (MLS 7.4)
  std::vector<Class*> stored_bases;                // those with classes in files of their own, which nothing inherits
  bool holds_stored() const { return (stored && (!stored->folder.empty() || !stored->children.empty())) || !stored_bases.empty(); }
  std::vector<const parser::ImportClause*> imports;
  OrderedTable<Name, std::size_t> positions; // of a record's elements, once asked for

  parser::ClassKind kind() const { return definition ? definition->kind : parser::ClassKind::type; }
};

// ---- from members to classes (MLS 5.6.1) ---------------------------------------------------------------------------

/// A class member as a class: its definition with `modifier` merged over its own. Type prefixes of short classes are
/// followed to the class they mean; their array dimensions are appended to `dims` if given.
Class* instantiate_class(Instances& in, Member* member, const Modifier* modifier, Place use,
                         std::vector<std::int64_t>* dims = nullptr);
/// What short classes on the way to a type add to a component of it.
struct TypeExtras {
  std::vector<std::int64_t> dims;
  std::vector<Type> index_types;
  parser::Causality causality = parser::Causality::none;
  bool connector = false;                          // one of them is declared a connector
  Class* heir = nullptr;                           // asked for as a base class: what derives from it
  std::span<const Binding::Step> element;          // asked for as one element of the array that short classes make: its indices, the outermost first
};
Class* instantiate_type(Instances& in, Member* member, const Modifier* modifier, Place use, TypeExtras& extras);
const char* kind_name(parser::ClassKind kind);
/// "a record", "an Integer"
std::string with_article(std::string_view noun);
/// The class of a component's type, without saying errors; null if there is none.
Class* type_of(Instances& in, Member* component, std::vector<std::int64_t>* dims = nullptr);
/// The input or output that a short class on the way to a component's type gives it: `type In = input Real`.
parser::Causality causality_of_type(Instances& in, Member* component);
/// The inner element that an outer one means (MLS 5.4), or null.
Member* find_inner(Instances& in, Member* outer);

// ---- records -------------------------------------------------------------------------------------------------------

bool is_record_class(const Class* c);
/// The components of a record in the order of declaration (MLS 12.6).
std::vector<Member*> record_elements(Instances& in, Class* record);
std::optional<std::size_t> record_position(Instances& in, Class* record, Name element);

}  // namespace mosim::compiler
