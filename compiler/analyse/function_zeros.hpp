#pragma once
// What a function that is code returns whatever its unknown arguments are.

#include <map>

#include "compiler/analyse/analysis.hpp"

namespace mosim::compiler::dae {

class FunctionZeros {
public:
  explicit FunctionZeros(Analysis& a) : a_(a), x_(a.x()) {}

  /// The results of a call with these arguments, a literal or Expr::none each: literals where every way through the function leads to
  /// the same, provided that it has a value at all; else Expr::none. 0*x counts as 0. Each is looked at once.
  std::vector<Expr> results(FunctionId f, const std::vector<Expr>& arguments);

private:
  using State = std::unordered_map<std::uint32_t, Expr>;   // by local: a literal, or none where it is not known
  enum class Way { on, given_up };
  Way run(const flat::Statements& statements, State& state);
  Way run(const flat::IfStatement& s, State& state);
  Expr value(Expr e, const State& state);
  Expr folded(Expr e, const State& state);
  Expr local(LocalId l, const State& state) const;
  bool is_zero(Expr e) const { return e != Expr::none && x_.is_number(e) && x_.number(e) == 0; }

  Analysis& a_;
  Expressions& x_;
  std::map<std::pair<FunctionId, std::vector<Expr>>, std::vector<Expr>> found_;
  int depth_ = 0;
  std::size_t statements_ = 0;   // looked at so far
};

}  // namespace mosim::compiler::dae
