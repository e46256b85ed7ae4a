#pragma once
// The grammar: a PEGTL struct per production of the specification's appendix "Modelica Concrete Syntax" (MLS 3.7,
// appendix A), under its name, in its order, to be read side by side with it. A hyphen becomes an underscore.
//
// Structs that are no production of the appendix stand under the production they serve: they are the places an action
// hangs on, the look-ahead, and what left-factoring calls for. After its first token each alternative is committed
// (must), so that an action, once run, is never undone, and every syntax error is the first thing that does not fit.
// Where a list has members, a branch a head and a class an end, recovery.hpp takes an error and goes on.

#include "parser/recovery.hpp"
#include "parser/terminals.hpp"

namespace mosim::parser::grammar {

namespace pegtl = tao::pegtl;
using pegtl::if_must;
using pegtl::must;
using pegtl::opt;
using pegtl::plus;
using pegtl::seq;
using pegtl::sor;
using pegtl::star;
using pegtl::success;

// clang-format off

// ---- A.1 Lexical conventions ------------------------------------------------------------------------------------

struct NON_DIGIT : pegtl::identifier_first {};
struct DIGIT : pegtl::digit {};

struct escaped_character : pegtl::one<'\'', '"', '?', '\\', 'a', 'b', 'f', 'n', 'r', 't', 'v'> {};
struct S_ESCAPE : if_must<pegtl::one<'\\'>, escaped_character> {};

struct Q_CHAR : sor<NON_DIGIT, DIGIT,
                    pegtl::one<' ', '"', '.', ',', ':', ';', '!', '?', '@', '#', '$',
                               '+', '-', '*', '/', '^', '=', '&', '|', '~', '%',
                               '<', '>', '(', ')', '[', ']', '{', '}', '`'>> {};
struct closing_quote : pegtl::one<'\''> {};
struct Q_IDENT : if_must<pegtl::one<'\''>, star<sor<Q_CHAR, S_ESCAPE>>, closing_quote> {};

struct IDENT : sor<plain_identifier, token<Q_IDENT>> {};

struct S_CHAR : pegtl::not_one<'"', '\\'> {};
struct closing_double_quote : pegtl::one<'"'> {};
struct STRING : token<if_must<pegtl::one<'"'>, star<sor<S_CHAR, S_ESCAPE>>, closing_double_quote>> {};

struct UNSIGNED_INTEGER : plus<DIGIT> {};
struct exponent : seq<pegtl::one<'e', 'E'>, opt<pegtl::one<'+', '-'>>, plus<DIGIT>> {};
struct UNSIGNED_REAL : sor<seq<plus<DIGIT>, sor<seq<pegtl::one<'.'>, star<DIGIT>, opt<exponent>>, exponent>>,
                           seq<pegtl::one<'.'>, plus<DIGIT>, opt<exponent>>> {};

// Symbols: each takes the longest run of characters that is one.
struct equals : symbol<'=', '='> {};
struct assigns : symbol_of_two<':', '='> {};
struct colon : symbol<':', '='> {};
struct comma : symbol<','> {};

struct name;
struct type_specifier;
struct description;
struct description_string;
struct annotation_clause;
struct class_modification;
struct class_specifier;
struct composition;
struct element_list;
struct element;
struct component_clause;
struct constraining_clause;
struct modification;
struct argument;
struct equation_section;
struct algorithm_section;
struct some_equation;
struct statement;
struct expression;
struct expression_list;
struct simple_expression;
struct component_reference;
struct function_call_args;
struct array_subscripts;
struct output_expression_list;

// ---- A.2.1 Stored definition: within ----------------------------------------------------------------------------

struct class_definition;

struct element_member;
struct equation_member;
struct statement_member;
using all_lists = lists<element_member, equation_member, statement_member>;

struct within_clause : if_must<key<Keyword::within>, opt<name>, closing<semicolon_after<within_clause>>> {};
struct within_member : member<within_clause, Section::none, all_lists> {};

struct stored_final : key<Keyword::final_> {};
struct stored_class : seq<sor<if_must<stored_final, class_definition>, class_definition>,
                          closing<semicolon_after<class_definition>>> {};
struct stored_member : member<stored_class, Section::none, all_lists> {};
struct end_of_file : pegtl::eof {};
struct stored_definition : seq<opt<within_member>, star<sor<stored_member, top_misfits<end_of_file>>>> {};

// ---- A.2.2 Class definition -------------------------------------------------------------------------------------

struct at_class_prefix : at_key<Keyword::encapsulated, Keyword::partial, Keyword::class_, Keyword::model, Keyword::record,
                                Keyword::operator_, Keyword::block, Keyword::expandable, Keyword::connector,
                                Keyword::type, Keyword::package, Keyword::pure, Keyword::impure, Keyword::function> {};

struct class_prefixes;
struct class_definition : nested<if_must<at_class_prefix, opt<prefix<Keyword::encapsulated>>, class_prefixes,
                                         class_specifier>> {};

// "operator" is left-factored out of three alternatives.
struct operator_function : if_must<prefix<Keyword::operator_>, prefix<Keyword::function>> {};
struct pure_function : sor<operator_function, prefix<Keyword::function>> {};
struct class_prefixes : seq<
    opt<prefix<Keyword::partial>>,
    sor<prefix<Keyword::class_>,
        prefix<Keyword::model>,
        prefix<Keyword::record>,
        prefix<Keyword::block>,
        if_must<prefix<Keyword::expandable>, prefix<Keyword::connector>>,
        prefix<Keyword::connector>,
        prefix<Keyword::type>,
        prefix<Keyword::package>,
        if_must<sor<prefix<Keyword::pure>, prefix<Keyword::impure>>, pure_function>,
        prefix<Keyword::function>,
        seq<prefix<Keyword::operator_>, opt<sor<prefix<Keyword::record>, prefix<Keyword::function>>>>>> {};

struct long_class_specifier;
struct short_class_specifier;
struct der_class_specifier;
struct class_specifier : sor<der_class_specifier, if_must<at_identifier_and<'=', '='>, short_class_specifier>,
                             long_class_specifier> {};

struct class_name : seq<IDENT> {};
struct class_extends : key<Keyword::extends> {};
struct class_extends_modification : seq<class_modification> {};
struct class_description : seq<description_string> {};
struct class_end : if_must<at_end_of_class, key<Keyword::end>, IDENT> {};
struct long_class_head : sor<
    if_must<class_name, class_description>,
    if_must<class_extends, class_name, opt<class_extends_modification>, class_description>> {};
struct long_class_specifier : seq<class_head<long_class_head>, composition, class_closing<class_end, composition>> {};

struct base_prefix;
struct enum_list;
struct enumeration_begin : open<'('> {};
struct open_enumeration : seq<colon> {};
struct enumeration_specifier : if_must<at_identifier_equals_key<Keyword::enumeration>,
    class_name, equals, key<Keyword::enumeration>, enumeration_begin, sor<open_enumeration, enum_list, success>,
    close<')'>, description> {};
struct short_class_subscripts : seq<array_subscripts> {};
struct short_class_modification : seq<class_modification> {};
struct alias_specifier : if_must<class_name, equals, base_prefix, type_specifier,
    opt<short_class_subscripts>, opt<short_class_modification>, description> {};
struct short_class_specifier : sor<enumeration_specifier, alias_specifier> {};

struct derivative_begin : open<'('> {};
struct der_class_specifier : if_must<at_identifier_equals_key<Keyword::der>,
    class_name, equals, key<Keyword::der>, derivative_begin, type_specifier, comma, IDENT, star<if_must<comma, IDENT>>,
    close<')'>, description> {};

struct base_prefix : opt<sor<prefix<Keyword::input>, prefix<Keyword::output>>> {};

struct enumeration_literal;
struct enum_list : seq<enumeration_literal, star<if_must<comma, enumeration_literal>>> {};

struct enumeration_literal_name : seq<IDENT> {};
struct enumeration_literal : seq<enumeration_literal_name, description> {};

struct language_specification;
struct external_function_call;
struct public_section : key<Keyword::public_> {};
struct protected_section : key<Keyword::protected_> {};
struct external_begin : key<Keyword::external> {};
struct external_annotation : seq<annotation_clause> {};
struct external_clause : if_must<external_begin, opt<language_specification>, opt<external_function_call>,
                                 opt<external_annotation>, closing<semicolon_after<external_clause>>> {};
struct external_member : member<external_clause, Section::none, all_lists> {};
struct class_annotation : seq<annotation_clause> {};
struct annotation_member : member<if_must<class_annotation, closing<semicolon_after<annotation_clause>>>, Section::ended, all_lists> {};
struct composition : seq<
    element_list,
    star<sor<if_must<public_section, element_list>,
             if_must<protected_section, element_list>,
             equation_section,
             algorithm_section>>,
    opt<external_member>,
    opt<annotation_member>> {};

struct language_specification : seq<STRING> {};

struct external_arguments_begin : open<'('> {};
struct external_result : if_must<component_reference, equals> {};
struct external_function_call : if_must<at_name_or_key<>,
    sor<at_identifier_and<'('>, external_result>, IDENT, external_arguments_begin, opt<expression_list>, close<')'>> {};

struct element_member : member<seq<element, closing<semicolon_after<element>>>, Section::elements, all_lists> {};
struct element_list : star<sor<element_member, misfits<all_lists>>> {};

struct import_clause;
struct extends_clause;
struct at_element : at_name_or_key<
    Keyword::redeclare, Keyword::final_, Keyword::inner, Keyword::outer, Keyword::replaceable,
    Keyword::encapsulated, Keyword::partial, Keyword::class_, Keyword::model, Keyword::record, Keyword::operator_,
    Keyword::block, Keyword::expandable, Keyword::connector, Keyword::type, Keyword::package, Keyword::pure,
    Keyword::impure, Keyword::function, Keyword::flow, Keyword::stream, Keyword::discrete, Keyword::parameter,
    Keyword::constant, Keyword::input, Keyword::output, Keyword::import_, Keyword::extends> {};
struct element_begin : at_element {};
struct element_prefixes : seq<opt<prefix<Keyword::redeclare>>, opt<prefix<Keyword::final_>>, opt<prefix<Keyword::inner>>,
                              opt<prefix<Keyword::outer>>, opt<prefix<Keyword::replaceable>>> {};
struct element_class : seq<class_definition> {};
struct element_components : seq<component_clause> {};
struct class_or_components : sor<element_class, element_components> {};
struct element_constraint : seq<constraining_clause, description> {};
struct element : if_must<element_begin, sor<
    import_clause,
    extends_clause,
    seq<element_prefixes, must<class_or_components>, opt<element_constraint>>>> {};

struct import_list;
struct import_begin : key<Keyword::import_> {};
struct import_renamed : if_must<at_identifier_and<'=', '='>, IDENT, equals, name> {};
struct import_unqualified : sor<symbol_of_two<'.', '*'>> {};
struct import_star : symbol<'*'> {};
struct import_list_begin : open<'{'> {};
struct import_some : if_must<import_list_begin, import_list, close<'}'>> {};
struct import_members : sor<import_star, import_some> {};
struct import_clause : if_must<import_begin,
    sor<import_renamed, seq<must<name>, opt<sor<import_unqualified, if_must<symbol<'.'>, import_members>>>>>,
    description> {};

struct import_list : seq<must<IDENT>, star<if_must<comma, IDENT>>> {};

// ---- A.2.3 Extends ----------------------------------------------------------------------------------------------

struct class_or_inheritance_modification;
struct extends_type : seq<type_specifier> {};
struct extends_modification : seq<class_or_inheritance_modification> {};
struct extends_annotation : seq<annotation_clause> {};
struct extends_clause : if_must<key<Keyword::extends>, extends_type, opt<extends_modification>,
                                opt<extends_annotation>> {};

struct constraint_type : seq<type_specifier> {};
struct constraint_modification : seq<class_modification> {};
struct constraining_clause : if_must<key<Keyword::constrainedby>, constraint_type, opt<constraint_modification>> {};

struct argument_or_inheritance_modification_list;
struct arguments_begin : open<'('> {};
struct class_or_inheritance_modification : nested<if_must<arguments_begin,
    opt<argument_or_inheritance_modification_list>, close<')'>>> {};

struct inheritance_modification;
struct argument_or_inheritance_modification : sor<inheritance_modification, argument> {};
struct argument_or_inheritance_modification_list : seq<
    argument_or_inheritance_modification, star<if_must<comma, argument_or_inheritance_modification>>> {};

struct connect_equation;
struct break_begin : key<Keyword::break_> {};
struct break_connect : seq<connect_equation> {};
struct break_component : seq<IDENT> {};
struct break_target : sor<break_connect, break_component> {};
struct inheritance_modification : if_must<break_begin, break_target> {};

// ---- A.2.4 Component clause -------------------------------------------------------------------------------------

struct type_prefix;
struct component_list;
struct clause_type : seq<type_specifier> {};
struct clause_subscripts : seq<array_subscripts> {};
struct component_clause : seq<type_prefix, must<clause_type>, opt<clause_subscripts>, must<component_list>> {};

struct type_prefix : seq<
    opt<sor<prefix<Keyword::flow>, prefix<Keyword::stream>>>,
    opt<sor<prefix<Keyword::discrete>, prefix<Keyword::parameter>, prefix<Keyword::constant>>>,
    opt<sor<prefix<Keyword::input>, prefix<Keyword::output>>>> {};

struct component_declaration;
struct component_list : seq<component_declaration, star<if_must<comma, component_declaration>>> {};

struct declaration;
struct condition_attribute;
struct declaration_description : seq<description> {};
struct component_declaration : seq<declaration, opt<condition_attribute>, declaration_description> {};

struct condition_attribute : if_must<key<Keyword::if_>, expression> {};

struct declared_name : seq<IDENT> {};
struct declared_subscripts : seq<array_subscripts> {};
struct declared_modification : seq<modification> {};
struct declaration : seq<declared_name, opt<declared_subscripts>, opt<declared_modification>> {};

// ---- A.2.5 Modification -----------------------------------------------------------------------------------------

struct modification_expression;
struct old_equals : symbol_of_two<':', '='> {};   // of old libraries: no longer in the appendix
struct binding_symbol : sor<equals, old_equals> {};
struct binding_after_arguments : if_must<binding_symbol, modification_expression> {};
struct binding : if_must<binding_symbol, modification_expression> {};
struct modification : sor<seq<class_modification, opt<binding_after_arguments>>, binding> {};

struct binding_break : key<Keyword::break_> {};
struct modification_expression : sor<expression, binding_break> {};

struct argument_list;
struct class_modification : nested<if_must<arguments_begin, opt<argument_list>, close<')'>>> {};

struct argument_list : seq<argument, star<if_must<comma, argument>>> {};

struct element_modification_or_replaceable;
struct element_redeclaration;
struct at_argument : at_name_or_key<Keyword::each, Keyword::final_, Keyword::redeclare, Keyword::replaceable> {};
struct argument_begin : at_argument {};
struct argument : if_must<argument_begin, sor<element_redeclaration, element_modification_or_replaceable>> {};

struct element_modification;
struct element_replaceable;
struct argument_prefixes : seq<opt<prefix<Keyword::each>>, opt<prefix<Keyword::final_>>> {};
struct element_modification_or_replaceable : seq<argument_prefixes,
    sor<element_replaceable, must<element_modification>>> {};

struct modified_name : seq<name> {};
struct modified_value : seq<modification> {};
struct element_modification : seq<modified_name, opt<modified_value>, description_string> {};

struct short_class_definition;
struct component_clause1;
struct redeclare_begin : key<Keyword::redeclare> {};
struct redeclared_class : seq<short_class_definition> {};
struct redeclared_component : seq<component_clause1> {};
struct redeclared_element : sor<redeclared_class, redeclared_component> {};
struct element_redeclaration : if_must<redeclare_begin, argument_prefixes,
    sor<element_replaceable, must<redeclared_element>>> {};

struct replaceable_begin : key<Keyword::replaceable> {};
struct argument_constraint : seq<constraining_clause> {};
struct element_replaceable : if_must<replaceable_begin, redeclared_element, opt<argument_constraint>> {};

struct component_declaration1;
struct component_clause1 : seq<type_prefix, clause_type, component_declaration1> {};

struct component_declaration1 : seq<must<declaration>, declaration_description> {};

struct short_class_definition : if_must<at_class_prefix, class_prefixes, short_class_specifier> {};

// ---- A.2.6 Equations --------------------------------------------------------------------------------------------

struct at_equation_section : sor<at_key<Keyword::equation>, at_keys<Keyword::initial, Keyword::equation>> {};
struct at_algorithm_section : sor<at_key<Keyword::algorithm>, at_keys<Keyword::initial, Keyword::algorithm>> {};

struct equations_begin : key<Keyword::equation> {};
struct equation_member : member<seq<some_equation, closing<semicolon_after<some_equation>>>, Section::equations, all_lists> {};
struct equation_list : star<sor<equation_member, misfits<all_lists>>> {};
struct section_equations : seq<equation_list> {};
struct equation_section : if_must<at_equation_section, opt<prefix<Keyword::initial>>, equations_begin,
                                  section_equations> {};

struct algorithm_begin : key<Keyword::algorithm> {};
struct statement_member : member<seq<statement, closing<semicolon_after<statement>>>, Section::algorithm, all_lists> {};
struct statement_list : star<sor<statement_member, misfits<all_lists>>> {};
struct section_statements : seq<statement_list> {};
struct algorithm_section : if_must<at_algorithm_section, opt<prefix<Keyword::initial>>, algorithm_begin,
                                   section_statements> {};

struct equation_or_procedure;
struct if_equation;
struct for_equation;
struct when_equation;
struct equation_description : seq<description> {};
struct some_equation : nested<seq<sor<if_equation, for_equation, connect_equation, when_equation, equation_or_procedure>,
                                  equation_description>> {};

// Left-factored, as the specification advises: that an expression alone is a call is checked by its action.
struct equation_right : if_must<equals, expression> {};
struct equation_call : success {};
struct equation_or_procedure : if_must<at_expression, simple_expression, sor<equation_right, equation_call>> {};

struct multiple_assignment;
struct break_statement : key<Keyword::break_> {};
struct return_statement : key<Keyword::return_> {};
struct if_statement;
struct for_statement;
struct while_statement;
struct when_statement;
struct statement_or_procedure;
struct statement_description : seq<description> {};
struct statement : nested<seq<sor<if_statement, for_statement, while_statement, when_statement, break_statement,
                                  return_statement, multiple_assignment, statement_or_procedure>,
                              statement_description>> {};

struct targets_begin : open<'('> {};
struct targets_end : close<')'> {};
struct function_call;
struct multiple_assignment : if_must<targets_begin, output_expression_list, targets_end, assigns, function_call> {};

struct assignment_value : if_must<assigns, expression> {};
struct call_statement : seq<function_call_args> {};
struct statement_rest : sor<assignment_value, call_statement> {};
struct derivative_assignment : if_must<key<Keyword::der>, open<'('>, component_reference, close<')'>, assigns,
                                       expression> {};
struct statement_or_procedure : sor<if_must<component_reference, statement_rest>, derivative_assignment> {};

struct function_call : seq<component_reference, must<function_call_args>> {};

// then and else of a branch, loop: what follows them is collected.
struct condition_then : key<Keyword::then> {};
struct loop_body : key<Keyword::loop> {};
struct else_body : key<Keyword::else_> {};
struct branch_elseif : key<Keyword::elseif> {};
struct branch_elsewhen : key<Keyword::elsewhen> {};
struct if_begin : block_begin<Keyword::if_> {};
struct for_begin : block_begin<Keyword::for_> {};
struct while_begin : block_begin<Keyword::while_> {};
struct when_begin : block_begin<Keyword::when> {};
struct branch_equations : seq<equation_list> {};
struct branch_statements : seq<statement_list> {};

// What stands in for a head that cannot be read.
struct true_condition { static void push(Input& in, Builder& b); };
struct false_condition { static void push(Input& in, Builder& b); };
struct no_indices { static void push(Input& in, Builder& b); };
struct branch_head : head<expression, condition_then, Keyword::then, true_condition> {};

template <Keyword K, class Body>
struct end_of_block : block_closing<block_end<K>, Body> {};

struct if_equation : if_must<if_begin, branch_head,
        branch_equations,
    star<if_must<branch_elseif, branch_head,
        branch_equations>>,
    opt<if_must<else_body, brace_behind_else,
        branch_equations>>,
    end_of_block<Keyword::if_, branch_equations>> {};

struct if_statement : if_must<if_begin, branch_head,
        branch_statements,
    star<if_must<branch_elseif, branch_head,
        branch_statements>>,
    opt<if_must<else_body, brace_behind_else,
        branch_statements>>,
    end_of_block<Keyword::if_, branch_statements>> {};

struct for_indices;
struct for_head : head<for_indices, loop_body, Keyword::loop, no_indices> {};
struct for_equation : if_must<for_begin, for_head,
        branch_equations,
    end_of_block<Keyword::for_, branch_equations>> {};

struct for_statement : if_must<for_begin, for_head,
        branch_statements,
    end_of_block<Keyword::for_, branch_statements>> {};

struct for_index;
struct for_indices : seq<for_index, star<if_must<comma, for_index>>> {};

struct for_index_name : seq<IDENT> {};
struct for_index_range : if_must<key<Keyword::in>, expression> {};
struct for_index : seq<for_index_name, opt<for_index_range>> {};

struct while_head : head<expression, loop_body, Keyword::loop, false_condition> {};
struct while_statement : if_must<while_begin, while_head,
        branch_statements,
    end_of_block<Keyword::while_, branch_statements>> {};

struct when_equation : if_must<when_begin, branch_head,
        branch_equations,
    star<if_must<branch_elsewhen, branch_head,
        branch_equations>>,
    end_of_block<Keyword::when, branch_equations>> {};

struct when_statement : if_must<when_begin, branch_head,
        branch_statements,
    star<if_must<branch_elsewhen, branch_head,
        branch_statements>>,
    end_of_block<Keyword::when, branch_statements>> {};

struct connect_equation : if_must<key<Keyword::connect>, open<'('>, component_reference, comma, component_reference,
                                  close<')'>> {};

// ---- A.2.7 Expressions ------------------------------------------------------------------------------------------

struct if_expression_begin : key<Keyword::if_> {};
struct if_expression : if_must<if_expression_begin, expression, key<Keyword::then>, expression,
    star<if_must<key<Keyword::elseif>, expression, key<Keyword::then>, expression>>,
    key<Keyword::else_>, expression> {};
struct expression : nested<sor<if_expression, simple_expression>> {};

struct logical_expression;
struct range_of_three : if_must<colon, logical_expression> {};
struct range_of_two : success {};
struct simple_expression : seq<logical_expression,
                               opt<if_must<colon, logical_expression, sor<range_of_three, range_of_two>>>> {};

struct logical_term;
struct or_term : if_must<key<Keyword::or_>, logical_term> {};
struct logical_expression : seq<logical_term, star<or_term>> {};

struct logical_factor;
struct and_factor : if_must<key<Keyword::and_>, logical_factor> {};
struct logical_term : seq<logical_factor, star<and_factor>> {};

struct relation;
struct not_relation : if_must<key<Keyword::not_>, relation> {};
struct logical_factor : sor<not_relation, relation> {};

struct relational_operator;
struct arithmetic_expression;
struct right_of_relation : if_must<relational_operator, arithmetic_expression> {};
struct relation : seq<arithmetic_expression, opt<right_of_relation>> {};

struct relational_operator : sor<symbol_of_two<'<', '='>, symbol_of_two<'<', '>'>, symbol<'<'>,
                                 symbol_of_two<'>', '='>, symbol<'>'>, symbol_of_two<'=', '='>> {};

struct add_operator;
struct term;
struct signed_term : if_must<add_operator, term> {};
struct added_term : if_must<add_operator, term> {};
struct arithmetic_expression : seq<sor<signed_term, term>, star<added_term>> {};

struct add_operator : sor<symbol<'+', '+', '='>, symbol<'-', '-', '='>,
                          symbol_of_two<'.', '+'>, symbol_of_two<'.', '-'>> {};

struct mul_operator;
struct factor;
struct multiplied_factor : if_must<mul_operator, factor> {};
struct term : seq<factor, star<multiplied_factor>> {};

struct mul_operator : sor<symbol<'*', '*', '='>, symbol<'/', '='>, symbol_of_two<'.', '*'>, symbol_of_two<'.', '/'>> {};

struct primary;
struct power_operator : sor<symbol<'^'>, symbol_of_two<'.', '^'>> {};
struct raised_primary : if_must<power_operator, primary> {};
struct factor : seq<primary, opt<raised_primary>> {};

struct unsigned_number;
struct string_primary : seq<STRING> {};
struct false_primary : key<Keyword::false_> {};
struct true_primary : key<Keyword::true_> {};
struct time_primary : key<Keyword::time> {};
struct special_function : sor<prefix<Keyword::der>, prefix<Keyword::initial>, prefix<Keyword::pure>> {};
struct special_call : if_must<special_function, function_call_args> {};
struct primary_arguments : seq<function_call_args> {};
struct primary_reference : success {};
struct reference_or_call : seq<component_reference, sor<primary_arguments, primary_reference>> {};
struct parenthesis_begin : open<'('> {};
struct parenthesis_end : close<')'> {};
struct parenthesis_subscripts : seq<array_subscripts> {};
struct parenthesis_member : if_must<dot, IDENT> {};
struct parenthesized : if_must<parenthesis_begin, output_expression_list, parenthesis_end,
                               opt<sor<parenthesis_subscripts, parenthesis_member>>> {};
struct matrix_begin : open<'['> {};
struct matrix_row : seq<expression_list> {};
struct matrix : if_must<matrix_begin, matrix_row, star<if_must<symbol<';'>, matrix_row>>, close<']'>> {};
struct array_arguments;
struct array_begin : open<'{'> {};
struct array : if_must<array_begin, array_arguments, close<'}'>> {};
struct primary : sor<
    reference_or_call,
    unsigned_number,
    string_primary,
    parenthesized,
    array,
    matrix,
    false_primary,
    true_primary,
    time_primary,
    special_call,
    end_of_dimension> {};

struct unsigned_number : token<sor<UNSIGNED_REAL, UNSIGNED_INTEGER>> {};

struct type_specifier : sor<if_must<dot, name>, name> {};

struct name_head : seq<IDENT> {};
struct name : seq<name_head, star<if_must<dot, IDENT>>> {};

struct reference_head : seq<IDENT> {};
struct reference_name : seq<IDENT> {};
struct reference_subscripts : seq<array_subscripts> {};
struct component_reference : seq<sor<if_must<dot, reference_head>, reference_head>, opt<reference_subscripts>,
                                 star<if_must<dot, reference_name, opt<reference_subscripts>>>> {};

// result-reference describes result files and no model: nothing here refers to it.

struct function_arguments;
struct call_begin : open<'('> {};
struct function_call_args : if_must<call_begin, opt<function_arguments>, close<')'>> {};

// That no positional argument follows a named one is checked by its action; so the tails need no recursion.
struct named_argument;
struct function_argument;
struct function_partial_application;
struct comprehension_begin : key<Keyword::for_> {};
struct comprehension : if_must<comprehension_begin, for_indices> {};
struct positional_argument : seq<function_argument> {};
struct any_argument : sor<named_argument, positional_argument> {};
struct function_arguments_non_first : star<if_must<comma, any_argument>> {};
struct function_arguments : seq<any_argument, sor<comprehension, function_arguments_non_first>> {};

struct array_arguments_non_first;
struct array_arguments : seq<expression, sor<comprehension, array_arguments_non_first>> {};

struct array_arguments_non_first : star<if_must<comma, expression>> {};

struct named_arguments : seq<named_argument, star<if_must<comma, named_argument>>> {};

struct named_argument_name : seq<IDENT> {};
struct named_argument : if_must<at_identifier_and<'=', '='>, named_argument_name, equals, function_argument> {};

struct function_argument : sor<function_partial_application, expression> {};

struct partial_type : seq<type_specifier> {};
struct function_partial_application : if_must<key<Keyword::function>, partial_type, call_begin, opt<named_arguments>,
                                              close<')'>> {};

struct no_expression : success {};
struct output_member : sor<expression, no_expression> {};
struct output_expression_list : seq<output_member, star<if_must<comma, output_member>>> {};

struct expression_list : seq<expression, star<if_must<comma, expression>>> {};

struct subscript;
struct subscripts_begin : open<'['> {};
struct array_subscripts : subscripted<if_must<subscripts_begin, subscript, star<if_must<comma, subscript>>,
                                              close<']'>>> {};

struct whole_dimension : seq<colon> {};
struct subscript_expression : seq<expression> {};
struct subscript : sor<whole_dimension, subscript_expression> {};

struct description_annotation : seq<annotation_clause> {};
struct description : seq<description_string, opt<description_annotation>> {};

struct description_string : opt<STRING, star<if_must<symbol<'+'>, STRING>>> {};

struct annotation_clause : if_must<key<Keyword::annotation>, class_modification> {};

// clang-format on

}  // namespace mosim::parser::grammar
