#pragma once
// Modifiers (MLS 7.2): what is said of an element from outside.

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "compiler/ordered_table.hpp"
#include "compiler/store.hpp"
#include "parser/syntax.hpp"

namespace mosim::compiler {

struct Class;
struct Instances;

using parser::Name;
using parser::Place;

/// `= expression`, with the scope that its names are looked up in.
struct Binding {
  const parser::Expression* expression = nullptr;
  Class* scope = nullptr;
  Place place;
  /// The nearest `each` stands so many names further out, 0: before its own (MLS 7.2.5). Arrays of components that it stands in the
  /// modifier of, and those around them, hand it on whole.
  static constexpr unsigned no_each = ~0u;
  unsigned each = no_each;
  /// In a modification that belongs to a type, so many names deep: arrays of that type hand it on whole, arrays in it do not.
  static constexpr unsigned no_type = ~0u;
  unsigned of_type = no_type;
  /// Is it handed on whole by an array of components whose modifier it stands in, so many names deep?
  bool whole(unsigned depth) const { return of_type <= depth || each < depth; }
  /// May its value stand for several elements?
  bool may_spread() const { return of_type != no_type || each != no_each; }
  /// Which part of its value is meant, where the modifier has been carried into one element of an array of components
  /// (an index, from 1) or into an element of a record (its name); first step first.
  struct Step {
    Name member = Name::none;
    std::int64_t index = 0;
    std::int64_t size = 0;      // of the dimension that the index belongs to
  };
  std::vector<Step> steps;
  bool is_break = false;
};

/// One redeclaration of an element (MLS 7.3), in a modification or as an element of a derived class.
struct Redeclaration {
  Place place;
  const parser::ElementRedeclaration* argument = nullptr;   // in a modification
  const parser::Element* element = nullptr;                 // `redeclare` of an inherited element
  Class* scope = nullptr;                                   // where its names are looked up
  bool final_ = false;
};

/// Redeclarations of one element, the innermost first: each replaces what is left by those before. Lists share their ends.
struct Redeclarations {
  Redeclaration first;
  const Redeclarations* rest = nullptr;
};

/// What is said of one element from outside: outer modifiers already merged over inner ones.
struct Modifier {
  Place place;
  std::optional<Binding> binding;
  bool final_ = false;
  struct Child {
    Name name;
    Place place;
    const Modifier* modifier;
  };
  /// Each name once.
  class Children {
    auto name_at() const {
      return [this](std::size_t k) { return list_[k].name; };
    }

  public:
    auto begin() { return list_.begin(); }
    auto end() { return list_.end(); }
    auto begin() const { return list_.begin(); }
    auto end() const { return list_.end(); }
    bool empty() const { return list_.empty(); }
    void clear() { *this = {}; }
    const Child* find(Name name) const {
      const std::size_t k = places_.find(name, list_.size(), name_at());
      return k < list_.size() ? &list_[k] : nullptr;
    }
    /// The one of that name, and whether it is new.
    std::pair<Child*, bool> try_add(const Child& child) {
      const std::size_t k = places_.find_or_add(child.name, list_.size(), name_at());
      const bool is_new = k == list_.size();
      if (is_new) list_.push_back(child);
      return {&list_[k], is_new};
    }

  private:
    std::vector<Child> list_;
    PlacesByKey<Name, std::hash<Name>> places_;
  };
  Children children;
  const Redeclarations* redeclarations = nullptr;
  const Modifier* under = nullptr;   // what was said of the element that these take the place of: they say more (MLS 7.2.4)

  const Modifier* child(Name name) const {
    const Child* const c = children.find(name);
    return c ? c->modifier : nullptr;
  }
};

/// All that one compilation makes.
struct Modifiers {
  Store<Modifier> made;
  Store<Redeclarations> redeclarations;
};

// modification.cpp
const Modifier* build_modifier(Instances& in, const parser::Modification* modification, Class* scope);
/// A type's own modification, which holds for every element of an array of that type.
const Modifier* build_type_modifier(Instances& in, const parser::Modification* modification, Class* scope);
const Modifier* merge(Instances& in, const Modifier* outer, const Modifier* inner);
/// The indices of one element (row-major index from 0) of an array with these dimensions.
std::vector<Binding::Step> element_steps(const std::vector<std::int64_t>& dims, std::size_t element);
/// The modifier of one element of an array of components.
const Modifier* element_modifier(Instances& in, const Modifier* modifier, std::span<const Binding::Step> element);
/// The part of a type's own modifier that belongs to one element of the array that the type itself is: type T = C[3](x = {1, 2, 3}) (MLS 4.6.1).
const Modifier* type_element_modifier(Instances& in, const Modifier* own, std::span<const Binding::Step> element);

/// The modifier of a class: it holds for every element of an array of that class.
const Modifier* class_modifier(Instances& in, const Modifier* modifier, unsigned depth = 0);

}  // namespace mosim::compiler
