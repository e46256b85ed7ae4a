#include "compiler/elaborate/elaboration.hpp"
#include "compiler/elaborate/foreign.hpp"
#include "compiler/elaborate/function_checks.hpp"
#include "compiler/elaborate/function_code.hpp"
#include "compiler/elaborate/function_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/elaborate/references.hpp"
#include "compiler/elaborate/values.hpp"
#include "compiler/instantiate/modifier.hpp"
#include "compiler/expression/statement_walk.hpp"
#include "compiler/expression/walk.hpp"
#include "compiler/elaborate/effects.hpp"

namespace mosim::compiler {

namespace {

constexpr int most_attempts = 50;

/// So that the caller's environment without its path lives as long as the activation that refers to it.
struct Surroundings {
  explicit Surroundings(const Environment& caller) : plain(caller) {
    plain.path = Expr::none;
    plain.untaken = plain.open_way = plain.conditional = false;
  }
  Environment plain;
};

void add_shape(std::string& key, const Value& v) {
  if (v.record) {
    key += fmt::format("{{{} {}", static_cast<const void*>(v.record->definition), shape_text(v.dims));
    for (const Value& m : v.members) add_shape(key, m);
    key += "}";
    return;
  }
  key += fmt::format("{}.{}{} ", int(v.type.base), index(v.type.enumeration), shape_text(v.dims));
}

/// The names that statements assign.
void add_targets(parser::List<parser::Statement> list, std::set<Name>& out);
void add_target(const parser::Expression& e, std::set<Name>& out) {
  if (const auto* r = std::get_if<parser::Reference>(&e.node)) out.insert(r->name.parts.front().name);
}
void add_targets(const parser::Statement& s, std::set<Name>& out) {
  if (const auto* a = std::get_if<parser::Assignment>(&s.node)) out.insert(a->target.parts.front().name);
  if (const auto* m = std::get_if<parser::MultipleAssignment>(&s.node))
    for (const auto* t : m->targets)
      if (t) add_target(*t, out);
  if (const auto* i = std::get_if<parser::IfStatement>(&s.node))
    for (const auto& b : i->branches) add_targets(b.body, out);
  if (const auto* f = std::get_if<parser::ForStatement>(&s.node)) add_targets(f->body, out);
  if (const auto* w = std::get_if<parser::WhileStatement>(&s.node)) add_targets(w->body, out);
}
void add_targets(parser::List<parser::Statement> list, std::set<Name>& out) {
  for (const parser::Statement& s : list) add_targets(s, out);
}

}  // namespace

class FunctionCode : private Surroundings, public Activation {
public:
  FunctionCode(Instances& in, Class* function, const Environment& caller, Place call)
      : Surroundings(caller), Activation(in, function, plain, call), codes_(function_codes(in)) {}

  std::optional<std::vector<Value>> call(const Arguments& arguments);
  /// Inputs whose values must be known, found on the way.
  const std::set<Name>& needs() const { return needs_.inputs; }

  bool note(Expr e);
  /// Its elements in locals of this function.
  Value hold(const Value& v, Place place);

private:
  Value locals(const Value& shape, const std::string& name);
  std::string key(std::vector<Expr>& arguments, bool& good);
  FunctionCodes::Known* make(const std::string& key);
  bool declare_others();
  std::optional<std::vector<Value>> results(const FunctionCodes::Known& known, const std::vector<Expr>& arguments);

  Flow statement(const parser::Statement& s) override;
  Flow assign_all(std::vector<flat::LocalAssignment::One>& all, const parser::ComponentReference& target, Value value, Place place);
  Flow branch(const parser::Statement& s, const parser::IfStatement& i, std::size_t number);
  Flow loop(const parser::Statement& s, const parser::ForStatement& f, std::size_t number);
  Flow loop_over(const parser::Statement& s, const parser::ForStatement& f, std::size_t number, const Value& range);
  Flow round(const parser::Statement& s, const parser::ForStatement& f, std::size_t number);
  Flow unrolled(const parser::Statement& s, const parser::ForStatement& f, std::size_t number, const Value& range);
  Flow while_loop(const parser::Statement& s, const parser::WhileStatement& w);
  Flow effect(const parser::CallStatement& c, Place place);
  bool call_external();
  void note_rules();
  void withdraw(bool again);
  /// Each output gets a value.
  bool is_good(const flat::Function& f);
  void emit(Place place, decltype(flat::Statement::node) node) {
    tell_asserted();
    out_->push_back({place, std::move(node)});
  }
  void assign(Place place, LocalId target, Expr value) { emit(place, flat::LocalAssignment{{{target, value}}}); }
  /// What functions that were carried out on the way assert, before the statement that asks for them.
  void tell_asserted() {
    for (flat::Assertion& a : asserted_) out_->push_back({a.place, a});
    asserted_.clear();
  }
  LocalId local(std::string name, Type type, Expr value = Expr::none) {
    in_.model.locals.push_back({std::move(name), type.base, type.enumeration, id_, value, type.object});
    return static_cast<LocalId>(in_.model.locals.size() - 1);
  }

  FunctionCodes& codes_;
  FunctionId id_ = FunctionId::none;
  flat::Statements* out_ = nullptr;
  std::vector<flat::Assertion> asserted_;
  FunctionCodes::Needs needs_;
  std::set<Name> assigned_;
  std::map<std::uint32_t, Name> inputs_by_local_;
  std::map<std::uint32_t, Expr> bound_;       // locals with a value that nothing changes
};

FunctionCodes& function_codes(Instances& in) {
  if (!in.elaboration.function_codes) in.elaboration.function_codes = std::make_shared<FunctionCodes>();
  return *in.elaboration.function_codes;
}

bool note_need(Instances& in, Expr e) {
  FunctionCodes& codes = function_codes(in);
  return codes.current && codes.current->note(e);
}

bool FunctionCode::note(Expr e) {
  bool found = false;
  Walker walker(ex());
  std::vector<Expr> roots{e};
  while (!roots.empty()) {
    const Expr root = roots.back();
    roots.pop_back();
    walker.more(root, [&](Expr n) {
      if (ex().op(n) != Op::local) return true;
      const std::uint32_t l = index(ex().local(n));
      found = true;
      needs_.locals.insert(l);
      ++needs_.asked;
      if (const auto it = inputs_by_local_.find(l); it != inputs_by_local_.end()) needs_.inputs.insert(it->second);
      if (const auto it = bound_.find(l); it != bound_.end()) roots.push_back(it->second);
      return true;
    });
  }
  return found;
}

std::optional<Value> as_row(Instances& in, const Value& v) {
  auto& ex = in.model.expressions;
  FunctionCodes& codes = function_codes(in);
  Value row = v;
  bool good = true;
  for_each_leaf(row, [&](Value& leaf) {
    auto& e = leaf.elements;
    if (!good || e.empty()) return;
    for (Expr x : e) good = good && x != Expr::none;
    if (!good) return;
    bool is_row = true, literals = true;
    for (std::size_t k = 0; k < e.size(); ++k) {
      is_row = is_row && ex.op(e[k]) == Op::local && index(ex.local(e[k])) == index(ex.local(e[0])) + k;
      literals = literals && ex.is_literal_leaf(e[k]);
    }
    if (is_row) return;
    if (literals) {
      const auto [it, fresh] = codes.constants.emplace(e, LocalId::none);
      if (fresh) {
        it->second = static_cast<LocalId>(in.model.locals.size());
        for (std::size_t k = 0; k < e.size(); ++k)
          in.model.locals.push_back({fmt::format("table {}[{}]", codes.constants.size(), k + 1), leaf.type.base, leaf.type.enumeration, FunctionId::none, e[k]});
      }
      for (std::size_t k = 0; k < e.size(); ++k) e[k] = ex.local(static_cast<LocalId>(index(it->second) + k), leaf.type.base);
    } else if (codes.current) {
      leaf = codes.current->hold(leaf, {});
    } else {
      good = false;
    }
  });
  return good ? std::optional(row) : std::nullopt;
}

Value FunctionCode::locals(const Value& shape, const std::string& name) {
  Value v = shape;
  v.elements.clear();
  if (v.record) {
    const auto members = record_elements(in_, v.record);
    for (std::size_t k = 0; k < v.members.size(); ++k)
      v.members[k] = locals(shape.members[k], name + "." + std::string(in_.text(members[k]->name)));
    return v;
  }
  const std::size_t n = count(v.dims);
  for (std::size_t k = 0; k < n; ++k) {
    std::string subscripts;
    std::size_t rest = k;
    for (std::size_t d = v.dims.size(); d-- > 0; rest /= static_cast<std::size_t>(v.dims[d]))
      subscripts = std::to_string(rest % static_cast<std::size_t>(v.dims[d]) + 1) + (subscripts.empty() ? "" : ",") + subscripts;
    v.elements.push_back(ex().local(local(subscripts.empty() ? name : name + "[" + subscripts + "]", v.type), v.type.base));
  }
  return v;
}

Value FunctionCode::hold(const Value& v, Place place) {
  Value copy = locals(v, "copy");
  std::vector<Expr> to, from;
  append_leaves(copy, to);
  append_leaves(v, from);
  flat::LocalAssignment all;
  for (std::size_t k = 0; k < to.size(); ++k) all.all.push_back({ex().local(to[k]), from[k]});
  emit(place, std::move(all));
  return copy;
}

std::string FunctionCode::key(std::vector<Expr>& arguments, bool& good) {
  std::string key = fmt::format("{} ", static_cast<const void*>(function_));
  const std::set<Name>& structural = codes_.structural[function_];
  for (const std::size_t i : inputs_) {
    Value& value = frame_.at(variables_[i].name);
    if (value.function) {
      key += fmt::format("f{} ", static_cast<const void*>(value.function));
      for (std::size_t k = 0; k < value.bound.size(); ++k) {
        key += fmt::format("{}=", std::size_t(value.bound[k]));
        add_shape(key, value.members[k]);
        append_leaves(value.members[k], arguments);
      }
    } else if (structural.contains(variables_[i].name)) {
      for_each_leaf(value, [&](Value& leaf) {
        for (Expr& e : leaf.elements) {
          const Expr known = in_.evaluated(e);
          if (known == Expr::none) {
            if (good && !note_need(in_, e))
              in_.unsupported(call_, fmt::format("a size inside {} that depends on its input {}, which is known in the run alone,", function_->path, in_.text(variables_[i].name)));
            good = false;
            return;
          }
          e = known;
          key += print(in_.model, known) + " ";
        }
      });
      add_shape(key, value);
    } else {
      add_shape(key, value);
      append_leaves(value, arguments);
    }
  }
  return key;
}

std::optional<std::vector<Value>> FunctionCode::call(const Arguments& given) {
  if (!bind_arguments(given)) return {};
  std::vector<Expr> arguments;
  bool good = true;
  const std::string k = key(arguments, good);
  if (!good) return {};
  auto it = codes_.known.find(k);
  FunctionCodes::Known* known = it == codes_.known.end() ? make(k) : &it->second;
  if (!known || known->failed) return {};
  return results(*known, arguments);
}

std::optional<std::vector<Value>> FunctionCode::results(const FunctionCodes::Known& known, const std::vector<Expr>& arguments) {
  // What acts, or makes something, does it at each call.
  std::vector<Expr> all = arguments;
  if (in_.model.functions[index(known.id)].impure) all.push_back(ex().integer(static_cast<std::int64_t>(codes_.calls++)));
  const Expr call = ex().call(known.id, all, call_);
  std::vector<Value> results = known.outputs;
  if (results.empty()) codes_.without_results = call;
  std::uint32_t which = 0;
  for (Value& v : results)
    for_each_leaf(v, [&](Value& leaf) {
      for (Expr& e : leaf.elements) e = ex().result(call, which++, leaf.type.base, call_);
    });
  return results;
}

FunctionCodes::Known* FunctionCode::make(const std::string& key) {
  FunctionCodes::Known known;
  known.id = id_ = static_cast<FunctionId>(in_.model.functions.size());
  {
    flat::Function f;
    f.name = function_->path;
    f.place = function_->definition->place;
    f.impure = f.declared_impure = function_->definition->purity == parser::Purity::impure;
    in_.model.functions.push_back(std::move(f));
  }
  std::vector<LocalId> inputs;
  const auto take = [&](Value& value, const std::string& name, Name input) {
    value = locals(value, name);
    std::vector<Expr> leaves;
    append_leaves(value, leaves);
    for (Expr e : leaves) {
      inputs.push_back(ex().local(e));
      inputs_by_local_.emplace(index(inputs.back()), input);
    }
  };
  for (const std::size_t i : inputs_) {
    const Name name = variables_[i].name;
    Value& value = frame_.at(name);
    if (value.function) {
      for (std::size_t k = 0; k < value.bound.size(); ++k) take(value.members[k], std::string(in_.text(value.bound[k])), name);
    } else if (!codes_.structural[function_].contains(name)) {
      take(value, std::string(in_.text(name)), name);
    }
  }
  in_.model.functions[index(id_)].inputs = inputs;

  FunctionCode* const outer = codes_.current;
  FunctionCodes::Needs* const outer_needs = codes_.needs;
  const std::size_t outer_most = codes_.most_expressions;
  codes_.current = this;
  codes_.needs = &needs_;
  codes_.most_expressions = std::size_t(-1);
  flat::Statements body;
  out_ = &body;
  const AssertionsTo to(in_, &asserted_);
  bool good = declare_others();
  FunctionCodes::Known* entry = nullptr;
  if (good) {
    for (const std::size_t o : outputs_) known.outputs.push_back(frame_.at(variables_[o].name));
    entry = &codes_.known.emplace(key, known).first->second;   // from here on it may call itself
    for (const parser::AlgorithmSection* a : algorithm_) good = good && statements(a->statements) != Flow::failed;
    if (external_) good = good && call_external();
  }
  tell_asserted();
  codes_.current = outer;
  codes_.needs = outer_needs;
  codes_.most_expressions = outer_most;
  if (!good) {
    // With other inputs known it may be made; else the error has been said.
    withdraw(!needs_.inputs.empty());
    return nullptr;
  }
  entry->outputs.clear();
  flat::Function& f = in_.model.functions[index(id_)];
  for (const std::size_t o : outputs_) {
    const Value& v = frame_.at(variables_[o].name);
    std::vector<Expr> leaves;
    append_leaves(v, leaves);
    for (Expr e : leaves) f.outputs.push_back(ex().local(e));
    entry->outputs.push_back(v);
  }
  f.body = std::move(body);
  f.complete = true;
  bool impure = false;
  each_expression(f.body, [&](Expr e) { impure = impure || has_counting_call(in_.model, e); });
  f.impure = f.impure || impure;   // MLS 12.3
  if (!is_good(f)) {
    withdraw(false);
    return nullptr;
  }
  note_rules();
  if (calls_itself_for_certain(in_.model, id_)) {
    in_.error(call_, fmt::format("{} calls itself, without end", function_->path), "a function that calls itself needs a case in which it does not");
    withdraw(false);
    return nullptr;
  }
  return entry;
}

/// This function cannot be called, nor what calls it. `again`: it will be made anew.
void FunctionCode::withdraw(bool again) {
  std::set<std::uint32_t> gone{index(id_)};
  auto& functions = in_.model.functions;
  functions[index(id_)].complete = false;
  for (bool more = true; more;) {
    more = false;
    for (std::uint32_t f = index(id_) + 1; f < functions.size(); ++f) {   // what was made before does not call it
      if (!functions[f].complete) continue;
      const auto called = functions_called(in_.model, static_cast<FunctionId>(f));
      if (std::none_of(called.begin(), called.end(), [&](std::uint32_t g) { return gone.contains(g); })) continue;
      functions[f].complete = false;
      more = gone.insert(f).second;
    }
  }
  for (auto it = codes_.known.begin(); it != codes_.known.end();) {
    const bool is_gone = gone.contains(index(it->second.id));
    if (is_gone && again) {
      it = codes_.known.erase(it);
      continue;
    }
    it->second.failed = it->second.failed || is_gone;
    ++it;
  }
}

bool FunctionCode::declare_others() {
  for (const parser::AlgorithmSection* a : algorithm_) add_targets(a->statements, assigned_);
  const auto order = initialisation_order();
  if (!order) return false;
  for (const std::size_t i : *order) {
    Variable& v = variables_[i];
    const std::string name(in_.text(v.name));
    if (!size(v)) return false;
    const Modifier* m = v.member->modifier;
    std::optional<Value> value;
    if (m && m->binding && m->binding->expression) {
      value = elaborate(in_, *m->binding->expression, binding_environment(*m->binding));
      if (!value || !conform(v, *value, m->binding->place)) return false;
      const bool output = std::find(outputs_.begin(), outputs_.end(), i) != outputs_.end();
      if (!output && !assigned_.contains(v.name)) {
        bool known = true;
        for_each_leaf(*value, [&](Value& leaf) {
          for (Expr& e : leaf.elements) {
            const Expr literal = in_.evaluated(e);
            known = known && literal != Expr::none;
            if (literal != Expr::none) e = literal;
          }
        });
        if (known) {
          frame_[v.name] = std::move(*value);
          continue;
        }
      }
    } else {
      std::vector<std::int64_t> dims = v.dims;
      if (std::any_of(dims.begin(), dims.end(), [](std::int64_t d) { return d < 0; })) {
        frame_[v.name] = v.type->basic ? Value{*v.type->basic, std::vector<std::int64_t>(dims.size(), 0), {}} : Value{};
        if (!v.type->basic) {
          in_.unsupported(v.member->place, "an array of records whose size the algorithm gives");
          return false;
        }
        continue;   // its size is that of what is assigned first
      }
      if (v.type->basic) {
        value = Value{*v.type->basic, dims, std::vector<Expr>(count(dims), Expr::none)};
      } else {
        value = initial_record(in_, v.type, dims, environment());
        if (!value) return false;
      }
    }
    Value own = locals(*value, name);
    std::vector<Expr> to, from;
    append_leaves(own, to);
    // Libraries leave elements of records without a value that nobody asks for on that way (MLS 12.4.4 leaves it to the tool): these are 0.
    if (own.record && in_.library.in_library(v.member->place))
      for (Expr e : to) {
        flat::Local& l = in_.model.locals[index(ex().local(e))];
        l.value = zero(ex(), {l.type, l.enumeration});
      }
    append_leaves(*value, from);
    flat::LocalAssignment all;
    for (std::size_t k = 0; k < to.size(); ++k)
      if (from[k] != Expr::none) {
        all.all.push_back({ex().local(to[k]), from[k]});
        if (!assigned_.contains(v.name)) bound_.emplace(index(ex().local(to[k])), from[k]);
      }
    if (!all.all.empty()) emit(v.member->place, std::move(all));
    frame_[v.name] = std::move(own);
  }
  return true;
}

Activation::Flow FunctionCode::statement(const parser::Statement& s) {
  if (!in_.has_room(s.place, 1)) return Flow::failed;
  if (const auto* a = std::get_if<parser::Assignment>(&s.node)) {
    auto value = elaborate(in_, *a->value, environment());
    flat::LocalAssignment all;
    if (!value || assign_all(all.all, a->target, std::move(*value), s.place) == Flow::failed) return Flow::failed;
    if (!all.all.empty()) emit(s.place, std::move(all));
    return Flow::next;
  }
  if (const auto* m = std::get_if<parser::MultipleAssignment>(&s.node)) {
    const auto* call = std::get_if<parser::Call>(&m->call->node);
    auto values = call ? elaborate_results(in_, *m->call, *call, environment()) : std::nullopt;
    if (!values) return Flow::failed;
    if (values->size() < m->targets.size()) {
      in_.error(s.place, fmt::format("this function has {} results, not {}", values->size(), m->targets.size()));
      return Flow::failed;
    }
    flat::LocalAssignment all;
    for (std::size_t k = 0; k < m->targets.size(); ++k)
      if (m->targets[k] && assign_all(all.all, std::get<parser::Reference>(m->targets[k]->node).name, std::move((*values)[k]), s.place) == Flow::failed)
        return Flow::failed;
    if (!all.all.empty()) emit(s.place, std::move(all));
    return Flow::next;
  }
  if (const auto* i = std::get_if<parser::IfStatement>(&s.node)) return branch(s, *i, 0);
  if (const auto* f = std::get_if<parser::ForStatement>(&s.node)) return loop(s, *f, 0);
  if (const auto* w = std::get_if<parser::WhileStatement>(&s.node)) return while_loop(s, *w);
  if (const auto* c = std::get_if<parser::CallStatement>(&s.node)) return effect(*c, s.place);
  if (std::holds_alternative<parser::BreakStatement>(s.node)) {
    emit(s.place, flat::BreakStatement{});
    return Flow::next;
  }
  if (std::holds_alternative<parser::ReturnStatement>(s.node)) {
    emit(s.place, flat::ReturnStatement{});
    return Flow::next;
  }
  in_.error(s.place, "a when-statement cannot stand in a function");
  return Flow::failed;
}

Activation::Flow FunctionCode::assign_all(std::vector<flat::LocalAssignment::One>& all, const parser::ComponentReference& target, Value value, Place place) {
  const parser::ReferencePart& part = target.parts.front();
  Variable* v = !target.global ? variable(part.name) : nullptr;
  const std::string name(in_.text(part.name));
  if (!v) {
    in_.error(place, fmt::format("{} is no variable of this function", name));
    return Flow::failed;
  }
  if (std::find(inputs_.begin(), inputs_.end(), static_cast<std::size_t>(v - variables_.data())) != inputs_.end()) {
    in_.error(place, fmt::format("{} is an input and cannot be assigned", name), "assign a protected variable instead", {{v->member->place, "declared here"}});
    return Flow::failed;
  }
  std::vector<Expr> values, leaves;
  if (target.parts.size() == 1 && part.subscripts.empty()) {
    if (!conform(*v, value, place)) return Flow::failed;
    Value& own = frame_.at(part.name);
    const bool open = std::any_of(v->dims.begin(), v->dims.end(), [](std::int64_t d) { return d < 0; });
    if (open && count(own.dims) == 0 && count(value.dims) > 0) own = locals(value, name);
    if (own.dims != value.dims) {
      in_.unsupported(place, fmt::format("{} with another size than before, {} instead of {},", name, shape_text(value.dims), shape_text(own.dims)));
      return Flow::failed;
    }
    append_leaves(own, leaves);
    append_leaves(value, values);
    for (std::size_t k = 0; k < values.size(); ++k) all.push_back({ex().local(leaves[k]), values[k]});
    return Flow::next;
  }
  // A part of an array or record: found by taking the same part of 0, 1, 2, ...
  const Value whole = frame_.at(part.name);
  Value places = whole;
  std::int64_t next = 0;
  for_each_leaf(places, [&](Value& leaf) {
    leaf.type = integer_type;
    for (Expr& e : leaf.elements) e = ex().integer(next++);
  });
  auto old = select_parts(in_, whole, target, 0, environment());
  const auto taken = old ? select_parts(in_, places, target, 0, environment()) : std::nullopt;
  if (!taken) return Flow::failed;
  if (taken->dims != value.dims) {
    in_.error(place, fmt::format("a part of size {} cannot have a value of size {}", taken->dims.empty() ? "1 (a scalar)" : shape_text(taken->dims),
                                 value.dims.empty() ? "1 (a scalar)" : shape_text(value.dims)));
    return Flow::failed;
  }
  if (old->record ? !convert_record(in_, value, old->record, place, name) : !convert(in_, value, old->type, place, name)) return Flow::failed;
  std::vector<Expr> numbers;
  append_leaves(*taken, numbers);
  append_leaves(value, values);
  append_leaves(whole, leaves);
  if (numbers.size() != values.size()) {
    in_.error(place, fmt::format("the elements of {} and of its new value have different sizes", name));
    return Flow::failed;
  }
  const bool dynamic = std::any_of(numbers.begin(), numbers.end(), [&](Expr n) { return ex().op(n) != Op::integer; });
  if (dynamic && numbers.size() > 1) {   // each value is found before any is assigned
    std::vector<Expr> held;
    for (Expr e : values) {
      const LocalId l = local("copy", {ex().type(e), EnumerationId::none});
      assign(place, l, e);
      held.push_back(ex().local(l, ex().type(e)));
    }
    values = std::move(held);
  }
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (ex().op(numbers[k]) == Op::integer) {
      all.push_back({ex().local(leaves[static_cast<std::size_t>(ex().integer_value(numbers[k]))]), values[k]});
      continue;
    }
    const Expr at = ex().simplified(Op::add, BaseType::integer, {numbers[k], ex().integer(1)}, place);
    emit(place, flat::ElementAssignment{ex().local(leaves.front()), static_cast<std::int64_t>(leaves.size()), at, values[k]});
  }
  return Flow::next;
}

Activation::Flow FunctionCode::branch(const parser::Statement& s, const parser::IfStatement& i, std::size_t number) {
  if (number == i.branches.size()) return Flow::next;
  const auto& b = i.branches[number];
  if (!b.condition) return statements(b.body);
  auto condition = elaborate(in_, *b.condition, environment());
  if (!condition || !condition->scalar() || !convert(in_, *condition, boolean_type, b.condition->place, "a condition")) return Flow::failed;
  const Expr known = in_.evaluated(condition->only());
  if (known != Expr::none) return ex().payload(known) ? statements(b.body) : branch(s, i, number + 1);
  flat::Statements* const outer = out_;
  tell_asserted();
  flat::IfStatement result;
  result.branches.push_back({condition->only(), {}});
  out_ = &result.branches.back().body;
  Flow flow = statements(b.body);
  tell_asserted();
  if (flow != Flow::failed) {
    flat::Statements otherwise;
    out_ = &otherwise;
    flow = branch(s, i, number + 1);
    tell_asserted();
    if (!otherwise.empty()) result.branches.push_back({Expr::none, std::move(otherwise)});
  }
  out_ = outer;
  if (flow == Flow::failed) return flow;
  emit(s.place, std::move(result));
  return Flow::next;
}

/// The body, or the loop over the next index.
Activation::Flow FunctionCode::round(const parser::Statement& s, const parser::ForStatement& f, std::size_t number) {
  return number + 1 < f.indices.size() ? loop(s, f, number + 1) : statements(f.body);
}

Activation::Flow FunctionCode::loop(const parser::Statement& s, const parser::ForStatement& f, std::size_t number) {
  const parser::ForIndex& i = f.indices[number];
  const auto* range = i.range ? std::get_if<parser::Range>(&i.range->node) : nullptr;
  if (!range || range->step) {
    auto values = iteration_range(in_, i, environment(), f.body);
    return values ? loop_over(s, f, number, *values) : Flow::failed;
  }
  auto first = elaborate(in_, *range->start, environment());
  auto last = elaborate(in_, *range->stop, environment());
  if (!first || !last) return Flow::failed;
  const bool unknown = in_.evaluated(first->only()) == Expr::none || in_.evaluated(last->only()) == Expr::none;
  if (!unknown || !first->scalar() || !last->scalar() || first->type != integer_type || last->type != integer_type) {
    auto values = iteration_range(in_, i, environment(), f.body);
    return values ? loop_over(s, f, number, *values) : Flow::failed;
  }
  const LocalId iterator = local(std::string(in_.text(i.name)), integer_type);
  flat::Loop result{iterator, first->only(), last->only(), {}};
  flat::Statements* const outer = out_;
  tell_asserted();
  out_ = &result.body;
  iterators_.push_back({i.name, scalar(integer_type, ex().local(iterator, BaseType::integer)), nullptr});
  const Flow flow = round(s, f, number);
  iterators_.pop_back();
  tell_asserted();
  out_ = outer;
  if (flow == Flow::failed) return flow;
  emit(s.place, std::move(result));
  return Flow::next;
}

/// Over values that are known, or as many as are known: as a loop, if the body can be written for all of them at once.
Activation::Flow FunctionCode::loop_over(const parser::Statement& s, const parser::ForStatement& f, std::size_t number, const Value& range) {
  const parser::ForIndex& i = f.indices[number];
  const std::size_t n = range.dims.empty() ? 1 : static_cast<std::size_t>(range.dims.front());
  if (n == 0) return Flow::next;
  if (range.record || range.dims.size() > 1 || n == 1) return unrolled(s, f, number, range);
  bool counts = range.type == integer_type && in_.evaluated(range.elements.front()) != Expr::none;
  for (std::size_t k = 1; counts && k < n; ++k) {
    const Expr a = in_.evaluated(range.elements[k - 1]), b = in_.evaluated(range.elements[k]);
    counts = a != Expr::none && b != Expr::none && ex().integer_value(b) == ex().integer_value(a) + 1;
  }
  flat::Statements* const outer = out_;
  const FunctionCodes::Needs needs_before = needs_;
  tell_asserted();
  const LocalId iterator = local(std::string(in_.text(i.name)), integer_type);
  flat::Loop result{iterator, counts ? in_.evaluated(range.elements.front()) : ex().integer(1),
                    counts ? in_.evaluated(range.elements.back()) : ex().integer(static_cast<std::int64_t>(n)), {}};
  out_ = &result.body;
  Value value = scalar(integer_type, ex().local(iterator, BaseType::integer));
  Flow flow = Flow::next;
  {
    const Quietly quietly(in_);
    if (!counts) {
      out_ = outer;
      const auto row = as_row(in_, range);
      out_ = &result.body;
      if (row) value = scalar(range.type, ex().element(ex().local(row->elements.front()), value.only(), static_cast<std::int64_t>(n), range.type.base, i.place));
      else flow = Flow::failed;
    }
    if (flow != Flow::failed) {
      iterators_.push_back({i.name, value, nullptr});
      flow = round(s, f, number);
      iterators_.pop_back();
    }
    tell_asserted();
  }
  out_ = outer;
  if (flow != Flow::failed) {
    emit(s.place, std::move(result));
    return Flow::next;
  }
  asserted_.clear();
  needs_ = needs_before;
  return unrolled(s, f, number, range);
}

/// Every round by itself: a break needs a loop to leave, which goes round once.
Activation::Flow FunctionCode::unrolled(const parser::Statement& s, const parser::ForStatement& f, std::size_t number, const Value& range) {
  const parser::ForIndex& i = f.indices[number];
  const std::size_t n = range.dims.empty() ? 1 : static_cast<std::size_t>(range.dims.front());
  flat::Statements* const outer = out_;
  tell_asserted();
  flat::Loop once{local("once", integer_type), ex().integer(1), ex().integer(1), {}};
  out_ = &once.body;
  Flow flow = Flow::next;
  for (std::size_t k = 0; k < n && flow != Flow::failed; ++k) {
    if (!in_.has_room(i.place, 1)) flow = Flow::failed;
    iterators_.push_back({i.name, nth(range, k), nullptr});
    if (flow != Flow::failed) flow = round(s, f, number);
    iterators_.pop_back();
  }
  tell_asserted();
  out_ = outer;
  if (flow == Flow::failed) return flow;
  emit(s.place, std::move(once));
  return Flow::next;
}

Activation::Flow FunctionCode::while_loop(const parser::Statement& s, const parser::WhileStatement& w) {
  flat::WhileStatement result;
  result.condition = ex().boolean(true);
  flat::Statements* const outer = out_;
  tell_asserted();
  out_ = &result.body;
  auto condition = elaborate(in_, *w.condition, environment());
  Flow flow = Flow::failed;
  if (condition && condition->scalar() && convert(in_, *condition, boolean_type, w.condition->place, "a condition")) {
    tell_asserted();
    if (result.body.empty()) {
      result.condition = condition->only();
    } else {   // what the condition needs is found anew in each round
      flat::IfStatement leave;
      leave.branches.push_back({ex().simplified(Op::not_, BaseType::boolean, {condition->only()}, w.condition->place), {{w.condition->place, flat::BreakStatement{}}}});
      emit(w.condition->place, std::move(leave));
    }
    flow = statements(w.body);
    tell_asserted();
  }
  out_ = outer;
  if (flow == Flow::failed) return flow;
  emit(s.place, std::move(result));
  return Flow::next;
}

Activation::Flow FunctionCode::effect(const parser::CallStatement& c, Place place) {
  const std::string_view name = simple_callee(in_, *c.call);
  const auto* call = std::get_if<parser::Call>(&c.call->node);
  if (!call) {
    in_.error(c.call->place, "this is an expression, not a statement");
    return Flow::failed;
  }
  if (name == "assert") {
    auto a = elaborate_assert(in_, *c.call, *call, environment());
    if (!a) return Flow::failed;
    emit(place, std::move(*a));
    return Flow::next;
  }
  auto calls = call_for_effect(in_, *c.call, environment());
  if (!calls) return Flow::failed;
  for (flat::Assertion& a : *calls) emit(place, std::move(a));
  return Flow::next;
}

void FunctionCode::note_rules() {
  std::vector<std::pair<Name, Value>> inputs;
  for (const std::size_t i : inputs_) inputs.emplace_back(variables_[i].name, frame_.at(variables_[i].name));
  const ByItself by_itself(in_);
  add_derivative_rules(in_, function_, id_, inputs, plain);
}

bool FunctionCode::call_external() {
  auto all = operands();
  if (!all) return false;
  flat::ExternalCall call;
  call.function = in_.text(external_->has_call ? external_->function : function_->definition->name);
  call.language = external_->language;
  call.returns = is_returned();
  call.text = in_.workspace.sources.text(external_->place);
  for (Operand& o : *all) {
    // A protected variable of a known value is no variable any more; C gets one all the same.
    if (foreign_ && o.target != Name::none)
      for (Expr& e : o.value.elements) {
        if (ex().op(e) == Op::local) continue;
        const LocalId copy = local(fmt::format("{}$", in_.text(o.target)), o.value.type);
        assign(external_->place, copy, e);
        e = ex().local(copy, o.value.type.base, external_->place);
      }
    const bool text = call.language == "FORTRAN 77" && o.value.type.base == BaseType::string;   // it writes none (MLS 12.9.1)
    const bool result = o.target != Name::none && !text && std::all_of(o.value.elements.begin(), o.value.elements.end(), [&](Expr e) { return ex().op(e) == Op::local; });
    flat::ExternalCall::Operand operand{o.value.type.base, result, {}, {}};
    for (const Expr e : o.value.elements) {
      if (!result) operand.values.push_back(e);
      else operand.targets.push_back(ex().local(e));
    }
    call.operands.push_back(std::move(operand));
  }
  call.foreign = foreign_;
  if (foreign_ && foreign_->returns && foreign_->parameters.front().type.kind == foreign::Type::Kind::object) call.destructor = foreign_destructor(in_, function_);
  emit(external_->place, std::move(call));
  if (external_effect() == native::Effect::acts || std::any_of(outputs_.begin(), outputs_.end(), [&](std::size_t o) {
        return variables_[o].type->basic && variables_[o].type->basic->base == BaseType::object;
      }))
    in_.model.functions[index(id_)].impure = true;
  return true;
}

bool FunctionCode::is_good(const flat::Function& f) {
  const Assigned assigned = assigned_by(f.body);
  for (const std::size_t o : outputs_) {
    std::vector<Expr> leaves;
    append_leaves(frame_.at(variables_[o].name), leaves);
    const Modifier* m = variables_[o].member->modifier;
    const bool has_value = assigned_.contains(variables_[o].name) || (m && m->binding);
    for (Expr e : leaves)
      // In a library it may be known that the other ways are not gone: the run looks.
      if (!assigned.never && !assigned.locals.contains(index(ex().local(e))) && !(has_value && in_.library.in_library(variables_[o].member->place))) {
        in_.error(call_, fmt::format("the result {} of {} is not always assigned", in_.text(variables_[o].name), function_->path), {},
                  {{variables_[o].member->place, "declared here"}});
        return false;
      }
  }
  return true;
}

std::optional<std::vector<Value>> call_as_code(Instances& in, Class* function, const Arguments& arguments, Place place, const Environment& env) {
  FunctionCodes& codes = function_codes(in);
  const std::size_t said = in.diagnostics.size();
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    FunctionCode code(in, function, env, place);
    if (!code.prepare()) return {};
    if (auto results = code.call(arguments)) return results;
    std::set<Name>& structural = codes.structural[function];
    const std::size_t before = structural.size();
    structural.insert(code.needs().begin(), code.needs().end());
    if (structural.size() > before) continue;
    if (in.diagnostics.size() == said) in.unsupported(place, fmt::format("a size or a bound inside {} that the run alone knows", function->path));
    return {};
  }
  return {};
}

}  // namespace mosim::compiler
