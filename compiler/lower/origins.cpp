// Source places that need no source text.

#include "compiler/lower/lowering.hpp"
#include "compiler/expression/print.hpp"

namespace mosim::compiler {

using runtime::none;

runtime::Index Lowering::spot(Place place) {
  const auto [it, fresh] = spots_.try_emplace(std::uint64_t(place.begin) << 32 | place.end, static_cast<Index>(p_.origins.spots.size()));
  if (!fresh) return it->second;
  runtime::Spot& spot = p_.origins.spots.emplace_back();
  if (!place || !sources_.source(place)) return it->second;
  const parser::Location location = sources_.locate(place);
  spot.path = labels_(location.path);
  spot.line = location.line;
  spot.column = location.column;
  spot.end_column = location.end_column;
  // A line that no screen holds is not shown, and would be kept for every operation on it.
  if (location.text.size() <= 500) spot.line_text = labels_(location.text);
  return it->second;
}

runtime::Index Lowering::origin(Place place, std::string_view text, std::initializer_list<Expr> expressions) {
  // A helper means nothing to the reader: show what was written.
  if (text.find('$') != std::string_view::npos && place && sources_.source(place)) text = sources_.text(place).substr(0, 200);
  int visits = 200;   // enough for a message
  walker_.restart();
  for (Expr root : expressions) {
    if (root == Expr::none) continue;
    walker_.more(root, [&](Expr e) {
      if (--visits < 0) return false;
      const dae::Quantity q = dae::quantity_of(x_, e);
      if (q == dae::Quantity::none) return true;
      const VariableId v = dae::variable(q);
      const Slot slot = slot_of(q);
      if (index(v) >= s_.user_variables || slot == none || variable_number_[index(v)] == none) return true;
      p_.origins.mentions.push_back({slot, variable_number_[index(v)], dae::part(q)});
      return true;
    });
  }
  return p_.origins.add(spot(place), text);
}

runtime::Index Lowering::origin(Expr e) {
  const Place place = x_.place(e);
  // Made on the way, by solving or differentiating: the equation says more.
  if (!place && current_equation_) return origin(*current_equation_);
  // Sums and products can only overflow, and every part of a long one has a place: one origin for all of it.
  const Op op = x_.op(e);
  if (current_equation_ && (op == Op::add || op == Op::subtract || op == Op::multiply)) return origin(*current_equation_);
  const auto [it, fresh] = origins_.try_emplace(index(e), none);
  if (fresh) it->second = origin(place, print_brief(model_, e), {e});
  return it->second;
}

runtime::Index Lowering::origin(const dae::Equation& equation) {
  std::uint64_t told = 0;
  for (const std::uint32_t part : {index(equation.left), index(equation.right), index(equation.source_left), index(equation.source_right), equation.place.begin, equation.place.end,
                                   static_cast<std::uint32_t>(equation.why)})
    told = mixed(told, part);
  const auto short_told = static_cast<std::uint32_t>(told >> 32);
  const bool has_left = equation.left != Expr::none;
  EquationOrigin& known = equation_origins_[has_left ? std::max(equation.left, equation.right) : equation.right];
  const bool is_first = known.origin == none;
  Index& its = is_first || known.told == short_told ? known.origin : other_origins_.try_emplace(told, none).first->second;
  if (its == none) {
    const Expr left = equation.source_left != Expr::none ? equation.source_left : equation.left;
    const Expr right = equation.source_right != Expr::none ? equation.source_right : equation.right;
    std::string& text = side_;
    print_brief(model_, right, text);
    if (equation.why != dae::Why::relation && equation.why != dae::Why::event_function && equation.why != dae::Why::condition &&
        equation.why != dae::Why::delay) {
      print_brief(model_, left, other_side_);
      if (other_side_ != text) (other_side_ += " = ").append(text).swap(text);   // else a helper, and what it stands for
    }
    its = origin(equation.place, text, {equation.left, equation.right});
    if (is_first) known.told = short_told;
  }
  return its;
}

}  // namespace mosim::compiler
