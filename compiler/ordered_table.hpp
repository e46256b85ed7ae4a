#pragma once
// A hash table that keeps its entries in the order in which they came: one array of them, and beside it one of their numbers by open
// addressing (linear probing). A few are looked through without it. Nothing is taken out again. Pointers to entries hold until the next one.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace mosim::compiler {

/// A further part of what is hashed, with 64 bits also where std::size_t has 32.
constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t part) { return (hash ^ (hash >> 29)) * 0x9e3779b97f4a7c15u + part; }

template <class Key, class Value, class Hash = std::hash<Key>>
class OrderedTable {
public:
  using Entry = std::pair<Key, Value>;
  using iterator = typename std::vector<Entry>::iterator;
  using const_iterator = typename std::vector<Entry>::const_iterator;

  iterator begin() { return entries_.begin(); }
  iterator end() { return entries_.end(); }
  const_iterator begin() const { return entries_.begin(); }
  const_iterator end() const { return entries_.end(); }
  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  void clear() {
    entries_.clear();
    numbers_.clear();
  }
  void reserve(std::size_t entries) {
    entries_.reserve(entries);
    if (entries > few) number(places_for(entries));
  }

  iterator find(const Key& key) { return begin() + static_cast<std::ptrdiff_t>(position(key)); }
  const_iterator find(const Key& key) const { return begin() + static_cast<std::ptrdiff_t>(position(key)); }
  bool contains(const Key& key) const { return position(key) != entries_.size(); }
  Value& at(const Key& key) { return find(key)->second; }
  const Value& at(const Key& key) const { return find(key)->second; }
  Value& operator[](const Key& key) { return try_emplace(key).first->second; }

  /// The entry, and whether it is new.
  std::pair<iterator, bool> try_emplace(const Key& key, Value value = {}) {
    if (numbers_.empty()) {
      if (const iterator it = find(key); it != end()) return {it, false};
      entries_.emplace_back(key, std::move(value));
      if (entries_.size() > few) number(places_for(entries_.size()));
      return {end() - 1, true};
    }
    if (3 * (entries_.size() + 1) > 2 * numbers_.size()) number(2 * numbers_.size());
    const std::size_t place = look(key);
    if (numbers_[place]) return {begin() + (numbers_[place] - 1), false};
    entries_.emplace_back(key, std::move(value));
    numbers_[place] = static_cast<std::uint32_t>(entries_.size());
    return {end() - 1, true};
  }

private:
  static constexpr std::size_t few = 8;

  // A power of two, at most two thirds of it taken.
  static std::size_t places_for(std::size_t entries) {
    std::size_t places = 4 * few;
    while (3 * (entries + 1) > 2 * places) places *= 2;
    return places;
  }
  std::size_t home(const Key& key) const {
    const std::uint64_t h = (std::uint64_t(Hash()(key)) + 1) * 0x9e3779b97f4a7c15u;   // std::hash of a number is the number
    // The highest bits: all of the key's are in them, and those of a double are often 0 but for its first.
    return static_cast<std::size_t>(h >> (64 - std::countr_zero(numbers_.size())));
  }
  std::size_t look(const Key& key) const {
    std::size_t place = home(key);
    while (numbers_[place] && !(entries_[numbers_[place] - 1].first == key)) place = (place + 1) & (numbers_.size() - 1);
    return place;
  }
  std::size_t position(const Key& key) const {
    if (!numbers_.empty()) {
      const std::size_t place = look(key);
      return numbers_[place] ? numbers_[place] - 1 : entries_.size();
    }
    std::size_t k = 0;
    while (k < entries_.size() && !(entries_[k].first == key)) ++k;
    return k;
  }
  void number(std::size_t places) {
    if (places <= numbers_.size()) return;
    numbers_.assign(places, 0);
    for (std::size_t k = 0; k < entries_.size(); ++k) {
      std::size_t place = home(entries_[k].first);
      while (numbers_[place]) place = (place + 1) & (places - 1);
      numbers_[place] = static_cast<std::uint32_t>(k + 1);
    }
  }

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> numbers_;   // of entries, from 1; 0: free
};

}  // namespace mosim::compiler
