#include "compiler/elaborate/foreign.hpp"
#include "compiler/elaborate/function_body.hpp"
#include "compiler/elaborate/function_checks.hpp"
#include "compiler/elaborate/function_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/elaborate/references.hpp"
#include "compiler/elaborate/run_arrays.hpp"
#include "compiler/elaborate/values.hpp"
#include "compiler/instantiate/modifier.hpp"
#include "compiler/expression/statement_walk.hpp"
#include "compiler/expression/walk.hpp"
#include "compiler/elaborate/effects.hpp"

namespace mosim::compiler {

namespace {

constexpr int most_attempts = 50;

/// Within its life, this function is the one being made.
class Current {
public:
  Current(FunctionCodes& codes, FunctionCode* code, FunctionCodes::Needs* needs)
      : codes_(codes), code_(codes.current), needs_(codes.needs), most_(codes.most_expressions), inlining_(codes.inlining) {
    codes.current = code;
    codes.needs = needs;
    codes.most_expressions = std::size_t(-1);
    codes.inlining = false;
  }
  ~Current() {
    codes_.current = code_;
    codes_.needs = needs_;
    codes_.most_expressions = most_;
    codes_.inlining = inlining_;
  }
  Current(const Current&) = delete;

private:
  FunctionCodes& codes_;
  FunctionCode* code_;
  FunctionCodes::Needs* needs_;
  std::size_t most_;
  bool inlining_;
};

void add_shape(std::string& key, const Value& v) {
  if (v.record) {
    key += fmt::format("{{{} {}", static_cast<const void*>(v.record->definition), shape_text(v.dims));
    for (const Value& m : v.members) add_shape(key, m);
    key += "}";
    return;
  }
  key += fmt::format("{}.{}{}{} ", int(v.type.base), index(v.type.enumeration), shape_text(v.dims), v.run ? "r" : "");
}

}  // namespace

FunctionCodes& function_codes(Instances& in) {
  if (!in.elaboration.function_codes) in.elaboration.function_codes = std::make_shared<FunctionCodes>();
  return *in.elaboration.function_codes;
}

bool note_need(Instances& in, Expr e) {
  in.elaboration.asked_unknown = true;
  FunctionCodes& codes = function_codes(in);
  return codes.current && codes.current->note(e);
}

bool FunctionCode::note(Expr e) {
  bool found = false;
  std::set<std::uint32_t> locals;
  std::set<Name> inputs;
  Walker walker(ex());
  std::vector<Expr> roots{e};
  while (!roots.empty()) {
    const Expr root = roots.back();
    roots.pop_back();
    walker.more(root, [&](Expr n) {
      found = found || ex().op(n) == Op::local || ex().op(n) == Op::result;   // or what a call finds
      if (ex().op(n) != Op::local) return true;
      const std::uint32_t l = index(ex().local(n));
      locals.insert(l);
      if (const auto it = inputs_by_local_.find(l); it != inputs_by_local_.end()) inputs.insert(it->second);
      if (const auto it = bound_.find(l); it != bound_.end()) roots.push_back(it->second);
      return true;
    });
  }
  if (run_sizes_) {   // it is no size: the inputs may be known where the function is called
    const std::set<Name>& structural = codes_.structural[function_];
    if (std::all_of(inputs.begin(), inputs.end(), [&](Name n) { return structural.contains(n); })) return false;
  } else {
    needs_run_sizes_ = needs_run_sizes_ || found;
  }
  needs_.locals.insert(locals.begin(), locals.end());
  needs_.inputs.insert(inputs.begin(), inputs.end());
  needs_.asked += found;
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
    } else if (codes.current && !codes.inlining) {   // what is tried must leave nothing behind
      leaf = codes.current->hold(leaf, {});
    } else {
      good = false;
    }
  });
  return good ? std::optional(row) : std::nullopt;
}

std::string FunctionCode::key(std::vector<Expr>& arguments, bool& good) {
  std::string key = fmt::format("{} {}", static_cast<const void*>(function_), run_sizes_ ? "r " : "");
  const std::set<Name>& structural = codes_.structural[function_];
  for (const std::size_t i : inputs_) {
    const Name name = variables_[i].name;
    Value& value = frame_.at(name);
    if (value.function) {
      key += fmt::format("f{} ", static_cast<const void*>(value.function));
      for (std::size_t k = 0; k < value.bound.size(); ++k) {
        key += fmt::format("{}=", std::size_t(value.bound[k]));
        if (structural.contains(name) && fix_number(value.members[k])) {
          fixed_bound_.insert({name, k});
          for (const Expr e : value.members[k].elements) key += print(in_.model, e) + " ";
        } else {
          append_code_leaves(in_, value.members[k], arguments, call_);
        }
        add_shape(key, value.members[k]);
      }
      continue;
    }
    if (structural.contains(name) && is_known(value, good)) {
      fixed_.insert(name);
      std::vector<Expr> leaves;
      append_leaves(value, leaves);
      for (const Expr e : leaves) key += print(in_.model, e) + " ";
    } else if (!structural.contains(name) || run_sizes_) {
      append_code_leaves(in_, value, arguments, call_);
    }
    add_shape(key, value);
  }
  return key;
}

/// What a function that is an argument was given becomes literals, where sizes of that function may depend on it and it is known.
bool FunctionCode::fix_number(Value& value) {
  if (value.record || value.function || is_of_run(value) || (value.type.base != BaseType::integer && value.type.base != BaseType::boolean && value.type.base != BaseType::enumeration))
    return false;
  std::vector<Expr> literals;
  for (const Expr e : value.elements) {
    literals.push_back(in_.evaluated(e));
    if (literals.back() == Expr::none) return false;
  }
  value.elements = std::move(literals);
  return true;
}

/// Values on which sizes depend become literals, if they are known. Else, unless sizes may be of the run, it is not `good`.
bool FunctionCode::is_known(Value& value, bool& good) {
  bool known = !is_of_run(value);
  Value literals = value;
  for_each_leaf(literals, [&](Value& leaf) {
    for (Expr& e : leaf.elements) {
      const Expr literal = known ? in_.evaluated(e) : Expr::none;
      if (known && literal == Expr::none && !run_sizes_) {
        if (good && !note_need(in_, e)) needs_run_sizes_ = true;
        good = false;
      }
      known = known && literal != Expr::none;
      e = literal;
    }
  });
  if (known) value = std::move(literals);
  return known;
}

std::optional<std::vector<Value>> FunctionCode::call(const Arguments& given) {
  binding_ = true;
  const bool bound = bind_arguments(given);
  binding_ = false;
  if (!bound) return {};
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
  const bool of_run = std::any_of(results.begin(), results.end(), is_of_run);
  FunctionCode* const caller = run_code(in_);
  if (of_run && !caller) {
    if (codes_.current && !codes_.inlining) codes_.current->note_run_sizes();
    else if (in_.elaboration.asked_unknown = true; codes_.too_long.contains(function_))
      in_.error(call_, fmt::format("{} takes too many steps here to be carried out before the run, which is when the size of its result is needed", function_->path),
                "look for a loop without an end in it, or for a size that is too large");
    else
      in_.error(call_, fmt::format("the size of a result of {} is known in the run alone", function_->path), "call it in a function, or with values that are known before the run");
    return {};
  }
  const bool arrays = of_run || std::any_of(arguments.begin(), arguments.end(), [&](Expr e) { return ex().op(e) == Op::local && in_.model.locals[index(ex().local(e))].rank > 0; });
  // Arrays may have changed until a result is asked for, and loops would call again: everything is taken at once.
  flat::LocalAssignment taken;
  std::uint32_t which = 0;
  for (Value& v : results)
    for_each_leaf(v, [&](Value& leaf) {
      if (leaf.run) {
        const LocalId l = caller->made("result", leaf.type, Expr::none, int(leaf.dims.size()));
        taken.all.push_back({l, ex().result(call, which++, leaf.type.base, call_)});
        leaf = whole_array(in_, l, leaf.type, leaf.dims);
        return;
      }
      for (Expr& e : leaf.elements) {
        const std::uint32_t number = which++;
        if (ex().is_literal_leaf(e)) continue;
        e = ex().result(call, number, leaf.type.base, call_);
        if (!arrays) continue;
        const LocalId l = caller->made("result", leaf.type);
        taken.all.push_back({l, e});
        e = ex().local(l, leaf.type.base, call_);
      }
    });
  if (!taken.all.empty()) caller->emit(call_, std::move(taken));
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
    append_code_leaves(in_, value, leaves, call_);
    for (Expr e : leaves) {
      inputs.push_back(ex().local(e));
      inputs_by_local_.emplace(index(inputs.back()), input);
    }
  };
  for (const std::size_t i : inputs_) {
    const Name name = variables_[i].name;
    Value& value = frame_.at(name);
    if (value.function) {
      for (std::size_t k = 0; k < value.bound.size(); ++k)
        if (!fixed_bound_.contains({name, k})) take(value.members[k], std::string(in_.text(value.bound[k])), name);
    } else if (!fixed_.contains(name)) {
      take(value, std::string(in_.text(name)), name);
    }
  }
  in_.model.functions[index(id_)].inputs = inputs;

  flat::Statements body;
  FunctionCodes::Known* entry = nullptr;
  bool good = false;
  {
    const Current current(codes_, this, &needs_);
    out_ = &body;
    const AssertionsTo to(in_, &asserted_);
    try {
      good = make_body(known, key, entry);
    } catch (const SizeOfRun&) {
      in_.unsupported(at_ ? at_ : call_, fmt::format("an array whose size the run alone knows, in this operation in {},", function_->path));
    }
    tell_asserted();
  }
  if (!good) {
    // With other inputs known it may be made; else the error has been said.
    withdraw(!needs_.inputs.empty() || needs_run_sizes_);
    return nullptr;
  }
  entry->outputs.clear();
  flat::Function& f = in_.model.functions[index(id_)];
  for (const std::size_t o : outputs_) {
    const Value& v = frame_.at(variables_[o].name);
    std::vector<Expr> leaves;
    append_code_leaves(in_, v, leaves, call_);
    for (Expr e : leaves) f.outputs.push_back(ex().local(e));
    entry->outputs.push_back(v);
    settle_constants(body, entry->outputs.back());
  }
  f.body = std::move(body);
  f.complete = true;
  bool impure = false;
  each_expression(f.body, [&](Expr e) { impure = impure || has_counting_call(in_.model, e); });
  f.impure = f.impure || impure;   // MLS 12.3
  if (impure && function_->definition->purity == parser::Purity::pure) {   // by way of one that says nothing of itself
    in_.breach(function_->definition->place, fmt::format("{} is declared pure and calls what is impure", function_->path), "declare it impure, or write pure(...) around the call", {},
               fmt::format("{} is declared pure and calls what is impure", function_->path));
  }
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

/// What a call gives for the constants of a record is known before the run.
void FunctionCode::settle_constants(const flat::Statements& body, Value& v) {
  if (!v.record || v.run) return;
  const auto elements = record_elements(in_, v.record);
  for (std::size_t k = 0; k < v.members.size() && k < elements.size(); ++k) {
    if (elements[k]->prefix.variability != parser::Variability::constant) {
      settle_constants(body, v.members[k]);
      continue;
    }
    for_each_leaf(v.members[k], [&](Value& leaf) {
      for (Expr& e : leaf.elements) {
        if (leaf.run || ex().op(e) != Op::local) continue;
        if (const Expr literal = only_literal(in_.model, body, ex().local(e)); literal != Expr::none) e = literal;
      }
    });
  }
}

bool FunctionCode::make_body(FunctionCodes::Known& known, const std::string& key, FunctionCodes::Known*& entry) {
  if (!check_inputs() || !declare_others()) return false;
  for (const std::size_t o : outputs_) known.outputs.push_back(frame_.at(variables_[o].name));
  entry = &codes_.known.emplace(key, known).first->second;   // from here on it may call itself
  return algorithm() != Flow::failed && (!external_ || call_external());
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

void FunctionCode::note_rules() {
  std::vector<std::pair<Name, Value>> inputs;
  for (const std::size_t i : inputs_) {
    if (is_of_run(frame_.at(variables_[i].name))) return;   // its derivative is that of its body
    inputs.emplace_back(variables_[i].name, frame_.at(variables_[i].name));
  }
  const ByItself by_itself(in_);
  add_derivative_rules(in_, function_, id_, inputs, plain);
  if (outputs_.size() != 1) return;
  const Variable& output = variables_[outputs_.front()];
  if (frame_.at(output.name).scalar() && output.type->basic && *output.type->basic == real_type)
    add_inverses(in_, function_, id_, inputs, output.name, frame_.at(output.name), plain);
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
    if (o.value.run) {
      if (foreign_) throw SizeOfRun();
      const LocalId array = in_memory(in_, o.value, external_->place);
      call.operands.push_back({o.value.type.base, o.target != Name::none, {}, {}, array});
      continue;
    }
    const bool text = call.language == "FORTRAN 77" && o.value.type.base == BaseType::string;   // it writes none (MLS 12.9.1)
    const bool result = o.target != Name::none && !text && std::all_of(o.value.elements.begin(), o.value.elements.end(), [&](Expr e) { return ex().op(e) == Op::local; });
    flat::ExternalCall::Operand operand{o.value.type.base, result, {}, {}, LocalId::none};
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
    append_code_leaves(in_, frame_.at(variables_[o].name), leaves, call_);
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

std::optional<std::vector<Value>> call_as_code(Instances& in, Class* function, const Arguments& arguments, Place place, const Environment& env, bool run_sizes) {
  FunctionCodes& codes = function_codes(in);
  const std::size_t said = in.diagnostics.size();
  const auto asked = [&] { return codes.needs ? codes.needs->asked : 0; };
  const std::size_t asked_before = asked();
  const auto given_run = [](const Argument& a) { return is_of_run(a.value); };
  bool of_run = std::any_of(arguments.positional.begin(), arguments.positional.end(), given_run) || std::any_of(arguments.named.begin(), arguments.named.end(), given_run);
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    FunctionCode code(in, function, env, place, of_run);
    if (!code.prepare()) return {};
    try {
      if (auto results = code.call(arguments)) return results;
    } catch (const SizeOfRun&) {
      in.unsupported(place, fmt::format("an array whose size the run alone knows, as an argument of {},", function->path));
      return {};
    }
    std::set<Name>& structural = codes.structural[function];
    const std::size_t before = structural.size();
    structural.insert(code.needs().begin(), code.needs().end());
    if (in.diagnostics.size() != said || asked() != asked_before) return {};   // what asks for it is made anew
    if (structural.size() > before) continue;
    if (!of_run && run_sizes && code.needs_run_sizes()) {
      of_run = true;
      continue;
    }
    in.unsupported(place, fmt::format("a size or a bound inside {} that the run alone knows", function->path));
    return {};
  }
  return {};
}

}  // namespace mosim::compiler
