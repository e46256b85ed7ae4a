#include "parser/references.hpp"

namespace mosim::parser {

namespace {

struct Visitor {
  const std::function<void(const ComponentReference&)>& visit;

  void operator()(const Expression* e) const {
    if (e) std::visit(*this, e->node);
  }
  void operator()(List<const Expression*> all) const {
    for (const Expression* e : all) (*this)(e);
  }
  void operator()(List<Subscript> all) const {
    for (const Subscript& s : all) (*this)(s.expression);
  }
  void operator()(List<NamedArgument> all) const {
    for (const NamedArgument& a : all) (*this)(a.value);
  }
  void operator()(List<ForIndex> all) const {
    for (const ForIndex& i : all) (*this)(i.range);
  }
  void operator()(const RealLiteral&) const {}
  void operator()(const IntegerLiteral&) const {}
  void operator()(const StringLiteral&) const {}
  void operator()(const BooleanLiteral&) const {}
  void operator()(const EndExpression&) const {}
  void operator()(const Reference& r) const {
    visit(r.name);
    for (const ReferencePart& part : r.name.parts) (*this)(part.subscripts);
  }
  void operator()(const Call& c) const {
    (*this)(c.arguments.positional);
    (*this)(c.arguments.named);
    (*this)(c.arguments.iterators);
  }
  void operator()(const PartialApplication& p) const { (*this)(p.arguments); }
  void operator()(const Unary& u) const { (*this)(u.operand); }
  void operator()(const Binary& b) const {
    (*this)(b.left);
    (*this)(b.right);
  }
  void operator()(const IfExpression& i) const {
    for (const IfBranch& b : i.branches) {
      (*this)(b.condition);
      (*this)(b.value);
    }
    (*this)(i.otherwise);
  }
  void operator()(const Range& r) const {
    (*this)(r.start);
    (*this)(r.step);
    (*this)(r.stop);
  }
  void operator()(const ArrayConstructor& a) const { (*this)(a.elements); }
  void operator()(const ArrayComprehension& a) const {
    (*this)(a.element);
    (*this)(a.iterators);
  }
  void operator()(const MatrixConstructor& m) const {
    for (const auto& row : m.rows) (*this)(row);
  }
  void operator()(const Tuple& t) const { (*this)(t.members); }
  void operator()(const Subscripted& s) const {
    (*this)(s.base);
    (*this)(s.subscripts);
  }
  void operator()(const MemberAccess& m) const { (*this)(m.base); }
};

}  // namespace

void each_reference(const Expression& e, const std::function<void(const ComponentReference&)>& visit) { Visitor{visit}(&e); }

}  // namespace mosim::parser
