#pragma once
// What the actions build with: stacks of half-built nodes, and the arena the finished ones go to.
// A list is a stretch at the top of its stack; where it begins is remembered in `marks` when it is opened.

#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "parser/input.hpp"
#include "parser/parse.hpp"
#include "parser/error_list.hpp"

namespace mosim::parser {

/// How many binary operators one chain (a + b + ...) may have.
inline constexpr std::uint32_t maximum_chain = 20000;

/// Hands out memory of a workspace's arena in small steps, asking it for large ones.
class Arena {
public:
  explicit Arena(std::pmr::memory_resource& resource) : resource_(resource) {}

  template <class T>
  T* allocate(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= alignment);
    const std::size_t size = (count * sizeof(T) + alignment - 1) / alignment * alignment;
    if (size > static_cast<std::size_t>(end_ - at_)) grow(size);
    T* result = reinterpret_cast<T*>(at_);
    at_ += size;
    return result;
  }

private:
  static constexpr std::size_t alignment = 8;

  void grow(std::size_t size) {
    const std::size_t block = std::max<std::size_t>(size, next_block_);
    next_block_ = std::min<std::size_t>(2 * next_block_, 256 * 1024);
    at_ = static_cast<std::byte*>(resource_.allocate(block, alignment));
    end_ = at_ + block;
  }

  std::pmr::memory_resource& resource_;
  std::byte* at_ = nullptr;
  std::byte* end_ = nullptr;
  std::size_t next_block_ = 1024;
};

struct Identifier {
  Name name;
  Place place;
};

/// An expression that waits for its parent. The place holds its parentheses too. A null expression: left out.
struct Operand {
  Expression* expression;
  Place place;
  std::uint32_t chain = 0;  // binary operators down the left side
};

struct OperatorToken {
  BinaryOperator op;
  Place place;
};

struct CallFrame {
  std::size_t operands, named, index_lists;
};

/// One branch of an if or a when, or the body of a loop; equations or statements.
struct OpenBranch {
  Place place;
  const Expression* condition;
  std::size_t equation_mark, statement_mark;
  List<Equation> equations;
  List<Statement> statements;
};

struct OpenClass {
  ClassDefinition definition;
  std::size_t element_mark, section_mark;
  bool class_extends = false;
  bool is_protected = false;
  const Modification* modification = nullptr;
  const ExternalClause* external = nullptr;
  Section section = Section::elements;
  Section section_before_annotation = Section::elements;
  const char* section_at = nullptr;
  const char* name_at = nullptr;
};

class Builder {
public:
  Builder(const Source& source, Workspace& workspace)
      : source(source),
        names(workspace.names),
        arena(workspace.arena),
        cache_bits_(source.text.size() < 4096 ? 6 : 10) {
    cache_.resize(std::size_t{1} << cache_bits_);
    operands.reserve(64);
    marks.reserve(64);
    idents.reserve(64);
  }

  Place place(const char* begin, const char* end) const { return place_of(source, begin, end); }

  template <class T>
  const T* make(const T& value) {
    return std::construct_at(arena.allocate<T>(1), value);
  }
  /// Moves the stack's stretch from the mark on into the arena.
  template <class T>
  List<T> collect(std::vector<T>& stack, std::size_t mark) {
    const std::size_t count = stack.size() - mark;
    if (count == 0) return {};
    T* first = arena.allocate<T>(count);
    std::uninitialized_copy(stack.begin() + static_cast<std::ptrdiff_t>(mark), stack.end(), first);
    stack.erase(stack.begin() + static_cast<std::ptrdiff_t>(mark), stack.end());
    return {first, count};
  }
  List<const Expression*> collect_expressions(std::size_t mark) {
    const std::size_t count = operands.size() - mark;
    if (count == 0) return {};
    auto* first = arena.allocate<const Expression*>(count);
    for (std::size_t i = 0; i < count; ++i) first[i] = operands[mark + i].expression;
    operands.resize(mark);
    return {first, count};
  }
  template <class T>
  static T pop(std::vector<T>& stack) {
    T value = std::move(stack.back());
    stack.pop_back();
    return value;
  }
  template <class T>
  void mark(const std::vector<T>& stack) {
    marks.push_back(stack.size());
  }
  std::size_t pop_mark() { return pop(marks); }

  template <class Node>
  void push(Place place, const Node& node, std::uint32_t chain = 0) {
    Expression* e = arena.allocate<Expression>(1);
    std::construct_at(e, Expression{place, node});
    operands.push_back({e, place, chain});
  }
  const Expression* pop_expression() { return pop(operands).expression; }

  /// Takes the prefixes seen since the last call.
  KeywordSet take_prefixes() { return std::exchange(prefixes, 0); }

  /// Names::intern behind a small cache: most identifiers come again soon.
  Name intern(std::string_view text);
  /// Empties the stacks of what is smaller than a member of a list.
  void clear_parts();
  /// Leaves out an element that is a class whose name could not be read.
  void drop_nameless();
  ComponentReference reference_to(std::string_view text, Place place);

  const Source& source;
  Names& names;
  Arena arena;

  KeywordSet prefixes = 0;
  FunctionArguments call_arguments;  // of the call that just ended
  List<Subscript> subscript_list;    // of the brackets that just closed
  Place branch_place;                // of the last if, elseif, when, ...
  bool stored_final = false;

  std::vector<std::size_t> marks;
  std::vector<Identifier> idents;
  std::vector<QualifiedName> qualified_names;
  std::vector<ReferencePart> parts;
  std::vector<ComponentReference> references;
  std::vector<Subscript> subscripts;
  std::vector<std::string_view> strings;
  std::vector<Description> descriptions;
  std::vector<Operand> operands;
  std::vector<OperatorToken> operators;
  std::vector<NamedArgument> named;
  std::vector<ForIndex> indices;
  std::vector<List<ForIndex>> index_lists;
  std::vector<CallFrame> calls;
  std::vector<List<const Expression*>> rows;
  std::vector<Argument> arguments;
  std::vector<Modification> modifications;
  std::vector<Declaration> declarations;
  std::vector<ComponentClause> clauses;
  std::vector<ConstrainingClause> constraints;
  std::vector<Element> elements;
  std::vector<EnumerationLiteral> literals;
  std::vector<std::variant<EquationSection, AlgorithmSection>> sections;
  std::vector<OpenClass> open_classes;
  std::vector<ClassDefinition*> finished_classes;
  std::vector<const ClassDefinition*> stored_classes;
  std::vector<OpenBranch> branches;
  std::vector<Equation> equations;
  std::vector<Statement> statements;
  ExternalClause external;
  ImportClause import;
  StoredDefinition stored;

  // ---- after errors ----
  SyntaxErrors errors;
  std::vector<Name> unread;                // names in what was left out
  bool blind = false;                      // more may be missing than names tell
  bool early_annotation = false;   // it was said that a class goes on behind its annotation
  bool has_nameless = false;               // a class has lost its name
  bool outside_of_class = false;           // text between classes has been left out
  const char* item_at = nullptr;           // where the member of a list began that is being read
  const char* class_ends_at = nullptr;     // where the end of the innermost class is missing
  const char* stood_in_at = nullptr;       // where a keyword was last taken to stand

private:
  struct Cached {
    std::string_view text;
    Name name = Name::none;
  };
  unsigned cache_bits_;
  std::vector<Cached> cache_;
};

inline Name Builder::intern(std::string_view text) {
  std::uint32_t hash = static_cast<std::uint32_t>(text.size());
  const std::size_t step = text.size() > 16 ? 3 : 1;
  for (std::size_t i = 0; i < text.size(); i += step) hash = (hash + static_cast<unsigned char>(text[i])) * 0x9E3779B1u;
  Cached& cached = cache_[hash >> (32 - cache_bits_)];
  if (cached.text != text) cached = {text, names.intern(text)};
  return cached.name;
}

inline void Builder::clear_parts() {
  prefixes = 0;
  idents.clear();
  qualified_names.clear();
  parts.clear();
  references.clear();
  subscripts.clear();
  strings.clear();
  descriptions.clear();
  operators.clear();
  named.clear();
  indices.clear();
  calls.clear();
  rows.clear();
  arguments.clear();
  modifications.clear();
  declarations.clear();
  clauses.clear();
  constraints.clear();
  literals.clear();
  finished_classes.clear();
}

inline void Builder::drop_nameless() {
  if (elements.empty()) return;
  const auto* definition = std::get_if<const ClassDefinition*>(&elements.back().node);
  if (definition && *definition && (*definition)->name == Name::none) elements.pop_back();
}

/// Where the parser stands.
inline Situation situation(const Input& in, const Builder& b) {
  Situation s{b.source, in.current(), in.token_begin, in.token_end, in.openings};
  s.item_at = b.item_at;
  if (!b.open_classes.empty()) {
    const OpenClass& open = b.open_classes.back();
    s.section = open.section;
    s.section_at = open.section_at;
    s.class_name = b.names.text(open.definition.name);
    s.class_at = open.name_at;
    s.in_package = open.definition.kind == ClassKind::package;
    s.in_function = open.definition.kind == ClassKind::function || open.definition.kind == ClassKind::operator_function;
  }
  return s;
}

inline ComponentReference Builder::reference_to(std::string_view text, Place place) {
  ReferencePart* part = arena.allocate<ReferencePart>(1);
  std::construct_at(part, ReferencePart{intern(text), place, {}});
  return {place, false, {part, 1}};
}

}  // namespace mosim::parser
