// The syntax tree as indented text: a node a line, under the name of its production.

#include <fmt/format.h>

#include "parser/parse.hpp"

namespace mosim::parser {
namespace {

template <class... F>
struct overloaded : F... {
  using F::operator()...;
};
template <class... F>
overloaded(F...) -> overloaded<F...>;

constexpr std::string_view symbol(BinaryOperator op) {
  constexpr std::string_view symbols[] = {"+",  "-", "*",  "/", "^",  ".+", ".-", ".*",  "./",
                                          ".^", "<", "<=", ">", ">=", "==", "<>", "and", "or"};
  return symbols[static_cast<std::size_t>(op)];
}
constexpr std::string_view symbol(UnaryOperator op) {
  constexpr std::string_view symbols[] = {"+", "-", ".+", ".-", "not"};
  return symbols[static_cast<std::size_t>(op)];
}
constexpr std::string_view name_of(ClassKind kind) {
  constexpr std::string_view texts[] = {
      "class", "model",   "record",   "operator record",   "block",   "connector", "expandable connector",
      "type",  "package", "function", "operator function", "operator"};
  return texts[static_cast<std::size_t>(kind)];
}

/// A string in quotes, on one line.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      case '\a': out += "\\a"; break;
      case '\b': out += "\\b"; break;
      case '\f': out += "\\f"; break;
      case '\v': out += "\\v"; break;
      default: out += c;
    }
  }
  return out + '"';
}

class Printer {
public:
  explicit Printer(const Names& names) : names_(names) {}

  std::string take() { return std::move(out_); }

  void print(const StoredDefinition& definition) {
    line("stored-definition");
    const Indent indent(*this);
    if (definition.has_within) {
      line(definition.within.parts.empty() ? "within" : "within " + text(definition.within));
    }
    for (const ClassDefinition* c : definition.classes) print(*c);
  }

private:
  struct Indent {
    explicit Indent(Printer& printer) : printer(printer) { ++printer.depth_; }
    ~Indent() { --printer.depth_; }
    Printer& printer;
  };

  void line(std::string_view content) {
    out_.append(2 * depth_, ' ');
    out_ += content;
    out_ += '\n';
  }
  /// A line, and something one level below it.
  template <class Below>
  void line(std::string_view content, Below&& below) {
    line(content);
    const Indent indent(*this);
    below();
  }

  std::string_view text(Name name) const { return names_.text(name); }
  std::string text(const QualifiedName& name) const {
    std::string out = name.global ? "." : "";
    for (std::size_t i = 0; i < name.parts.size(); ++i) {
      if (i > 0) out += '.';
      out += text(name.parts[i]);
    }
    return out;
  }
  std::string text(List<Name> names) const {
    std::string out;
    for (const Name name : names) out += (out.empty() ? "" : ", ") + std::string(text(name));
    return out;
  }

  // ---- names and expressions ----

  void print(const ComponentReference& reference, std::string_view what) {
    std::string out = reference.global ? "." : "";
    for (std::size_t i = 0; i < reference.parts.size(); ++i) {
      if (i > 0) out += '.';
      out += text(reference.parts[i].name);
      if (!reference.parts[i].subscripts.empty()) out += "[]";
    }
    line(fmt::format("{} {}", what, out), [&] {
      for (const ReferencePart& part : reference.parts) print(part.subscripts);
    });
  }
  void print(List<Subscript> subscripts) {
    if (subscripts.empty()) return;
    line("array-subscripts", [&] {
      for (const Subscript& subscript : subscripts) {
        subscript.expression ? print(*subscript.expression) : line(":");
      }
    });
  }
  void print(List<ForIndex> indices) {
    for (const ForIndex& index : indices) {
      line(fmt::format("for-index {}", text(index.name)), [&] {
        if (index.range) print(*index.range);
      });
    }
  }
  void print(List<NamedArgument> arguments) {
    for (const NamedArgument& argument : arguments) {
      line(fmt::format("named-argument {}", text(argument.name)), [&] { print(*argument.value); });
    }
  }
  void print(List<const Expression*> expressions) {
    for (const Expression* e : expressions) e ? print(*e) : line("(left out)");
  }

  /// A chain of binary operators: the leftmost operand, then each operator and its right operand. No recursion down
  /// the left side, which may be long.
  void print_chain(const Expression& top) {
    std::vector<const Binary*> chain;
    const Expression* left = &top;
    while (const auto* binary = std::get_if<Binary>(&left->node)) {
      chain.push_back(binary);
      left = binary->left;
    }
    line("binary", [&] {
      print(*left);
      for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
        line(symbol((*it)->op));
        print(*(*it)->right);
      }
    });
  }

  void print(const Expression& expression) {
    std::visit(
        overloaded{
            [&](const RealLiteral& e) { line(fmt::format("real {}", e.value)); },
            [&](const IntegerLiteral& e) { line(fmt::format("integer {}", e.value)); },
            [&](const StringLiteral& e) { line(fmt::format("string {}", quoted(e.value))); },
            [&](const BooleanLiteral& e) { line(fmt::format("boolean {}", e.value)); },
            [&](const EndExpression&) { line("end"); },
            [&](const Reference& e) { print(e.name, "component-reference"); },
            [&](const Call& e) {
              line("function-call", [&] {
                print(e.callee, "component-reference");
                print(e.arguments.positional);
                print(e.arguments.named);
                print(e.arguments.iterators);
              });
            },
            [&](const PartialApplication& e) {
              line("function-partial-application " + text(e.function), [&] { print(e.arguments); });
            },
            [&](const Unary& e) { line(fmt::format("unary {}", symbol(e.op)), [&] { print(*e.operand); }); },
            [&](const Binary&) { print_chain(expression); },
            [&](const IfExpression& e) {
              line("if-expression", [&] {
                for (const IfBranch& branch : e.branches) {
                  line(&branch == e.branches.data() ? "if" : "elseif", [&] { print(*branch.condition); });
                  line("then", [&] { print(*branch.value); });
                }
                line("else", [&] { print(*e.otherwise); });
              });
            },
            [&](const Range& e) {
              line("range", [&] {
                print(*e.start);
                if (e.step) print(*e.step);
                print(*e.stop);
              });
            },
            [&](const ArrayConstructor& e) { line("array", [&] { print(e.elements); }); },
            [&](const ArrayComprehension& e) {
              line("array-comprehension", [&] {
                print(*e.element);
                print(e.iterators);
              });
            },
            [&](const MatrixConstructor& e) {
              line("matrix", [&] {
                for (const auto& row : e.rows) line("row", [&] { print(row); });
              });
            },
            [&](const Tuple& e) { line("output-expression-list", [&] { print(e.members); }); },
            [&](const Subscripted& e) {
              line("subscripted", [&] {
                print(*e.base);
                print(e.subscripts);
              });
            },
            [&](const MemberAccess& e) { line(fmt::format("member {}", text(e.member)), [&] { print(*e.base); }); },
        },
        expression.node);
  }

  // ---- modifications ----

  void print_description(std::string_view text) {
    if (!text.empty()) line(fmt::format("description {}", quoted(text)));
  }
  void print(const Description& description) {
    print_description(description.text);
    print(description.annotation, "annotation");
  }
  void print(const Modification* modification, std::string_view what = "modification") {
    if (!modification) return;
    line(what, [&] {
      if (modification->has_arguments) {
        line("class-modification", [&] {
          for (const Argument& argument : modification->arguments) print(argument);
        });
      }
      if (modification->binding) line("=", [&] { print(*modification->binding); });
      if (modification->binding_break) line("= break");
    });
  }
  void print(const ConstrainingClause* constraint) {
    if (!constraint) return;
    line("constrainedby " + text(constraint->type), [&] {
      print(constraint->modification);
      print(constraint->description);
    });
  }
  void print(const Argument& argument) {
    const std::string prefix = fmt::format("{}{}", argument.each ? "each " : "", argument.final_ ? "final " : "");
    std::visit(overloaded{
                   [&](const ElementModification& a) {
                     line(prefix + "element-modification " + text(a.name), [&] {
                       print(a.modification);
                       print_description(a.description);
                     });
                   },
                   [&](const ElementRedeclaration& a) {
                     line(fmt::format("{}{}{}", a.redeclare ? "redeclare " : "", prefix,
                                      a.replaceable ? "element-replaceable" : "element-redeclaration"),
                          [&] {
                            std::visit([&](const auto* element) { print(*element); }, a.element);
                            print(a.constraint);
                          });
                   },
                   [&](const InheritanceBreak& a) {
                     line("break", [&] {
                       std::visit(overloaded{[&](Name name) { line(text(name)); },
                                             [&](const Equation* equation) { print(*equation); }},
                                  a.target);
                     });
                   },
               },
               argument.node);
  }

  // ---- classes ----

  void print(const Declaration& declaration) {
    line(fmt::format("declaration {}", text(declaration.name)), [&] {
      print(declaration.subscripts);
      print(declaration.modification);
      if (declaration.condition) line("condition-attribute", [&] { print(*declaration.condition); });
      print(declaration.description);
    });
  }
  void print(const ComponentClause& clause) {
    constexpr std::string_view connectors[] = {"", "flow ", "stream "};
    constexpr std::string_view variabilities[] = {"", "discrete ", "parameter ", "constant "};
    line(fmt::format("component-clause {}{}{}{}", connectors[static_cast<std::size_t>(clause.prefix.connector)],
                     variabilities[static_cast<std::size_t>(clause.prefix.variability)], text(clause.prefix.causality),
                     text(clause.type)),
         [&] {
           print(clause.subscripts);
           for (const Declaration& declaration : clause.declarations) print(declaration);
         });
  }
  static std::string_view text(Causality causality) {
    constexpr std::string_view texts[] = {"", "input ", "output "};
    return texts[static_cast<std::size_t>(causality)];
  }
  void print(const ImportClause& import) {
    std::string what = import.kind == ImportKind::renamed ? fmt::format("{} = ", text(import.alias)) : "";
    what += text(import.name);
    if (import.kind == ImportKind::unqualified) what += ".*";
    if (import.kind == ImportKind::list) what += ".{" + text(import.members) + "}";
    line("import-clause " + what, [&] { print(import.description); });
  }
  void print(const ExtendsClause& extends) {
    line("extends-clause " + text(extends.type), [&] {
      print(extends.modification);
      print(extends.annotation, "annotation");
    });
  }
  void print(const Element& element) {
    line(fmt::format("element{}{}{}{}{}{}", element.is_protected ? " protected" : "",
                     element.redeclare ? " redeclare" : "", element.final_ ? " final" : "",
                     element.inner ? " inner" : "", element.outer ? " outer" : "",
                     element.replaceable ? " replaceable" : ""),
         [&] {
           std::visit(overloaded{[&](const ClassDefinition* c) { print(*c); }, [&](const auto& node) { print(node); }},
                      element.node);
           print(element.constraint);
         });
  }
  void print(const ClassDefinition& definition) {
    constexpr std::string_view purities[] = {"", "pure ", "impure "};
    line(fmt::format("class-definition {}{}{}{}{} {}", definition.final_ ? "final " : "",
                     definition.encapsulated ? "encapsulated " : "", definition.partial ? "partial " : "",
                     purities[static_cast<std::size_t>(definition.purity)], name_of(definition.kind),
                     text(definition.name)),
         [&] {
           print(definition.description);
           std::visit([&](const auto& specifier) { print(specifier); }, definition.specifier);
         });
  }
  void print(const LongClassSpecifier& specifier) {
    line(specifier.extends ? "long-class-specifier extends" : "long-class-specifier", [&] {
      print(specifier.modification);
      const Composition& composition = specifier.composition;
      for (const Element& element : composition.elements) print(element);
      for (const auto& section : composition.sections) {
        std::visit(overloaded{[&](const EquationSection& s) {
                                line(s.initial ? "initial equation-section" : "equation-section",
                                     [&] { print(s.equations); });
                              },
                              [&](const AlgorithmSection& s) {
                                line(s.initial ? "initial algorithm-section" : "algorithm-section",
                                     [&] { print(s.statements); });
                              }},
                   section);
      }
      if (composition.external) print(*composition.external);
    });
  }
  void print(const ShortClassSpecifier& specifier) {
    line(fmt::format("short-class-specifier {}{}", text(specifier.causality), text(specifier.type)), [&] {
      print(specifier.subscripts);
      print(specifier.modification);
    });
  }
  void print(const EnumerationSpecifier& specifier) {
    line(specifier.open ? "enumeration :" : "enumeration", [&] {
      for (const EnumerationLiteral& literal : specifier.literals) {
        line(fmt::format("enumeration-literal {}", text(literal.name)), [&] { print(literal.description); });
      }
    });
  }
  void print(const DerClassSpecifier& specifier) {
    line(fmt::format("der-class-specifier {}, {}", text(specifier.function), text(specifier.variables)));
  }
  void print(const ExternalClause& external) {
    line(external.language.empty() ? "external" : "external " + quoted(external.language), [&] {
      if (external.has_result) print(external.result, "result");
      if (external.has_call) {
        line(fmt::format("external-function-call {}", text(external.function)), [&] { print(external.arguments); });
      }
      print(external.annotation, "annotation");
    });
  }

  // ---- equations and statements ----

  void print(List<Equation> equations) {
    for (const Equation& equation : equations) print(equation);
  }
  void print(List<Statement> statements) {
    for (const Statement& statement : statements) print(statement);
  }
  template <class Body>
  void print(List<Branch<Body>> branches, std::string_view first, std::string_view next) {
    for (const Branch<Body>& branch : branches) {
      line(!branch.condition            ? "else"
           : &branch == branches.data() ? first
                                        : next,
           [&] {
             if (branch.condition) print(*branch.condition);
             line("then", [&] { print(branch.body); });
           });
    }
  }

  void print(const Equation& equation) {
    std::visit(
        overloaded{
            [&](const SimpleEquation& e) {
              line("simple-equation", [&] {
                print(*e.left);
                print(*e.right);
              });
            },
            [&](const CallEquation& e) { line("call-equation", [&] { print(*e.call); }); },
            [&](const IfEquation& e) { line("if-equation", [&] { print(e.branches, "if", "elseif"); }); },
            [&](const WhenEquation& e) { line("when-equation", [&] { print(e.branches, "when", "elsewhen"); }); },
            [&](const ForEquation& e) {
              line("for-equation", [&] {
                print(e.indices);
                line("loop", [&] { print(e.body); });
              });
            },
            [&](const ConnectEquation& e) {
              line("connect-equation", [&] {
                print(e.left, "component-reference");
                print(e.right, "component-reference");
              });
            },
        },
        equation.node);
    const Indent indent(*this);
    print(equation.description);
  }

  void print(const Statement& statement) {
    std::visit(
        overloaded{
            [&](const Assignment& s) {
              line(s.derivative ? "assignment der" : "assignment", [&] {
                print(s.target, "component-reference");
                print(*s.value);
              });
            },
            [&](const MultipleAssignment& s) {
              line("multiple-assignment", [&] {
                line("output-expression-list", [&] { print(s.targets); });
                print(*s.call);
              });
            },
            [&](const CallStatement& s) { line("call-statement", [&] { print(*s.call); }); },
            [&](const BreakStatement&) { line("break"); },
            [&](const ReturnStatement&) { line("return"); },
            [&](const IfStatement& s) { line("if-statement", [&] { print(s.branches, "if", "elseif"); }); },
            [&](const WhenStatement& s) { line("when-statement", [&] { print(s.branches, "when", "elsewhen"); }); },
            [&](const ForStatement& s) {
              line("for-statement", [&] {
                print(s.indices);
                line("loop", [&] { print(s.body); });
              });
            },
            [&](const WhileStatement& s) {
              line("while-statement", [&] {
                print(*s.condition);
                line("loop", [&] { print(s.body); });
              });
            },
        },
        statement.node);
    const Indent indent(*this);
    print(statement.description);
  }

  const Names& names_;
  std::string out_;
  std::size_t depth_ = 0;
};

}  // namespace

std::string print(const StoredDefinition& definition, const Workspace& workspace) {
  Printer printer(workspace.names);
  printer.print(definition);
  return printer.take();
}

}  // namespace mosim::parser
