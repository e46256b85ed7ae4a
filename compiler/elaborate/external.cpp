// External functions (MLS 12.9): what they are called with, and those that can be carried out before the run.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compiler/elaborate/activation.hpp"
#include "compiler/elaborate/foreign.hpp"
#include "compiler/elaborate/references.hpp"
#include "compiler/elaborate/run_arrays.hpp"
#include "compiler/instantiate/class.hpp"
#include "native/lapack.hpp"

namespace mosim::compiler {

namespace {

bool is_language(std::string_view language) {   // MLS 12.9: "C", or one of its standards; "FORTRAN 77"
  return language.empty() || language == "FORTRAN 77" || (language.front() == 'C' && language.size() <= 3);
}

/// One number, as the interface of the functions wants it; Strings go another way.
double number_in(const Expressions& x, Expr literal) { return x.is_number(literal) ? x.number(literal) : double(x.payload(literal)); }

}  // namespace

bool Activation::check_external() {
  if (!is_language(external_->language)) {
    in_.unsupported(external_->place, fmt::format("the language \"{}\" of an external function", external_->language));
    return false;
  }
  const std::string_view name = in_.text(external_->has_call ? external_->function : function_->definition->name);
  const bool fortran = external_->language == "FORTRAN 77";
  entry_ = fortran ? nullptr : native::find(name);
  if (fortran ? native::knows_fortran(name) : entry_ != nullptr) return true;
  if (fortran) {
    in_.unsupported(external_->place, fmt::format("the external function {} (its code, {}, is not among LAPACK's and BLAS')", function_->path, name));
    return false;
  }
  foreign_ = foreign_function(in_, function_, *external_);
  return foreign_.has_value();
}

/// MLS 12.9.2: where the clause says so, or there is no call and one output.
bool Activation::is_returned() const { return external_->has_call ? external_->has_result : outputs_.size() == 1; }

std::optional<std::vector<Activation::Operand>> Activation::operands() {
  std::vector<Operand> all;
  bool good = true;
  const auto is_input = [&](const Variable& v) {
    return std::find(inputs_.begin(), inputs_.end(), static_cast<std::size_t>(&v - variables_.data())) != inputs_.end();
  };
  const auto target = [&](const parser::ComponentReference& r, Place place) {
    Operand o;
    Environment env = environment();
    env.shape_only = true;
    auto value = select_parts(in_, frame_.at(r.parts.front().name), r, 0, env);
    if (!value) {
      good = false;
      return;
    }
    o.part = r.parts.size() > 1 || !r.parts.front().subscripts.empty();
    if (o.part && !foreign_) {
      in_.unsupported(place, "a part of a variable as a result of an external function");
      good = false;
    }
    o.value = std::move(*value);
    o.target = r.parts.front().name;
    all.push_back(std::move(o));
  };
  const auto whole = [&](const Variable& v) {
    Operand o;
    o.value = frame_.at(v.name);
    if (!is_input(v)) o.target = v.name;
    all.push_back(std::move(o));
  };
  if (external_->has_call) {
    if (external_->has_result) {
      const std::string_view name = in_.text(external_->result.parts.front().name);
      const Variable* v = external_->result.global ? nullptr : variable(external_->result.parts.front().name);
      if (!v || is_input(*v)) {   // MLS 12.9.2
        in_.error(external_->result.place, fmt::format("the result of the external function goes to {}, which is no output of {}", name, function_->path),
                  outputs_.empty() ? "declare an output for it" : fmt::format("write {} = ... with the name of an output", in_.text(variables_[outputs_.front()].name)),
                  {{function_->definition->place, "declared here"}});
        return {};
      }
      target(external_->result, external_->place);
    }
    for (const parser::Expression* e : external_->arguments) {
      const auto* r = std::get_if<parser::Reference>(&e->node);
      const Variable* v = r && !r->name.global ? variable(r->name.parts.front().name) : nullptr;
      if (v && !is_input(*v)) {
        target(r->name, e->place);
        continue;
      }
      Environment env = environment();
      auto value = elaborate(in_, *e, env);
      if (!value) return {};
      if (value->type.base == BaseType::object && !value->record && !r) {   // MLS 12.9: references, constants and sizes
        in_.error(e->place, fmt::format("an external function takes an object by the name of an input, not {}", in_.workspace.sources.text(e->place)),
                  "declare an input for the object, and name it here");
        return {};
      }
      all.push_back({.value = std::move(*value), .size = is_size(in_, *e)});
    }
  } else {
    if (is_returned()) whole(variables_[outputs_.front()]);
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      const Variable& v = variables_[i];
      const bool output = std::find(outputs_.begin(), outputs_.end(), i) != outputs_.end();
      if ((!is_input(v) && !output) || (output && is_returned())) continue;
      whole(v);
      for (const Expr e : extents_of(in_, frame_.at(v.name))) all.push_back({.value = scalar(integer_type, e), .size = true});
    }
  }
  if (!good) return {};
  if (foreign_) {
    if (!take_apart(all)) return {};
    return all;
  }
  for (Operand& o : all) {
    if (o.value.record) {
      in_.unsupported(external_->place, fmt::format("a record as an argument of the external function {}", function_->path));
      return {};
    }
    // FORTRAN 77 has arrays column by column (MLS 12.9.1.2).
    if (external_->language == "FORTRAN 77" && o.value.dims.size() == 2 && !o.value.run) {
      const auto rows = static_cast<std::size_t>(o.value.dims[0]), columns = static_cast<std::size_t>(o.value.dims[1]);
      std::vector<Expr> turned;
      for (std::size_t c = 0; c < columns; ++c)
        for (std::size_t r = 0; r < rows; ++r) turned.push_back(o.value.elements[r * columns + c]);
      o.value.elements = std::move(turned);
    }
  }
  return all;
}

/// Into operands of scalars and arrays of them, each record member by member; and what C is called with (MLS 12.9.1).
bool Activation::take_apart(std::vector<Operand>& all) {
  foreign_->parameters.clear();
  foreign_->returns = is_returned();
  std::vector<Operand> leaves;
  const auto split = [&](const auto& self, const Operand& o) -> void {
    if (!o.value.record) return leaves.push_back(o);
    for (std::size_t k = 0; k < o.value.members.size(); ++k) {
      Operand member = o;
      member.value = o.value.members[k];
      member.members.push_back(k);
      self(self, member);
    }
  };
  for (const Operand& o : all) {
    auto type = o.size ? foreign::Type{foreign::Type::Kind::size} : foreign_type(in_, o.value, *external_);
    if (!type) return false;
    const bool written = o.target != Name::none, first = foreign_->parameters.empty() && foreign_->returns;
    if ((first && !o.value.dims.empty()) || (written && !first && type->kind == foreign::Type::Kind::object)) {
      if (first) in_.error(external_->place, fmt::format("a C function returns no array, as {} should", foreign_->name), "write its call, with the array and its sizes among the operands");
      else in_.error(external_->place, fmt::format("an external object is what the C function {} returns, and no operand that it writes", foreign_->name));
      return false;
    }
    foreign_->parameters.push_back({std::move(*type), !o.value.dims.empty(), written});
    split(split, o);
  }
  all = std::move(leaves);
  return true;
}

bool Activation::carry_out(std::vector<native::In>& in, std::vector<native::Out>& out, std::vector<native::FortranOperand>& fortran) {
  native::Environment environment;
  environment.resource = in_.library.resource;
  for (auto& [name, folder] : in_.library.folders()) environment.folders.emplace(name, folder);
  try {
    if (entry_) entry_->function(in, out, environment);
    else if (foreign_) return call_foreign(in_, *foreign_, in, out, environment, external_->place);
    else native::call_fortran(in_.text(external_->has_call ? external_->function : function_->definition->name), fortran);
  } catch (const std::exception&) {
    return false;   // the run will say so, if it comes here
  }
  return true;
}

bool Activation::carry_out() {
  if (external_effect() == native::Effect::acts || caller_.in_when) return false;
  auto all = operands();
  if (!all) return false;
  std::vector<std::vector<double>> numbers(all->size());
  std::vector<std::vector<std::string>> texts(all->size());
  std::vector<std::vector<std::string_view>> views(all->size());
  std::vector<native::In> in;
  std::vector<native::Out> out;
  std::vector<native::FortranOperand> fortran;
  for (std::size_t k = 0; k < all->size(); ++k) {
    const Operand& o = (*all)[k];
    const bool result = o.target != Name::none;
    if (o.value.type.base == BaseType::object || o.part) return false;
    for (const Expr e : o.value.elements) {
      const Expr known = e == Expr::none ? e : in_.evaluated(e);
      if (known == Expr::none && !result) return false;
      if (o.value.type.base == BaseType::string) texts[k].push_back(known == Expr::none ? std::string() : ex().string_value(known));
      else numbers[k].push_back(known != Expr::none ? number_in(ex(), known) : entry_ ? std::nan("") : 0);   // FORTRAN need not write all of it
    }
    views[k].assign(texts[k].begin(), texts[k].end());
    fortran.push_back({numbers[k], views[k].empty() ? std::string_view() : views[k].front(), o.value.type.base == BaseType::real, result});
    if (result) out.push_back({.numbers = numbers[k], .texts = &texts[k], .object = nullptr});
    else in.push_back({.numbers = numbers[k], .texts = views[k], .object = nullptr});
  }
  if (!carry_out(in, out, fortran)) return false;
  for (std::size_t k = 0; k < all->size(); ++k) {
    const Operand& o = (*all)[k];
    if (o.target == Name::none) continue;
    Value value = o.value;
    value.elements.clear();
    const std::size_t n = o.value.elements.size();
    for (std::size_t j = 0; j < n; ++j) {
      const double number = texts[k].empty() ? numbers[k][j] : 0;
      if (std::isnan(number)) return false;
      switch (value.type.base) {
        case BaseType::string: value.elements.push_back(ex().string(texts[k][j])); break;
        case BaseType::boolean: value.elements.push_back(ex().boolean(number != 0)); break;
        case BaseType::integer: value.elements.push_back(ex().integer(std::llround(number))); break;
        case BaseType::enumeration: {
          const auto literals = in_.model.enumerations[index(value.type.enumeration)].literals.size();
          if (!(number >= 1 && number <= double(literals))) return false;
          value.elements.push_back(ex().enumeration(value.type.enumeration, static_cast<std::uint32_t>(number)));
          break;
        }
        default: value.elements.push_back(ex().real(number)); break;
      }
    }
    if (external_->language == "FORTRAN 77" && value.dims.size() == 2) {
      const auto rows = static_cast<std::size_t>(value.dims[0]), columns = static_cast<std::size_t>(value.dims[1]);
      std::vector<Expr> by_row(n);
      for (std::size_t j = 0; j < n; ++j) by_row[(j % rows) * columns + j / rows] = value.elements[j];
      value.elements = std::move(by_row);
    }
    Value* to = &frame_[o.target];
    for (const std::size_t member : o.members) to = &to->members[member];
    *to = std::move(value);
  }
  return true;
}

}  // namespace mosim::compiler
