#pragma once
// Which equation determines which unknown, and in which order.

#include <cstdint>
#include <span>
#include <vector>

namespace mosim::compiler::dae {

inline constexpr std::uint32_t unmatched = 0xffffffffu;

/// Which unknowns stand in which equation, row by row.
class Incidence {
public:
  struct Entry {
    std::uint32_t unknown;
    bool solvable;           // the equation can determine it
  };
  void begin_equation() { first_.push_back(static_cast<std::uint32_t>(entries_.size())); }
  void add(std::uint32_t unknown, bool solvable) { entries_.push_back({unknown, solvable}); }
  std::size_t equations() const { return first_.size(); }
  std::span<const Entry> of(std::uint32_t equation) const {
    const std::size_t last = equation + 1 < first_.size() ? first_[equation + 1] : entries_.size();
    return {entries_.data() + first_[equation], last - first_[equation]};
  }

private:
  std::vector<std::uint32_t> first_;
  std::vector<Entry> entries_;
};

/// Grows a matching between equations and unknowns one equation at a time.
class Matcher {
public:
  Matcher(const Incidence& incidence, std::size_t unknowns);

  /// Matches what is forced: equations with one unknown left, unknowns with one equation left (after Karp and
  /// Sipser). Never costs a larger matching. Only equations in [first, last) take part.
  void reduce(std::uint32_t first, std::uint32_t last);
  /// Finds a place for an equation, moving others if need be. False: there is none, now or later.
  bool augment(std::uint32_t equation);

  /// What competes with an equation that found no place: the equations (itself first) that together hold fewer
  /// unknowns than they are, and those unknowns.
  struct Competition {
    std::vector<std::uint32_t> equations, unknowns;
  };
  Competition competition(std::uint32_t equation) const;

  std::uint32_t unknown_of(std::uint32_t equation) const { return unknown_of_[equation]; }
  std::uint32_t equation_of(std::uint32_t unknown) const { return equation_of_[unknown]; }

private:
  const Incidence& incidence_;
  std::vector<std::uint32_t> unknown_of_, equation_of_;
  std::vector<std::uint32_t> visited_;   // by unknown: the search that saw it last; failed searches never end
  std::vector<std::uint32_t> cursor_;    // by equation: where the cheap search goes on
  std::uint32_t search_ = 0;
  struct Step {
    std::uint32_t equation, next;
  };
  std::vector<Step> path_;                       // of a search
  std::vector<std::uint32_t> taken_, seen_;      // the unknown over which step i was left; those that it saw
};

/// Sets of equations in an order.
class Components {
public:
  std::size_t size() const { return ends_.size(); }
  std::span<const std::uint32_t> operator[](std::size_t k) const {
    const std::size_t begin = k == 0 ? 0 : ends_[k - 1];
    return std::span(members_).subspan(begin, ends_[k] - begin);
  }
  void reserve(std::size_t members) { members_.reserve(members), ends_.reserve(members); }
  /// A member of the set that close() ends.
  void add(std::uint32_t member) { members_.push_back(member); }
  void close();

  class Iterator {
  public:
    Iterator(const Components& of, std::size_t at) : of_(of), at_(at) {}
    std::span<const std::uint32_t> operator*() const { return of_[at_]; }
    Iterator& operator++() { return ++at_, *this; }
    bool operator!=(const Iterator& other) const { return at_ != other.at_; }

  private:
    const Components& of_;
    std::size_t at_;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }

private:
  std::vector<std::uint32_t> members_, ends_;
};

/// Strongly connected sets of equations, each after those it depends on (Tarjan), and in each the equations by number. `members`: the equations
/// to order; all others are taken as solved.
Components strong_components(const Incidence& incidence, const Matcher& matching, std::span<const std::uint32_t> members);

}  // namespace mosim::compiler::dae
