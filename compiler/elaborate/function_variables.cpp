// Functions as code: their variables.

#include <fmt/format.h>

#include <algorithm>

#include "compiler/elaborate/function_body.hpp"
#include "compiler/elaborate/references.hpp"
#include "compiler/elaborate/run_arrays.hpp"
#include "compiler/elaborate/values.hpp"
#include "compiler/instantiate/modifier.hpp"

namespace mosim::compiler {

namespace {

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

Value FunctionCode::locals(const Value& shape, const std::string& name) {
  Value v = shape;
  v.elements.clear();
  if (v.record) {
    const auto members = record_elements(in_, v.record);
    for (std::size_t k = 0; k < v.members.size(); ++k)
      v.members[k] = locals(shape.members[k], name + "." + std::string(in_.text(members[k]->name)));
    return v;
  }
  if (v.run) return whole_array(in_, local(name, v.type, Expr::none, int(v.dims.size())), v.type, v.dims);
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

/// The variables whose sizes the run may know alone: those that it gives, and those that the algorithm gives.
std::optional<Value> FunctionCode::own_array(const Variable& v, const std::optional<Value>& value) {
  if (!run_sizes_ || !v.type->basic || v.ndims == 0) return {};
  if (value && !value->run && !(is_open(v) && assigned_.contains(v.name))) return {};
  const auto& sizes = run_dims_[v.name];
  const bool of_run = std::any_of(sizes.begin(), sizes.end(), [](Expr e) { return e != Expr::none; });
  if (!value && !is_open(v) && !of_run) return {};
  const Place place = v.member->place;
  const LocalId l = local(std::string(in_.text(v.name)), *v.type->basic, Expr::none, int(v.dims.size()));
  if (value) {
    emit(place, flat::ArrayAssignment{l, in_memory(in_, *value, place)});
  } else {
    std::vector<Expr> extents;
    for (std::size_t d = 0; d < v.dims.size(); ++d) extents.push_back(sizes[d] != Expr::none ? sizes[d] : ex().integer(std::max<std::int64_t>(v.dims[d], 0)));
    emit(place, flat::ArrayCreation{l, std::move(extents)});
  }
  return whole_array(in_, l, *v.type->basic, v.dims);
}

bool FunctionCode::size(Variable& v) {
  if (!run_sizes_) return Activation::size(v);
  const auto of_type = dims_of_types_.try_emplace(v.name, v.dims).first->second;
  if (binding_) {   // looked at inside
    v.dims.assign(v.ndims, -1);
    return true;
  }
  v.dims.clear();
  auto& sizes = run_dims_[v.name];
  sizes.clear();
  for (const auto& subscripts : {v.member->sized_declaration->subscripts, v.member->sized_clause->subscripts})
    for (std::size_t k = 0; k < subscripts.size(); ++k) {
      v.dims.push_back(-1);
      sizes.push_back(Expr::none);
      if (!subscripts[k].expression) continue;
      auto n = elaborate(in_, *subscripts[k].expression, environment());
      if (!n) return false;
      if (n->scalar() && n->type == integer_type && in_.evaluated(n->only()) == Expr::none) {
        sizes.back() = found_once(in_, n->only(), subscripts[k].place);
        continue;
      }
      const auto known = dimensions(in_, subscripts.subspan(k, 1), environment());
      if (!known) return false;
      v.dims.back() = known->front();
    }
  v.dims.insert(v.dims.end(), of_type.begin(), of_type.end());
  sizes.resize(v.dims.size(), Expr::none);
  return in_.has_room(v.member->place, room_for(v.dims));
}

bool FunctionCode::conform(const Variable& v, Value& value, Place place) {
  if (!run_sizes_ || value.function || (!value.run && value.dims.empty() && v.ndims == 0)) return Activation::conform(v, value, place);
  const std::string name(in_.text(v.name));
  if (v.type->basic ? !convert(in_, value, *v.type->basic, place, name) : !convert_record(in_, value, v.type, place, name)) return false;
  if (value.dims.size() != v.ndims) {
    in_.error(place, fmt::format("{}{} cannot have a value of size {}", name, shape_text(v.dims), value.dims.empty() ? "1 (a scalar)" : shape_text(value.dims)), {},
              {{v.member->place, "declared here"}});
    return false;
  }
  if (binding_ || value.record) return true;
  const auto extents = extents_of(in_, value);
  const auto sizes = run_dims_.find(v.name);
  for (std::size_t d = 0; d < v.dims.size(); ++d) {
    const Expr size = v.dims[d] >= 0 ? ex().integer(v.dims[d]) : sizes != run_dims_.end() ? sizes->second[d] : Expr::none;
    if (size != Expr::none && !check_extent(in_, extents[d], size, place, fmt::format("the size of {}", name))) return false;
  }
  return true;
}

/// Have the inputs the sizes with which they are declared?
bool FunctionCode::check_inputs() {
  if (!run_sizes_) return true;
  for (const std::size_t i : inputs_) {
    Variable& v = variables_[i];
    at_ = v.member->place;
    Value value = frame_.at(v.name);
    if (!size(v) || (v.ndims > 0 && !conform(v, value, v.member->place))) return false;
  }
  return true;
}

/// What a record leaves open is an array of the run (MLS 12.4.5).
void FunctionCode::open_elements(Value& record, Place place) {
  if (!record.record || !record.dims.empty()) return;
  const auto members = record_elements(in_, record.record);
  for (std::size_t k = 0; k < members.size(); ++k) {
    Value& element = record.members[k];
    open_elements(element, place);
    if (element.record || element.run || !is_open_element(members[k])) continue;
    const int ndims = int(element.dims.size());
    const LocalId l = local(std::string(in_.text(members[k]->name)), element.type, Expr::none, ndims);
    std::vector<Expr> extents;
    for (const std::int64_t d : element.dims) extents.push_back(ex().integer(d));
    emit(place, flat::ArrayCreation{l, std::move(extents)});
    element = whole_array(in_, l, element.type, std::vector<std::int64_t>(element.dims.size(), -1));
  }
}

bool FunctionCode::declare_others() {
  for (const parser::AlgorithmSection* a : algorithm_) add_targets(a->statements, assigned_);
  const auto order = initialisation_order();
  if (!order) return false;
  for (const std::size_t i : *order) {
    Variable& v = variables_[i];
    const std::string name(in_.text(v.name));
    at_ = v.member->place;
    if (!size(v)) return false;
    const Modifier* m = v.member->modifier;
    std::optional<Value> value;
    if (m && m->binding && m->binding->expression) {
      value = elaborate(in_, *m->binding->expression, binding_environment(*m->binding));
      if (!value || !conform(v, *value, m->binding->place)) return false;
      const bool output = std::find(outputs_.begin(), outputs_.end(), i) != outputs_.end();
      if (auto own = own_array(v, value)) {
        frame_[v.name] = std::move(*own);
        continue;
      }
      if (!output && !assigned_.contains(v.name)) {
        bool known = !is_of_run(*value);
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
      if (auto own = own_array(v, {})) {
        frame_[v.name] = std::move(*own);
        continue;
      }
      if (is_open(v)) {
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
        if (run_sizes_) open_elements(*value, v.member->place);
      }
    }
    Value own = locals(*value, name);
    std::vector<Expr> to, from;
    append_code_leaves(in_, own, to, v.member->place);
    // Libraries leave elements of records without a value that nobody asks for on that way (MLS 12.4.4 leaves it to the tool): these are 0.
    if (own.record && in_.library.in_library(v.member->place))
      for (Expr e : to) {
        flat::Local& l = in_.model.locals[index(ex().local(e))];
        l.value = zero(ex(), {l.type, l.enumeration});
      }
    append_code_leaves(in_, *value, from, v.member->place);
    flat::LocalAssignment all;
    for (std::size_t k = 0; k < to.size(); ++k)
      if (in_.model.locals[index(ex().local(to[k]))].rank > 0) {
        emit(v.member->place, flat::ArrayAssignment{ex().local(to[k]), ex().local(from[k])});
      } else if (from[k] != Expr::none) {
        all.all.push_back({ex().local(to[k]), from[k]});
        if (!assigned_.contains(v.name)) bound_.emplace(index(ex().local(to[k])), from[k]);
      }
    if (!all.all.empty()) emit(v.member->place, std::move(all));
    frame_[v.name] = std::move(own);
  }
  return true;
}

}  // namespace mosim::compiler
