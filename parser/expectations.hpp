#pragma once
// What the grammar expected where a rule that had to match did not.

#include "parser/grammar.hpp"

namespace mosim::parser {

template <Keyword K>
struct quoted_keyword {
  static constexpr auto characters = [] {
    std::array<char, text(K).size() + 2> quoted{};
    quoted.front() = quoted.back() = '\'';
    for (std::size_t i = 0; i < text(K).size(); ++i) quoted[i + 1] = text(K)[i];
    return quoted;
  }();
  static constexpr std::string_view value{characters.data(), characters.size()};
};
template <char... C>
struct quoted_symbol {
  static constexpr std::array<char, sizeof...(C) + 2> characters{'\'', C..., '\''};
  static constexpr std::string_view value{characters.data(), characters.size()};
};
template <Keyword K>
struct quoted_end {
  static constexpr auto characters = [] {
    std::array<char, text(K).size() + 6> quoted{'\'', 'e', 'n', 'd', ' '};
    for (std::size_t i = 0; i < text(K).size(); ++i) quoted[i + 5] = text(K)[i];
    quoted.back() = '\'';
    return quoted;
  }();
  static constexpr std::string_view value{characters.data(), characters.size()};
};

using Missing = Expectation::Missing;

// What a rule expects, found by the type of a pointer to it: its own, else that of the rule it derives from. The last
// resort is for rules that always match.
constexpr Expectation expectation(const void*) { return {}; }

template <Keyword K>
constexpr Expectation expectation(const grammar::key<K>*) {
  return {Missing::keyword, quoted_keyword<K>::value, {}};
}
template <Keyword K>
constexpr Expectation expectation(const grammar::block_end<K>*) {
  return {Missing::block_end, quoted_end<K>::value, {}};
}
template <char C, char... Not>
constexpr Expectation expectation(const grammar::symbol<C, Not...>*) {
  return {Missing::other, quoted_symbol<C>::value, {}};
}
template <char C, char D>
constexpr Expectation expectation(const grammar::symbol_of_two<C, D>*) {
  return {Missing::other, quoted_symbol<C, D>::value, {}};
}
template <char C>
constexpr Expectation expectation(const grammar::open<C>*) {
  return {Missing::other, quoted_symbol<C>::value, {}};
}
template <char C>
constexpr Expectation expectation(const grammar::close<C>*) {
  return {Missing::closing, quoted_symbol<C>::value, {}};
}

template <class What>
struct noun;
template <>
struct noun<grammar::within_clause> {
  static constexpr std::string_view value = "the within clause";
};
template <>
struct noun<grammar::class_definition> {
  static constexpr std::string_view value = "the class";
};
template <>
struct noun<grammar::external_clause> {
  static constexpr std::string_view value = "the external clause";
};
template <>
struct noun<grammar::annotation_clause> {
  static constexpr std::string_view value = "the annotation";
};
template <>
struct noun<grammar::element> {
  static constexpr std::string_view value = "the declaration";
};
template <>
struct noun<grammar::some_equation> {
  static constexpr std::string_view value = "the equation";
};
template <>
struct noun<grammar::statement> {
  static constexpr std::string_view value = "the statement";
};
template <class What>
constexpr Expectation expectation(const grammar::semicolon_after<What>*) {
  return {Missing::semicolon, "';'", noun<What>::value};
}

constexpr Expectation expectation(const grammar::closing_double_quote*) { return {Missing::string_end, {}, {}}; }
constexpr Expectation expectation(const grammar::closing_quote*) { return {Missing::quote_end, {}, {}}; }
constexpr Expectation expectation(const grammar::escaped_character*) { return {Missing::escape, {}, {}}; }
constexpr Expectation expectation(const grammar::STRING*) { return {Missing::other, "a string", {}}; }
constexpr Expectation expectation(const grammar::import_members*) { return {Missing::other, "'*' or '{'", {}}; }
constexpr Expectation expectation(const grammar::function_call_args*) { return {Missing::other, "'('", {}}; }
constexpr Expectation expectation(const grammar::class_modification*) { return {Missing::other, "'('", {}}; }
constexpr Expectation expectation(const grammar::redeclared_element*) { return {Missing::class_or_component, {}, {}}; }

constexpr Expectation expectation(const grammar::IDENT*) { return {Missing::name, {}, {}}; }
constexpr Expectation expectation(const grammar::name*) { return {Missing::name, {}, {}}; }
constexpr Expectation expectation(const grammar::class_name*) { return {Missing::name, {}, {}}; }
constexpr Expectation expectation(const grammar::long_class_head*) { return {Missing::name, {}, {}}; }
constexpr Expectation expectation(const grammar::class_specifier*) { return {Missing::name, {}, {}}; }
constexpr Expectation expectation(const grammar::short_class_specifier*) { return {Missing::name, {}, {}}; }
constexpr Expectation expectation(const grammar::type_specifier*) { return {Missing::name, {}, {}}; }
constexpr Expectation expectation(const grammar::component_reference*) { return {Missing::name, {}, {}}; }
constexpr Expectation expectation(const grammar::reference_name*) { return {Missing::name, {}, {}}; }
constexpr Expectation expectation(const grammar::reference_head*) { return {Missing::name, {}, {}}; }
constexpr Expectation expectation(const grammar::component_list*) { return {Missing::declaration_name, {}, {}}; }
constexpr Expectation expectation(const grammar::component_declaration*) { return {Missing::declaration_name, {}, {}}; }
constexpr Expectation expectation(const grammar::declaration*) { return {Missing::declaration_name, {}, {}}; }
constexpr Expectation expectation(const grammar::enumeration_literal*) { return {Missing::name, {}, {}}; }
constexpr Expectation expectation(const grammar::named_argument*) { return {Missing::name, {}, {}}; }
constexpr Expectation expectation(const grammar::named_argument_name*) { return {Missing::name, {}, {}}; }
constexpr Expectation expectation(const grammar::for_indices*) { return {Missing::name, {}, {}}; }
constexpr Expectation expectation(const grammar::for_index*) { return {Missing::name, {}, {}}; }
constexpr Expectation expectation(const grammar::function_call*) { return {Missing::name, {}, {}}; }
constexpr Expectation expectation(const grammar::import_list*) { return {Missing::name, {}, {}}; }
constexpr Expectation expectation(const grammar::break_target*) { return {Missing::name, {}, {}}; }
constexpr Expectation expectation(const grammar::extends_type*) { return {Missing::name, {}, {}}; }
constexpr Expectation expectation(const grammar::constraint_type*) { return {Missing::name, {}, {}}; }
constexpr Expectation expectation(const grammar::clause_type*) { return {Missing::class_or_component, {}, {}}; }
constexpr Expectation expectation(const grammar::partial_type*) { return {Missing::name, {}, {}}; }
constexpr Expectation expectation(const grammar::modified_name*) { return {Missing::name, {}, {}}; }
constexpr Expectation expectation(const grammar::element_modification*) { return {Missing::name, {}, {}}; }
constexpr Expectation expectation(const grammar::expression*) { return {Missing::expression, {}, {}}; }
constexpr Expectation expectation(const grammar::simple_expression*) { return {Missing::expression, {}, {}}; }
constexpr Expectation expectation(const grammar::pure_function*) { return {Missing::keyword, "'function'", {}}; }
constexpr Expectation expectation(const grammar::any_argument*) { return {Missing::expression, {}, {}}; }
constexpr Expectation expectation(const grammar::function_argument*) { return {Missing::expression, {}, {}}; }
constexpr Expectation expectation(const grammar::modification_expression*) { return {Missing::expression, {}, {}}; }
constexpr Expectation expectation(const grammar::array_arguments*) { return {Missing::expression, {}, {}}; }
constexpr Expectation expectation(const grammar::expression_list*) { return {Missing::expression, {}, {}}; }
constexpr Expectation expectation(const grammar::matrix_row*) { return {Missing::expression, {}, {}}; }
constexpr Expectation expectation(const grammar::subscript*) { return {Missing::expression, {}, {}}; }
constexpr Expectation expectation(const grammar::logical_expression*) { return {Missing::operand, {}, {}}; }
constexpr Expectation expectation(const grammar::logical_term*) { return {Missing::operand, {}, {}}; }
constexpr Expectation expectation(const grammar::logical_factor*) { return {Missing::operand, {}, {}}; }
constexpr Expectation expectation(const grammar::relation*) { return {Missing::operand, {}, {}}; }
constexpr Expectation expectation(const grammar::arithmetic_expression*) { return {Missing::operand, {}, {}}; }
constexpr Expectation expectation(const grammar::term*) { return {Missing::operand, {}, {}}; }
constexpr Expectation expectation(const grammar::factor*) { return {Missing::operand, {}, {}}; }
constexpr Expectation expectation(const grammar::primary*) { return {Missing::operand, {}, {}}; }
constexpr Expectation expectation(const grammar::argument*) { return {Missing::argument, {}, {}}; }
constexpr Expectation expectation(const grammar::argument_or_inheritance_modification*) {
  return {Missing::argument, {}, {}};
}
constexpr Expectation expectation(const grammar::class_definition*) { return {Missing::class_definition, {}, {}}; }
constexpr Expectation expectation(const grammar::class_prefixes*) { return {Missing::class_definition, {}, {}}; }
constexpr Expectation expectation(const grammar::end_of_file*) { return {Missing::end_of_file, {}, {}}; }
constexpr Expectation expectation(const grammar::class_end*) { return {Missing::class_end, {}, {}}; }
constexpr Expectation expectation(const grammar::statement_rest*) { return {Missing::statement_rest, {}, {}}; }

}  // namespace mosim::parser
