#pragma once
// The actions of the grammar's modifications.

#include "parser/actions.hpp"

namespace mosim::parser {

template <>
struct action<grammar::arguments_begin> {
  static void apply0(Builder& b) { b.mark(b.arguments); }
};

inline void end_arguments(const Matched& in, Builder& b) {
  Modification modification;
  modification.place = place_of(in, b);
  modification.has_arguments = true;
  modification.arguments = b.collect(b.arguments, b.pop_mark());
  b.modifications.push_back(modification);
}
template <>
struct action<grammar::class_modification> : with_text<end_arguments> {};
template <>
struct action<grammar::class_or_inheritance_modification> : with_text<end_arguments> {};

template <>
struct action<grammar::old_equals> {
  static void apply(const Matched& in, Builder& b) {
    b.errors.warn({Severity::warning, place_of(in, b), "':=' gives a value here as old libraries did; it is no longer part of Modelica",
                   "write '='", {}});
  }
};
template <>
struct action<grammar::binding_break> {
  static void apply0(Builder& b) { b.operands.push_back({nullptr, {}, 0}); }
};
inline void bind(Modification& modification, const Matched& in, Builder& b) {
  modification.binding_place = place_of(in, b);
  modification.binding = b.pop_expression();
  modification.binding_break = !modification.binding;
}
template <>
struct action<grammar::binding_after_arguments> {
  static void apply(const Matched& in, Builder& b) { bind(b.modifications.back(), in, b); }
};
template <>
struct action<grammar::binding> {
  static void apply(const Matched& in, Builder& b) { bind(b.modifications.emplace_back(), in, b); }
};
template <>
struct action<grammar::modification> {
  static void apply(const Matched& in, Builder& b) { b.modifications.back().place = place_of(in, b); }
};

template <>
struct action<grammar::argument_begin> {
  static void apply0(Builder& b) {
    b.take_prefixes();
    b.arguments.emplace_back();
  }
};
inline void end_argument(const Matched& in, Builder& b) { b.arguments.back().place = place_of(in, b); }
template <>
struct action<grammar::argument> : with_text<end_argument> {};
template <>
struct action<grammar::argument_prefixes> {
  static void apply0(Builder& b) {
    const KeywordSet prefixes = b.take_prefixes();
    b.arguments.back().each = contains(prefixes, Keyword::each);
    b.arguments.back().final_ = contains(prefixes, Keyword::final_);
  }
};

template <>
struct action<grammar::modified_name> {
  static void apply0(Builder& b) {
    ElementModification modified;
    modified.name = Builder::pop(b.qualified_names);
    b.arguments.back().node = modified;
  }
};
template <>
struct action<grammar::modified_value> {
  static void apply0(Builder& b) {
    std::get<ElementModification>(b.arguments.back().node).modification = b.make(Builder::pop(b.modifications));
  }
};
template <>
struct action<grammar::element_modification> {
  static void apply0(Builder& b) {
    std::get<ElementModification>(b.arguments.back().node).description = Builder::pop(b.descriptions).text;
  }
};

inline ElementRedeclaration& redeclaration(Builder& b) {
  auto& node = b.arguments.back().node;
  if (!std::holds_alternative<ElementRedeclaration>(node)) node = ElementRedeclaration{};
  return std::get<ElementRedeclaration>(node);
}
template <>
struct action<grammar::redeclare_begin> {
  static void apply0(Builder& b) { redeclaration(b).redeclare = true; }
};
template <>
struct action<grammar::replaceable_begin> {
  static void apply0(Builder& b) { redeclaration(b).replaceable = true; }
};
template <>
struct action<grammar::redeclared_class> {
  static void apply0(Builder& b) { redeclaration(b).element = Builder::pop(b.finished_classes); }
};
template <>
struct action<grammar::redeclared_component> {
  static void apply0(Builder& b) { redeclaration(b).element = b.make(Builder::pop(b.clauses)); }
};
template <>
struct action<grammar::argument_constraint> {
  static void apply0(Builder& b) { redeclaration(b).constraint = b.make(Builder::pop(b.constraints)); }
};

template <>
struct action<grammar::break_begin> {
  static void apply0(Builder& b) {
    b.arguments.emplace_back();
    b.arguments.back().node = InheritanceBreak{};
  }
};
template <>
struct action<grammar::break_connect> {
  static void apply0(Builder& b) {
    std::get<InheritanceBreak>(b.arguments.back().node).target = b.make(Builder::pop(b.equations));
  }
};
template <>
struct action<grammar::break_component> {
  static void apply0(Builder& b) {
    std::get<InheritanceBreak>(b.arguments.back().node).target = Builder::pop(b.idents).name;
  }
};
template <>
struct action<grammar::inheritance_modification> : with_text<end_argument> {};

}  // namespace mosim::parser
