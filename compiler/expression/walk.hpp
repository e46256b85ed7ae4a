#pragma once
// Walking over hash-consed expressions without recursion: a sum of 20,000 terms is 20,000 deep.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "compiler/expression/expression.hpp"

namespace mosim::compiler {

/// Values by expression number that are forgotten all at once in constant time. In pages: one that looks at a few expressions of a large
/// model is as cheap as these few.
template <class T>
class Scratch {
public:
  Scratch() = default;
  Scratch(const Scratch&) = delete;   // nor moved: recent_ points into its own pages
  Scratch& operator=(const Scratch&) = delete;
  void clear() {
    if (++epoch_ == 0) {
      reset();
      epoch_ = 1;
    }
  }
  /// The same, and its room with it.
  void reset() {
    chunks_.clear();
    recent_ = {};
  }
  bool has(Expr e) const {
    const Page* const page = find(index(e) / page_size);
    return page && page->epochs[index(e) % page_size] == epoch_;
  }
  T& operator[](Expr e) {
    Page& page = make(index(e) / page_size);
    const std::size_t at = index(e) % page_size;
    if (page.epochs[at] != epoch_) {
      page.epochs[at] = epoch_;
      page.values[at] = T{};
    }
    return page.values[at];
  }
  /// Gives it a value if it has none: whether it had none.
  bool claim(Expr e) {
    Page& page = make(index(e) / page_size);
    const std::size_t at = index(e) % page_size;
    if (page.epochs[at] == epoch_) return false;
    page.epochs[at] = epoch_;
    page.values[at] = T{};
    return true;
  }

private:
  using Epoch = std::uint16_t;   // once all are used up, there is a new beginning
  // Where a few nodes of a large model are looked at, nothing may be of the size of the model.
  static constexpr std::size_t page_size = 512, chunk_size = 64;
  struct Page {
    std::array<Epoch, page_size> epochs{};
    std::array<T, page_size> values{};
  };
  using Chunk = std::array<std::unique_ptr<Page>, chunk_size>;
  struct Recent {
    Page* page = nullptr;
    std::size_t number = 0;
  };

  // What is asked for lies mostly beside what was asked for before: nodes, and the variables that they are of, each in their own pages.
  Recent& recent(std::size_t number) const { return recent_[number % recent_.size()]; }
  Page* near(std::size_t number) const {
    const Recent& r = recent(number);
    return r.number == number ? r.page : nullptr;
  }
  Page* find(std::size_t number) const {
    Page* const page = near(number);
    return page ? page : find_far(number);
  }
  Page& make(std::size_t number) {
    Page* const page = near(number);
    return page ? *page : make_far(number);
  }
  [[gnu::noinline]] Page* find_far(std::size_t number) const {
    const std::size_t chunk = number / chunk_size;
    if (chunk >= chunks_.size() || !chunks_[chunk]) return nullptr;
    Page* const page = (*chunks_[chunk])[number % chunk_size].get();
    if (page) recent(number) = {page, number};
    return page;
  }
  [[gnu::noinline]] Page& make_far(std::size_t number) {
    const std::size_t chunk = number / chunk_size;
    if (chunk >= chunks_.size()) chunks_.resize(chunk + chunk / 2 + 1);
    if (!chunks_[chunk]) chunks_[chunk] = std::make_unique<Chunk>();
    std::unique_ptr<Page>& slot = (*chunks_[chunk])[number % chunk_size];
    if (!slot) slot = std::make_unique<Page>();
    recent(number) = {slot.get(), number};
    return *slot;
  }

  Epoch epoch_ = 1;
  mutable std::array<Recent, 4> recent_{};
  std::vector<std::unique_ptr<Chunk>> chunks_;
};

/// Visits every distinct node below a root once, parents first, left to right.
class Walker {
public:
  explicit Walker(const Expressions& expressions) : expressions_(expressions) {}

  /// visit(e) returns whether to go on into the children of e.
  template <class Visit>
  void each(Expr root, Visit&& visit) {
    seen_.clear();
    more(root, visit);
  }
  /// The same, but what was seen since the last `each` or `restart` is not visited again.
  template <class Visit>
  void more(Expr root, Visit&& visit) {
    stack_.clear();
    stack_.push_back(root);
    while (!stack_.empty()) {
      const Expr e = stack_.back();
      stack_.pop_back();
      if (!seen_.claim(e) || !visit(e)) continue;
      const auto children = expressions_.children(e);
      for (std::size_t i = children.size(); i-- > 0;) stack_.push_back(children[i]);
    }
  }
  void restart() { seen_.clear(); }
  void reset() { seen_.reset(); }   // and gives its room back

private:
  const Expressions& expressions_;
  Scratch<char> seen_;
  std::vector<Expr> stack_;
};

/// What is still to be visited: most expressions are small.
template <class T>
using Pending = boost::container::small_vector<T, 32>;

/// Visits every distinct node below a root once, children first; of a node those children that wanted(node, i) says.
template <class Known, class Wanted, class Visit>
void wanted_children_first(const Expressions& expressions, Expr root, Known&& known, Wanted&& wanted, Visit&& visit) {
  struct Step {
    Expr e;
    bool entered;
  };
  if (known(root)) return;
  Pending<Step> stack{{root, false}};
  while (!stack.empty()) {
    const Step step = stack.back();
    if (!step.entered) {   // once it is, it cannot be known by now: nothing below it is the node itself
      if (known(step.e)) {
        stack.pop_back();
        continue;
      }
      const auto children = expressions.children(step.e);
      if (!children.empty()) {
        stack.back().entered = true;
        for (std::size_t i = children.size(); i-- > 0;)
          if (!known(children[i]) && wanted(step.e, i)) stack.push_back({children[i], false});
        continue;
      }
    }
    stack.pop_back();
    visit(step.e);
  }
}

/// The same with all children.
template <class Known, class Visit>
void children_first(const Expressions& expressions, Expr root, Known&& known, Visit&& visit) {
  wanted_children_first(expressions, root, known, [](Expr, std::size_t) { return true; }, visit);
}

/// The node `like` with other children, simplified.
Expr with_children(Expressions& expressions, Expr like, std::span<const Expr> children);

/// Makes new expressions out of old ones; remembers what became of each.
class Rewriter {
public:
  /// `before(e)` may give a replacement, which is final, or none. `after(rebuilt, e)` gets a node whose children are
  /// rewritten, and what it was, and returns what takes its place. Either may be empty.
  /// What holds nothing of `some` stays as it is, and is not looked at.
  Rewriter(Expressions& expressions, std::function<Expr(Expr)> before, std::function<Expr(Expr, Expr)> after = {}, Contents some = contents::any)
      : expressions_(expressions), before_(std::move(before)), after_(std::move(after)), some_(some) {}
  Expr operator()(Expr root);
  void look_for(Contents some) { some_ = some; }
  /// Forgets what it remembers; for when `before` has come to give other answers.
  void forget() { results_.clear(); }

private:
  Expressions& expressions_;
  std::function<Expr(Expr)> before_;
  std::function<Expr(Expr, Expr)> after_;
  Contents some_;
  Scratch<Expr> results_;
};

}  // namespace mosim::compiler
