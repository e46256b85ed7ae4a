#pragma once
// The actions of the grammar's component clauses, elements, classes and sections.

#include "parser/actions.hpp"

namespace mosim::parser {

// ---- component clauses ------------------------------------------------------------------------------------------

inline Causality causality(KeywordSet prefixes) {
  return contains(prefixes, Keyword::input)    ? Causality::input
         : contains(prefixes, Keyword::output) ? Causality::output
                                               : Causality::none;
}

template <>
struct action<grammar::type_prefix> {
  static void apply0(Builder& b) {
    const KeywordSet prefixes = b.take_prefixes();
    ComponentClause clause;
    clause.prefix.connector = contains(prefixes, Keyword::flow)     ? ConnectorPrefix::flow
                              : contains(prefixes, Keyword::stream) ? ConnectorPrefix::stream
                                                                    : ConnectorPrefix::none;
    clause.prefix.variability = contains(prefixes, Keyword::discrete)    ? Variability::discrete
                                : contains(prefixes, Keyword::parameter) ? Variability::parameter
                                : contains(prefixes, Keyword::constant)  ? Variability::constant
                                                                         : Variability::none;
    clause.prefix.causality = causality(prefixes);
    b.clauses.push_back(clause);
    b.mark(b.declarations);
  }
};
template <>
struct action<grammar::clause_type> {
  static void apply0(Builder& b) { b.clauses.back().type = Builder::pop(b.qualified_names); }
};
template <>
struct action<grammar::clause_subscripts> {
  static void apply0(Builder& b) { b.clauses.back().subscripts = b.subscript_list; }
};
inline void end_clause(Builder& b) { b.clauses.back().declarations = b.collect(b.declarations, b.pop_mark()); }
template <>
struct action<grammar::component_clause> : without_text<end_clause> {};
template <>
struct action<grammar::component_clause1> : without_text<end_clause> {};

template <>
struct action<grammar::declared_name> {
  static void apply0(Builder& b) {
    const Identifier ident = Builder::pop(b.idents);
    Declaration& declaration = b.declarations.emplace_back();
    declaration.name = ident.name;
    declaration.place = ident.place;
  }
};
template <>
struct action<grammar::declared_subscripts> {
  static void apply0(Builder& b) { b.declarations.back().subscripts = b.subscript_list; }
};
template <>
struct action<grammar::declared_modification> {
  static void apply0(Builder& b) { b.declarations.back().modification = b.make(Builder::pop(b.modifications)); }
};
template <>
struct action<grammar::condition_attribute> {
  static void apply0(Builder& b) { b.declarations.back().condition = b.pop_expression(); }
};
template <>
struct action<grammar::declaration_description> {
  static void apply0(Builder& b) { b.declarations.back().description = Builder::pop(b.descriptions); }
};

// ---- elements ---------------------------------------------------------------------------------------------------

template <>
struct action<grammar::element_begin> {
  static void apply0(Builder& b) {
    b.take_prefixes();
    b.elements.emplace_back().is_protected = b.open_classes.back().is_protected;
  }
};
template <>
struct action<grammar::element_prefixes> {
  static void apply0(Builder& b) {
    const KeywordSet prefixes = b.take_prefixes();
    Element& element = b.elements.back();
    element.redeclare = contains(prefixes, Keyword::redeclare);
    element.final_ = contains(prefixes, Keyword::final_);
    element.inner = contains(prefixes, Keyword::inner);
    element.outer = contains(prefixes, Keyword::outer);
    element.replaceable = contains(prefixes, Keyword::replaceable);
  }
};
template <>
struct action<grammar::element_class> {
  static void apply0(Builder& b) { b.elements.back().node = Builder::pop(b.finished_classes); }
};
template <>
struct action<grammar::element_components> {
  static void apply0(Builder& b) { b.elements.back().node = Builder::pop(b.clauses); }
};
template <>
struct action<grammar::element_constraint> {
  static void apply(const Matched& in, Builder& b) {
    if (!b.elements.back().replaceable) {
      in.input().fail(in.begin(), in.begin() + 13,
                      "'constrainedby' constrains a replaceable element, and this one is not",
                      "write 'replaceable' before the element, or leave the constraint out");
    }
    b.constraints.back().description = Builder::pop(b.descriptions);
    b.elements.back().constraint = b.make(Builder::pop(b.constraints));
  }
};
template <>
struct action<grammar::element> {
  static void apply(const Matched& in, Builder& b) { b.elements.back().place = place_of(in, b); }
};

template <>
struct action<grammar::constraint_type> {
  static void apply0(Builder& b) { b.constraints.emplace_back().type = Builder::pop(b.qualified_names); }
};
template <>
struct action<grammar::constraint_modification> {
  static void apply0(Builder& b) { b.constraints.back().modification = b.make(Builder::pop(b.modifications)); }
};
template <>
struct action<grammar::constraining_clause> {
  static void apply(const Matched& in, Builder& b) { b.constraints.back().place = place_of(in, b); }
};

template <>
struct action<grammar::extends_type> {
  static void apply0(Builder& b) { b.elements.back().node = ExtendsClause{Builder::pop(b.qualified_names)}; }
};
template <>
struct action<grammar::extends_modification> {
  static void apply0(Builder& b) {
    std::get<ExtendsClause>(b.elements.back().node).modification = b.make(Builder::pop(b.modifications));
  }
};
template <>
struct action<grammar::extends_annotation> {
  static void apply0(Builder& b) {
    std::get<ExtendsClause>(b.elements.back().node).annotation = b.make(Builder::pop(b.modifications));
  }
};

template <>
struct action<grammar::import_begin> {
  static void apply0(Builder& b) {
    b.import = {};
    b.import.kind = ImportKind::qualified;
  }
};
template <>
struct action<grammar::import_renamed> {
  static void apply0(Builder& b) {
    b.import.kind = ImportKind::renamed;
    b.import.alias = Builder::pop(b.idents).name;
  }
};
inline void import_unqualified(Builder& b) { b.import.kind = ImportKind::unqualified; }
template <>
struct action<grammar::import_unqualified> : without_text<import_unqualified> {};
template <>
struct action<grammar::import_star> : without_text<import_unqualified> {};

inline List<Name> collect_names(Builder& b, std::size_t mark) {
  const std::size_t count = b.idents.size() - mark;
  Name* names = b.arena.allocate<Name>(count);
  for (std::size_t i = 0; i < count; ++i) names[i] = b.idents[mark + i].name;
  b.idents.resize(mark);
  return {names, count};
}
template <>
struct action<grammar::import_list_begin> {
  static void apply0(Builder& b) { b.mark(b.idents); }
};
template <>
struct action<grammar::import_list> {
  static void apply0(Builder& b) {
    b.import.kind = ImportKind::list;
    b.import.members = collect_names(b, b.pop_mark());
  }
};
template <>
struct action<grammar::import_clause> {
  static void apply0(Builder& b) {
    b.import.name = Builder::pop(b.qualified_names);
    ImportClause import = b.import;
    import.description = Builder::pop(b.descriptions);
    b.elements.back().node = import;
  }
};

// ---- classes ----------------------------------------------------------------------------------------------------

inline ClassKind class_kind(KeywordSet prefixes) {
  const auto has = [&](Keyword keyword) { return contains(prefixes, keyword); };
  if (has(Keyword::operator_)) {
    return has(Keyword::record)     ? ClassKind::operator_record
           : has(Keyword::function) ? ClassKind::operator_function
                                    : ClassKind::operator_;
  }
  return has(Keyword::model)       ? ClassKind::model
         : has(Keyword::record)    ? ClassKind::record
         : has(Keyword::block)     ? ClassKind::block
         : has(Keyword::connector) ? has(Keyword::expandable) ? ClassKind::expandable_connector : ClassKind::connector
         : has(Keyword::type)      ? ClassKind::type
         : has(Keyword::package)   ? ClassKind::package
         : has(Keyword::function)  ? ClassKind::function
                                   : ClassKind::class_;
}

template <>
struct action<grammar::class_prefixes> {
  static void apply0(Builder& b) {
    const KeywordSet prefixes = b.take_prefixes();
    OpenClass& open = b.open_classes.emplace_back();
    open.definition.encapsulated = contains(prefixes, Keyword::encapsulated);
    open.definition.partial = contains(prefixes, Keyword::partial);
    open.definition.purity = contains(prefixes, Keyword::pure)     ? Purity::pure
                             : contains(prefixes, Keyword::impure) ? Purity::impure
                                                                   : Purity::unspecified;
    open.definition.kind = class_kind(prefixes);
    open.element_mark = b.elements.size();
    open.section_mark = b.sections.size();
  }
};
template <>
struct action<grammar::class_name> {
  static void apply(const Matched& in, Builder& b) {
    const Identifier ident = Builder::pop(b.idents);
    b.open_classes.back().definition.name = ident.name;
    b.open_classes.back().definition.place = ident.place;
    b.open_classes.back().name_at = in.begin();
  }
};
template <>
struct action<grammar::class_description> {
  static void apply0(Builder& b) {
    b.open_classes.back().definition.description.text = Builder::pop(b.descriptions).text;
  }
};
template <>
struct action<grammar::class_extends> {
  static void apply0(Builder& b) { b.open_classes.back().class_extends = true; }
};
template <>
struct action<grammar::class_extends_modification> {
  static void apply0(Builder& b) { b.open_classes.back().modification = b.make(Builder::pop(b.modifications)); }
};
template <>
struct action<grammar::class_annotation> {
  static void apply0(Builder& b) {
    OpenClass& open = b.open_classes.back();
    Modification annotation = Builder::pop(b.modifications);
    if (const Modification* earlier = open.definition.description.annotation) {   // as classes of Modelica 2 could have several
      const std::size_t mark = b.arguments.size();
      b.arguments.insert(b.arguments.end(), earlier->arguments.begin(), earlier->arguments.end());
      b.arguments.insert(b.arguments.end(), annotation.arguments.begin(), annotation.arguments.end());
      annotation.arguments = b.collect(b.arguments, mark);
    }
    open.definition.description.annotation = b.make(annotation);
    open.section_before_annotation = std::exchange(open.section, Section::ended);
  }
};
template <>
struct action<grammar::class_end> {
  static void apply(const Matched& in, Builder& b) {
    const Identifier end = Builder::pop(b.idents);
    const ClassDefinition& definition = b.open_classes.back().definition;
    if (end.name == definition.name) return;
    const std::string name(b.names.text(definition.name));
    in.input().fail(
        in.input().token_begin, in.input().token_end,
        "this ends '" + std::string(b.names.text(end.name)) + "', but the class that is open is '" + name + "'",
        "write 'end " + name + "'", {{definition.place, "'" + name + "' begins here"}});
  }
};
template <>
struct action<grammar::long_class_specifier> {
  static void apply0(Builder& b) {
    OpenClass& open = b.open_classes.back();
    LongClassSpecifier specifier;
    specifier.extends = open.class_extends;
    specifier.modification = open.modification;
    specifier.composition.elements = b.collect(b.elements, open.element_mark);
    specifier.composition.sections = b.collect(b.sections, open.section_mark);
    specifier.composition.external = open.external;
    open.definition.specifier = specifier;
  }
};

template <>
struct action<grammar::base_prefix> {
  static void apply0(Builder& b) {
    ShortClassSpecifier specifier;
    specifier.causality = causality(b.take_prefixes());
    b.open_classes.back().definition.specifier = specifier;
  }
};
template <>
struct action<grammar::short_class_subscripts> {
  static void apply0(Builder& b) {
    std::get<ShortClassSpecifier>(b.open_classes.back().definition.specifier).subscripts = b.subscript_list;
  }
};
template <>
struct action<grammar::short_class_modification> {
  static void apply0(Builder& b) {
    std::get<ShortClassSpecifier>(b.open_classes.back().definition.specifier).modification =
        b.make(Builder::pop(b.modifications));
  }
};
template <>
struct action<grammar::alias_specifier> {
  static void apply0(Builder& b) {
    ClassDefinition& definition = b.open_classes.back().definition;
    std::get<ShortClassSpecifier>(definition.specifier).type = Builder::pop(b.qualified_names);
    definition.description = Builder::pop(b.descriptions);
  }
};

template <>
struct action<grammar::enumeration_begin> {
  static void apply0(Builder& b) {
    b.mark(b.literals);
    b.open_classes.back().definition.specifier = EnumerationSpecifier{};
  }
};
template <>
struct action<grammar::open_enumeration> {
  static void apply0(Builder& b) {
    std::get<EnumerationSpecifier>(b.open_classes.back().definition.specifier).open = true;
  }
};
template <>
struct action<grammar::enumeration_literal_name> {
  static void apply0(Builder& b) {
    const Identifier ident = Builder::pop(b.idents);
    b.literals.push_back({ident.name, ident.place, {}});
  }
};
template <>
struct action<grammar::enumeration_literal> {
  static void apply0(Builder& b) { b.literals.back().description = Builder::pop(b.descriptions); }
};
template <>
struct action<grammar::enumeration_specifier> {
  static void apply0(Builder& b) {
    ClassDefinition& definition = b.open_classes.back().definition;
    std::get<EnumerationSpecifier>(definition.specifier).literals = b.collect(b.literals, b.pop_mark());
    definition.description = Builder::pop(b.descriptions);
  }
};

template <>
struct action<grammar::derivative_begin> {
  static void apply0(Builder& b) { b.mark(b.idents); }
};
template <>
struct action<grammar::der_class_specifier> {
  static void apply0(Builder& b) {
    ClassDefinition& definition = b.open_classes.back().definition;
    definition.specifier = DerClassSpecifier{Builder::pop(b.qualified_names), collect_names(b, b.pop_mark())};
    definition.description = Builder::pop(b.descriptions);
  }
};

inline void end_class(const Matched& in, Builder& b) {
  OpenClass& open = b.open_classes.back();
  open.definition.whole = place_of(in, b);
  ClassDefinition* definition = b.arena.allocate<ClassDefinition>(1);
  std::construct_at(definition, open.definition);
  b.open_classes.pop_back();
  b.finished_classes.push_back(definition);
}
template <>
struct action<grammar::class_definition> : with_text<end_class> {};
template <>
struct action<grammar::short_class_definition> : with_text<end_class> {};

template <>
struct action<grammar::stored_final> {
  static void apply0(Builder& b) { b.stored_final = true; }
};
template <>
struct action<grammar::stored_class> {
  static void apply0(Builder& b) {
    ClassDefinition* definition = Builder::pop(b.finished_classes);
    definition->final_ = std::exchange(b.stored_final, false);
    if (definition->name != Name::none) b.stored_classes.push_back(definition);
  }
};
template <>
struct action<grammar::within_clause> {
  static void apply0(Builder& b) {
    b.stored.has_within = true;
    if (!b.qualified_names.empty()) b.stored.within = Builder::pop(b.qualified_names);
  }
};
template <>
struct action<grammar::stored_definition> {
  static void apply0(Builder& b) { b.stored.classes = b.collect(b.stored_classes, 0); }
};

// ---- sections ---------------------------------------------------------------------------------------------------

inline void begin_section(Section section, const Matched& in, Builder& b) {
  b.open_classes.back().section = section;
  b.open_classes.back().section_at = in.begin();
}
template <>
struct action<grammar::public_section> {
  static void apply(const Matched& in, Builder& b) {
    b.open_classes.back().is_protected = false;
    begin_section(Section::elements, in, b);
  }
};
template <>
struct action<grammar::protected_section> {
  static void apply(const Matched& in, Builder& b) {
    b.open_classes.back().is_protected = true;
    begin_section(Section::elements, in, b);
  }
};
template <>
struct action<grammar::equations_begin> {
  static void apply(const Matched& in, Builder& b) {
    b.sections.push_back(EquationSection{contains(b.take_prefixes(), Keyword::initial), {}});
    b.mark(b.equations);
    begin_section(Section::equations, in, b);
  }
};
template <>
struct action<grammar::section_equations> {
  static void apply0(Builder& b) {
    std::get<EquationSection>(b.sections.back()).equations = b.collect(b.equations, b.pop_mark());
  }
};
template <>
struct action<grammar::algorithm_begin> {
  static void apply(const Matched& in, Builder& b) {
    b.sections.push_back(AlgorithmSection{contains(b.take_prefixes(), Keyword::initial), place_of(in, b), {}});
    b.mark(b.statements);
    begin_section(Section::algorithm, in, b);
  }
};
template <>
struct action<grammar::section_statements> {
  static void apply0(Builder& b) {
    std::get<AlgorithmSection>(b.sections.back()).statements = b.collect(b.statements, b.pop_mark());
  }
};

template <>
struct action<grammar::external_begin> {
  static void apply(const Matched& in, Builder& b) {
    b.external = {};
    begin_section(Section::none, in, b);
  }
};
template <>
struct action<grammar::language_specification> {
  static void apply0(Builder& b) { b.external.language = Builder::pop(b.strings); }
};
template <>
struct action<grammar::external_result> {
  static void apply0(Builder& b) {
    b.external.has_result = true;
    b.external.result = Builder::pop(b.references);
  }
};
template <>
struct action<grammar::external_arguments_begin> {
  static void apply0(Builder& b) { b.mark(b.operands); }
};
template <>
struct action<grammar::external_function_call> {
  static void apply0(Builder& b) {
    b.external.has_call = true;
    b.external.arguments = b.collect_expressions(b.pop_mark());
    b.external.function = Builder::pop(b.idents).name;
  }
};
template <>
struct action<grammar::external_annotation> {
  static void apply0(Builder& b) { b.external.annotation = b.make(Builder::pop(b.modifications)); }
};
template <>
struct action<grammar::external_clause> {
  static void apply(const Matched& in, Builder& b) {
    b.external.place = place_of(in, b);
    b.open_classes.back().external = b.make(b.external);
  }
};

}  // namespace mosim::parser
