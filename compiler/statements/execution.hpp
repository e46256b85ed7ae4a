#pragma once
// Statements carried out over expressions (MLS 11.2): what their control flow means, for the calls of functions and for the algorithms
// of models alike.

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/expression/expression.hpp"

namespace mosim::compiler {

/// How it goes on after a statement: with the next one, after the loop, at the end of the algorithm; or an error was said.
enum class Flow { next, broken, returned, failed };

/// What is asserted where a way is gone, `path` being its condition (none: always), for where nothing is known of the way (E14).
inline Expr asserted_on_way(Expressions& x, Expr path, Expr condition, Place place) {
  if (path == Expr::none) return condition;
  return x.simplified(Op::or_, BaseType::boolean, {x.simplified(Op::not_, BaseType::boolean, {path}, place), condition}, place);
}

/// Where the way through the statements depends on the run, all ways are gone, one after the other, and the variables' values chosen
/// between afterwards. A return or break on one of them is kept until the others arrive. Which statements there are, and what
/// expressions and assignments mean, is the host's:
///
///   Values                             the variables on one way; copied where ways part. Empty if the host's assignments choose
///                                      between the new value and the one before, so that a value holds on every way
///   Values& values()                   on the way at hand
///   optional<Values> joined(Expr condition, Values yes, const Values& no, Place)     none: an error was said
///   optional<bool> known(Expr)         a condition, if it can be known before the run
///   Expr both(Expr a, Expr b, Place)   a and b; `a` may be none, for true
///   Expr either(Expr a, Expr b, Place)
///   Expr negation(Expr, Place)
///   bool begins_round(Place)           of a loop; false: an error was said
template <class Host>
class Execution {
public:
  using Values = typename Host::Values;

  explicit Execution(Host& host) : host_(host) {}

  /// The condition under which the statement at hand is reached; none: always.
  Expr path() const { return path_; }

  /// if and elseif, one after the other. `condition(i)`: of branch i, Expr::none for else, nothing after an error. It is asked for
  /// where no condition before it holds, and before any branch changes anything (E14).
  template <class Condition, class Body>
  Flow branches(std::size_t n, Place place, Condition condition, Body body) {
    const Expr outer = path_;
    std::vector<Way> ways;
    std::size_t otherwise = n;   // the branch for where none of them holds
    for (std::size_t i = 0; i < n; ++i) {
      const std::optional<Expr> holds = condition(i);
      if (!holds) return Flow::failed;
      const std::optional<bool> known = *holds == Expr::none ? true : host_.known(*holds);
      if (known && *known) {
        otherwise = i;
        break;
      }
      if (known) continue;
      const Expr yes = host_.both(path_, *holds, place);
      path_ = host_.both(path_, host_.negation(*holds, place), place);
      ways.push_back({i, *holds, yes, path_});
    }
    return go(ways, outer, place, body, [&] { return otherwise < n ? body(otherwise) : Flow::next; });
  }

  /// A body that is reached under a condition, or not.
  template <class Body>
  Flow under(Expr condition, Place place, Body body) {
    const Expr outer = path_;
    Way way{0, condition, host_.both(outer, condition, place), Expr::none};
    Values before = host_.values();
    path_ = way.path;
    const Flow flow = body();
    if (flow == Flow::failed) return flow;
    const Expr left = path_;
    if (flow != Flow::next || left != way.path) way.rest = host_.both(outer, host_.negation(condition, place), place);
    path_ = way.rest;
    return together(way, outer, flow, left, std::exchange(host_.values(), std::move(before)), Flow::next, place);
  }

  /// A loop of n rounds.
  template <class Round>
  Flow for_loop(std::size_t n, Place place, Round round) {
    return loop(place, [&] {
      for (std::size_t k = 0; k < n; ++k) {
        if (!host_.begins_round(place)) return Flow::failed;
        if (const Flow flow = round(k); flow != Flow::next) return flow;
      }
      return Flow::next;
    });
  }

  /// The rounds of a while loop that may be gone through.
  struct Rounds {
    std::size_t all = 0;     // begun so far
    std::size_t open = 0;    // with a condition that the run alone knows
    bool known = true;       // the condition of the one that begins
  };
  /// `condition(rounds)`: nothing after an error. `instead(rounds)`: how it goes on where no further round is gone through here; else
  /// nothing, and at a condition that the run alone knows one way ends the loop, the other goes on, until it is known to end.
  template <class Condition, class Instead, class Body>
  Flow while_loop(Place place, Condition condition, Instead instead, Body body) {
    return loop(place, [&] {
      for (Rounds rounds;; ++rounds.all) {
        if (!host_.begins_round(place)) return Flow::failed;
        const std::optional<Expr> holds = condition(rounds);
        if (!holds) return Flow::failed;
        const std::optional<bool> known = host_.known(*holds);
        if (known && !*known) return Flow::next;
        rounds.known = known.has_value();
        rounds.open += !rounds.known;
        if (const std::optional<Flow> flow = instead(rounds)) return *flow;
        if (!rounds.known) {
          breaks_.push_back({host_.both(path_, host_.negation(*holds, place), place), host_.values(), place});
          path_ = host_.both(path_, *holds, place);
        }
        if (const Flow flow = body(); flow != Flow::next) return flow;
      }
    });
  }

  /// All ways out of the algorithm come together. False: an error was said.
  bool finish() { return returns_.empty() || join(returns_, true); }

private:
  /// One of several ways that exclude each other: `rest` is the condition for those after it.
  struct Way {
    std::size_t number;
    Expr condition, path, rest;
  };
  /// A way that left the algorithm or a loop early, with the condition under which it is taken.
  struct Left {
    Expr condition;
    Values values;
    Place place;
  };

  /// All of these ways, and the one that is left where none of them is gone.
  template <class Body, class Otherwise>
  Flow go(const std::vector<Way>& ways, Expr outer, Place place, Body body, Otherwise otherwise) {
    if (ways.empty()) return otherwise();
    struct Gone {
      Flow flow;
      Expr left;         // the path at its end: narrower, if some of its ways have left
      Values values;
    };
    std::vector<Gone> gone;
    Values before = host_.values();
    for (const Way& w : ways) {
      path_ = w.path;
      const Flow flow = body(w.number);
      if (flow == Flow::failed) return flow;
      const bool last = &w == &ways.back();
      gone.push_back({flow, path_, std::exchange(host_.values(), last ? std::move(before) : before)});
    }
    path_ = ways.back().rest;
    Flow flow = otherwise();
    if (flow == Flow::failed) return flow;
    for (std::size_t i = ways.size(); i-- > 0;) {
      flow = together(ways[i], i > 0 ? ways[i - 1].rest : outer, gone[i].flow, gone[i].left, std::move(gone[i].values), flow, place);
      if (flow == Flow::failed) return flow;
    }
    return flow;
  }

  /// A way and the one at hand.
  Flow together(const Way& way, Expr outer, Flow yes_flow, Expr yes_left, Values yes, Flow no_flow, Place place) {
    const Expr no_left = path_;
    if (yes_flow == Flow::next && no_flow == Flow::next) {
      auto both_ways = host_.joined(way.condition, std::move(yes), host_.values(), place);
      if (!both_ways) return Flow::failed;
      host_.values() = std::move(*both_ways);
      // Ways may have left inside: what goes on is what is left of both.
      path_ = yes_left != way.path || no_left != way.rest ? host_.either(yes_left, no_left, place) : outer;
      return Flow::next;
    }
    if (yes_flow == Flow::next) {
      leave(no_flow, no_left, std::move(host_.values()), place);
      host_.values() = std::move(yes);
      path_ = yes_left;
      return Flow::next;
    }
    leave(yes_flow, yes_left, std::move(yes), place);
    return no_flow;
  }

  void leave(Flow flow, Expr condition, Values values, Place place) {
    (flow == Flow::returned ? returns_ : breaks_).push_back({condition, std::move(values), place});
  }

  template <class All>
  Flow loop(Place place, All all) {
    std::vector<Left> around = std::exchange(breaks_, {});
    const Expr outer = path_;
    const std::size_t returned = returns_.size();
    const Flow flow = after_loop(all(), outer, returned, place);
    breaks_ = std::move(around);
    return flow;
  }

  /// The ways that broke out of a loop go on with the one that went through.
  Flow after_loop(Flow flow, Expr outer, std::size_t returned_before, Place place) {
    if (flow == Flow::failed) return flow;
    if (breaks_.empty()) return flow == Flow::returned ? flow : Flow::next;   // a plain break ends the loop alone
    if (flow == Flow::returned) returns_.push_back({path_, std::move(host_.values()), place});
    if (returned_before == returns_.size()) {   // nothing has returned in it: everything goes on
      path_ = outer;
    } else {
      Expr going = flow == Flow::returned ? Expr::none : path_;
      for (const Left& l : breaks_) going = going == Expr::none ? l.condition : host_.either(going, l.condition, place);
      path_ = going;
    }
    return join(breaks_, flow != Flow::returned) ? Flow::next : Flow::failed;
  }

  /// `now`: the way at hand is one of those that come together.
  bool join(std::vector<Left>& left, bool now) {
    std::optional<Values> result;
    if (now) result = std::move(host_.values());
    for (std::size_t k = left.size(); k-- > 0;) {
      Left& l = left[k];
      if (!result) result = std::move(l.values);   // the last way out: taken when no other is
      else result = host_.joined(l.condition, std::move(l.values), *result, l.place);
      if (!result) return false;
    }
    left.clear();
    host_.values() = std::move(*result);
    return true;
  }

  Host& host_;
  Expr path_ = Expr::none;
  std::vector<Left> returns_, breaks_;
};

}  // namespace mosim::compiler
