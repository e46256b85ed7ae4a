#include "verify/functions.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "verify/walk.hpp"

namespace mosim::verify {

using namespace compiler;

namespace {
constexpr Number nothing{nan, nan, nan};
constexpr std::size_t most_steps = 1000000, deepest = 200;

constexpr const char* by_external = "with calls of functions that are not Modelica";
constexpr const char* by_size = "with calls of functions with arrays whose sizes the run alone knows";
constexpr const char* by_length = "with calls of functions that take long";
}  // namespace

const std::vector<std::uint32_t>& Functions::frame(FunctionId f) {
  if (values_.size() < model_.locals.size()) {
    values_.resize(model_.locals.size(), nothing);
    frames_.assign(model_.functions.size(), {});
    const Expressions& x = model_.expressions;
    for (std::uint32_t k = 0; k < model_.locals.size(); ++k) {
      const flat::Local& l = model_.locals[k];
      if (l.owner != FunctionId::none) frames_[index(l.owner)].push_back(k);
      else if (l.value != Expr::none && x.type(l.value) != BaseType::string) values_[k] = {x.op(l.value) == Op::boolean || x.op(l.value) == Op::enumeration ? double(x.payload(l.value)) : x.number(l.value), 0, 0};
    }
  }
  return frames_[index(f)];
}

Number Functions::local(LocalId l) const { return index(l) < values_.size() ? values_[index(l)] : nothing; }

Number Functions::element(LocalId first, double at) const {
  const double k = index(first) + at - 1;
  return k >= 0 && k < double(values_.size()) ? values_[std::size_t(k)] : nothing;
}

void Functions::assign(Walk& walk, std::uint32_t local, Number value) {
  value.size = std::max(value.size, std::abs(value.value));
  values_[local] = value;
  walk.known_->clear();
}

Functions::End Functions::lost(Walk& walk, const char* why) {
  walk.unknown = why;
  return End::lost;
}

std::vector<Number> Functions::call(Walk& walk, FunctionId id, std::span<const Number> arguments) {
  const flat::Function& f = model_.functions[index(id)];
  const std::vector<std::uint32_t>& own = frame(id);
  std::vector<Number> results(f.outputs.size(), nothing);
  if (depth_ == 0) steps_ = 0;
  if (depth_ >= deepest) {
    (void)lost(walk, by_length);
    return results;
  }
  // A function that calls itself finds its variables again.
  std::vector<Number> kept;
  for (const std::uint32_t k : own) kept.push_back(values_[k]);
  if (known_.size() <= depth_) known_.push_back(std::make_unique<Scratch<Number>>());
  Scratch<Number>* const outer = walk.known_;
  auto outer_results = std::exchange(walk.results_, {});
  walk.known_ = known_[depth_++].get();
  walk.known_->clear();
  for (const std::uint32_t k : own) values_[k] = nothing;
  for (std::size_t i = 0; i < f.inputs.size(); ++i) values_[index(f.inputs[i])] = arguments[i];
  for (const std::uint32_t k : own)
    if (const Expr value = model_.locals[k].value; value != Expr::none) assign(walk, k, walk(value));
  if (execute(walk, f.body) != End::lost)
    for (std::size_t i = 0; i < results.size(); ++i) results[i] = values_[index(f.outputs[i])];
  if (!f.derivatives.empty())
    for (Number& n : results) n.dot = nan;
  --depth_;
  walk.known_ = outer;
  walk.results_ = std::move(outer_results);
  for (std::size_t i = 0; i < own.size(); ++i) values_[own[i]] = kept[i];
  return results;
}

Functions::End Functions::execute(Walk& walk, const flat::Statements& statements) {
  for (const flat::Statement& s : statements)
    if (const End end = execute(walk, s); end != End::ran) return end;
  return End::ran;
}

Functions::End Functions::execute(Walk& walk, const flat::Statement& statement) {
  if (++steps_ > most_steps) return lost(walk, by_length);
  if (const auto* a = std::get_if<flat::LocalAssignment>(&statement.node)) {
    std::vector<Number> values;
    for (const auto& one : a->all) {
      values.push_back(walk(one.value));
      if (walk.unknown) return End::lost;
    }
    for (std::size_t i = 0; i < values.size(); ++i) assign(walk, index(a->all[i].target), values[i]);
    return End::ran;
  }
  if (const auto* a = std::get_if<flat::ElementAssignment>(&statement.node)) {
    const Number at = walk(a->at), value = walk(a->value);
    if (walk.unknown) return End::lost;
    if (!(at.value >= 1 && at.value <= double(a->count))) return End::returned;   // the run says that it fails
    assign(walk, index(a->first) + std::uint32_t(at.value) - 1, value);
    return End::ran;
  }
  if (const auto* i = std::get_if<flat::IfStatement>(&statement.node)) {
    for (const auto& branch : i->branches) {
      const Number taken = branch.condition == Expr::none ? Number{1, 0, 0} : walk(branch.condition);
      if (walk.unknown) return End::lost;
      if (taken.value == 1) return execute(walk, branch.body);
    }
    return End::ran;
  }
  if (const auto* l = std::get_if<flat::Loop>(&statement.node)) {
    const double first = walk(l->first).value, last = walk(l->last).value;
    if (walk.unknown) return End::lost;
    for (double k = first; k <= last; ++k) {
      if (++steps_ > most_steps) return lost(walk, by_length);
      assign(walk, index(l->iterator), {k, std::abs(k), 0});
      if (const End end = execute(walk, l->body); end == End::left) break;
      else if (end != End::ran) return end;
    }
    return End::ran;
  }
  if (const auto* w = std::get_if<flat::WhileStatement>(&statement.node)) {
    while (walk(w->condition).value == 1) {
      if (walk.unknown) return End::lost;
      if (++steps_ > most_steps) return lost(walk, by_length);
      if (const End end = execute(walk, w->body); end == End::left) break;
      else if (end != End::ran) return end;
    }
    return walk.unknown ? End::lost : End::ran;
  }
  if (const auto* f = std::get_if<flat::UnrolledLoop>(&statement.node)) {
    for (const auto& body : f->iterations)
      if (const End end = execute(walk, body); end == End::left) break;
      else if (end != End::ran) return end;
    return End::ran;
  }
  if (std::holds_alternative<flat::BreakStatement>(statement.node)) return End::left;
  if (std::holds_alternative<flat::ReturnStatement>(statement.node)) return End::returned;
  if (std::holds_alternative<flat::Assertion>(statement.node) || std::holds_alternative<flat::Termination>(statement.node)) return End::ran;
  if (std::holds_alternative<flat::ArrayCreation>(statement.node) || std::holds_alternative<flat::ItemAssignment>(statement.node) ||
      std::holds_alternative<flat::ArrayAssignment>(statement.node))
    return lost(walk, by_size);
  return lost(walk, by_external);
}

}  // namespace mosim::verify
