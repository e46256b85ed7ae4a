#pragma once
// What each part of a program is made of, said once: writing and reading (file.cpp) visit it here. A field that
// is added to a struct and not to its line does not compile, as a structured binding names all or none.

#include <concepts>
#include <type_traits>

#include "program/file.hpp"
#include "runtime/opcode.hpp"
#include "runtime/program.hpp"

namespace mosim::program {

/// T or const T.
template <class S, class T>
concept Is = std::same_as<std::remove_const_t<S>, T>;

// clang-format off
template <class A, Is<runtime::Instruction> S> void fields(A& a, S& x) { auto& [op, to, b, c, d] = x; a(op, to, b, c, d); }
template <class A, Is<runtime::Lanes> S> void fields(A& a, S& x) { auto& [first, stride, how] = x; a(first, stride, how); }
template <class A, Is<runtime::Kernel::Row> S> void fields(A& a, S& x) { auto& [op, to, b, c, d, origin] = x; a(op, to, b, c, d, origin); }
template <class A, Is<runtime::Kernel> S> void fields(A& a, S& x) { auto& [count, rows] = x; a(count, rows); }
template <class A, Is<runtime::Spot> S> void fields(A& a, S& x) {
  auto& [path, line, column, end_column, line_text] = x;
  a(path, line, column, end_column, line_text);
}
template <class A, Is<runtime::Mention> S> void fields(A& a, S& x) { auto& [slot, variable, part] = x; a(slot, variable, part); }
template <class A, Is<runtime::Origins::End> S> void fields(A& a, S& x) { auto& [spot, text, mention] = x; a(spot, text, mention); }
template <class A, Is<runtime::Origins> S> void fields(A& a, S& x) { auto& [ends, spots, texts, mentions] = x; a(ends, spots, texts, mentions); }
template <class A, Is<runtime::Variable> S> void fields(A& a, S& x) {
  auto& [name, meaning, description, unit, display_unit, quantity, literals, text, slot, origin, type, kind, negated, is_protected, hidden, input,
         output, steady] = x;
  a(name, meaning, description, unit, display_unit, quantity, type, kind, slot, negated, is_protected, hidden, input, output, steady, origin,
    literals, text);
}
template <class A, Is<runtime::State> S> void fields(A& a, S& x) { auto& [variable, nominal] = x; a(variable, nominal); }
template <class A, Is<runtime::Pre> S> void fields(A& a, S& x) { auto& [value, pre, discrete, variable] = x; a(value, pre, discrete, variable); }
template <class A, Is<runtime::Relation> S> void fields(A& a, S& x) {
  auto& [comparison, time_event, rising, instant, epsilon, origin, quiet] = x;
  a(comparison, time_event, rising, instant, epsilon, origin, quiet);
}
template <class A, Is<runtime::EventFunction> S> void fields(A& a, S& x) { auto& [rounding, epsilon, origin] = x; a(rounding, epsilon, origin); }
template <class A, Is<runtime::Sample> S> void fields(A& a, S& x) { auto& [start, interval, flag, origin] = x; a(start, interval, flag, origin); }
template <class A, Is<runtime::SubClock> S> void fields(A& a, S& x) {
  auto& [tick, interval, first, factor, shift, origin] = x;
  a(tick, interval, first, factor, shift, origin);
}
template <class A, Is<runtime::BaseClock> S> void fields(A& a, S& x) {
  auto& [kind, counter, resolution, interval, varying, condition, start_interval, subdivision, clocks, origin] = x;
  a(kind, counter, resolution, interval, varying, condition, start_interval, subdivision, clocks, origin);
}
template <class A, Is<foreign::Type> S> void fields(A& a, S& x) { auto& [kind, parts, literals] = x; a(kind, parts, literals); }
template <class A, Is<foreign::Parameter> S> void fields(A& a, S& x) { auto& [type, array, result] = x; a(type, array, result); }
template <class A, Is<foreign::Code> S> void fields(A& a, S& x) {
  auto& [include, include_folders, libraries, library_folders, companions] = x;
  a(include, include_folders, libraries, library_folders, companions);
}
template <class A, Is<foreign::Function> S> void fields(A& a, S& x) {
  auto& [name, code, returns, parameters, acts] = x;
  a(name, code, returns, parameters, acts);
}
template <class A, Is<runtime::External::Operand> S> void fields(A& a, S& x) {
  auto& [kind, result, real, slots, array] = x;
  a(kind, result, real, slots, array);
}
template <class A, Is<runtime::External> S> void fields(A& a, S& x) {
  auto& [function, fortran, operands, foreign, destructor] = x;
  a(function, fortran, operands, foreign, destructor);
}
template <class A, Is<runtime::CallOnce> S> void fields(A& a, S& x) { auto& [done, end] = x; a(done, end); }
template <class A, Is<runtime::Reinit> S> void fields(A& a, S& x) { auto& [state, origin, when, turns] = x; a(state, origin, when, turns); }
template <class A, Is<runtime::Delay> S> void fields(A& a, S& x) {
  auto& [value, maximum, lag, discrete, origin, varying] = x;
  a(value, maximum, lag, discrete, origin, varying);
}
template <class A, Is<runtime::SpatialDistribution> S> void fields(A& a, S& x) {
  auto& [in0, in1, position, positive, points, values, origin, events] = x;
  a(in0, in1, position, positive, points, values, origin, events);
}
template <class A, Is<runtime::Format> S> void fields(A& a, S& x) {
  auto& [minimum_length, left_justified, significant_digits, c_format] = x;
  a(minimum_length, left_justified, significant_digits, c_format);
}
template <class A, Is<runtime::Text::Piece> S> void fields(A& a, S& x) {
  auto& [text, value, type, format, literals] = x;
  a(text, value, type, format, literals);
}
template <class A, Is<runtime::Text> S> void fields(A& a, S& x) { auto& [code, pieces] = x; a(code, pieces); }
template <class A, Is<runtime::Assertion> S> void fields(A& a, S& x) { auto& [warning, message, origin, ours] = x; a(warning, message, origin, ours); }
template <class A, Is<runtime::Termination> S> void fields(A& a, S& x) { auto& [message, origin] = x; a(message, origin); }
template <class A, Is<runtime::WhenCondition> S> void fields(A& a, S& x) { auto& [value, pre, origin] = x; a(value, pre, origin); }
template <class A, Is<runtime::When> S> void fields(A& a, S& x) { auto& [fired, conditions, origin] = x; a(fired, conditions, origin); }
template <class A, Is<runtime::Transition> S> void fields(A& a, S& x) {
  auto& [tick, fired, number, from, to, delayed, origin] = x;
  a(tick, fired, number, from, to, delayed, origin);
}
template <class A, Is<runtime::Block> S> void fields(A& a, S& x) {
  auto& [linear, unknowns, residuals, nominal, names, code, body, first_own, last_own, origin, untorn, residual_origins] = x;
  a(linear, unknowns, residuals, nominal, names, code, body, first_own, last_own, origin, untorn, residual_origins);
}
template <class A, Is<runtime::Mixed::Held> S> void fields(A& a, S& x) { auto& [is_relation, number, value, held] = x; a(is_relation, number, value, held); }
template <class A, Is<runtime::Mixed> S> void fields(A& a, S& x) { auto& [held, code, origin] = x; a(held, code, origin); }
template <class A, Is<runtime::Dependence> S> void fields(A& a, S& x) { auto& [derivative, state] = x; a(derivative, state); }
template <class A, Is<runtime::StateSet::Level> S> void fields(A& a, S& x) { auto& [states, candidates] = x; a(states, candidates); }
template <class A, Is<runtime::StateSet> S> void fields(A& a, S& x) {
  auto& [levels, constraints, never, coefficients, nominal, select, states, origin] = x;
  a(levels, constraints, never, coefficients, nominal, select, states, origin);
}
template <class A, Is<runtime::Bound> S> void fields(A& a, S& x) { auto& [variable, minimum, maximum, nominal] = x; a(variable, minimum, maximum, nominal); }
template <class A, Is<runtime::Changeable> S> void fields(A& a, S& x) { auto& [variable, given, start, by_size, value] = x; a(variable, given, start, by_size, value); }
template <class A, Is<runtime::LateStart> S> void fields(A& a, S& x) { auto& [variable, value] = x; a(variable, value); }
template <class A, Is<runtime::Function> S> void fields(A& a, S& x) {
  auto& [name, entry, inputs, results, first, last, first_array, last_array, result_arrays, recursive, result_names, origin] = x;
  a(name, entry, inputs, results, first, last, first_array, last_array, result_arrays, recursive, result_names, origin);
}
template <class A, Is<runtime::Experiment> S> void fields(A& a, S& x) {
  auto& [start, stop, tolerance, interval] = x;
  a(start, stop, tolerance, interval);
}
template <class A, Is<runtime::Program> S> void fields(A& a, S& x) {
  auto& [model, description, experiment, memory, code, code_origins, kernels, lanes, origins, parameters, initial, derivatives, outputs, event, instants,
         crossings, crossings_alone, state_sets_alone, quiet, assertions, assertions_alone, initially, first_state, first_derivative, states, jacobian, variables, pre, relations, event_functions,
         samples, clocks, reinits, delays, spatial_distributions, assertions_table, terminations, whens, transitions, blocks, mixed, state_sets, starts,
         bounds, parameter_bounds, changeable, texts, functions, externals, calls_once, arrays, folders, strings, uses_homotopy, assumed_starts] = x;
  a(model, description, experiment, memory, code, code_origins, kernels, lanes, origins, parameters, initial, derivatives, outputs, event, instants,
    crossings, crossings_alone, state_sets_alone, quiet, assertions, assertions_alone, initially, first_state, first_derivative, states, jacobian, variables, pre, relations, event_functions,
    samples, clocks, reinits, delays, spatial_distributions, assertions_table, terminations, whens, transitions, blocks, mixed, state_sets, starts,
    bounds, parameter_bounds, changeable, texts, functions, externals, calls_once, arrays, folders, strings, uses_homotopy, assumed_starts);
}
template <class A, Is<Source> S> void fields(A& a, S& x) { auto& [path, text] = x; a(path, text); }
template <class A, Is<Model> S> void fields(A& a, S& x) { auto& [program, sources] = x; a(program, sources); }
// clang-format on

/// Whether it is one of the enumerators; the compiler warns of one that is missing here.
constexpr bool is_known(runtime::Opcode op) { return static_cast<std::size_t>(op) < runtime::opcode_table.size(); }
constexpr bool is_known(runtime::Type t) {
  switch (t) {
    case runtime::Type::real: case runtime::Type::integer: case runtime::Type::boolean: case runtime::Type::enumeration: case runtime::Type::string: return true;
  }
  return false;
}
constexpr bool is_known(runtime::Part p) {
  switch (p) {
    case runtime::Part::value: case runtime::Part::derivative: case runtime::Part::pre: case runtime::Part::previous: return true;
  }
  return false;
}
constexpr bool is_known(runtime::Kind k) {
  using runtime::Kind;
  switch (k) {
    case Kind::state: case Kind::derivative: case Kind::algebraic: case Kind::discrete: case Kind::parameter: case Kind::constant: return true;
  }
  return false;
}
constexpr bool is_known(runtime::Comparison c) {
  using runtime::Comparison;
  switch (c) {
    case Comparison::less: case Comparison::less_equal: case Comparison::greater: case Comparison::greater_equal: return true;
  }
  return false;
}
constexpr bool is_known(runtime::Rounding r) {
  switch (r) {
    case runtime::Rounding::floor: case runtime::Rounding::ceil: case runtime::Rounding::truncate: return true;
  }
  return false;
}
constexpr bool is_known(runtime::ClockKind k) {
  switch (k) {
    case runtime::ClockKind::rational: case runtime::ClockKind::real: case runtime::ClockKind::event: return true;
  }
  return false;
}
constexpr bool is_known(runtime::Lanes::How h) {
  switch (h) {
    case runtime::Lanes::How::strided: case runtime::Lanes::How::listed: case runtime::Lanes::How::passing: return true;
  }
  return false;
}
constexpr bool is_known(runtime::External::Operand::Kind k) {
  using Kind = runtime::External::Operand::Kind;
  switch (k) {
    case Kind::numbers: case Kind::texts: case Kind::object: return true;
  }
  return false;
}
constexpr bool is_known(foreign::Type::Kind k) {
  using Kind = foreign::Type::Kind;
  switch (k) {
    case Kind::real: case Kind::integer: case Kind::boolean: case Kind::size: case Kind::string: case Kind::object: case Kind::record: return true;
  }
  return false;
}

}  // namespace mosim::program
