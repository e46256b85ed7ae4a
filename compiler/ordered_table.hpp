#pragma once
// Hash tables that keep what they hold in the order in which it came: one array, and beside it one of its numbers by open addressing (linear
// probing). A few are looked through without it. Nothing is taken out again. Pointers to entries hold until the next one.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace mosim::compiler {

/// A further part of what is hashed, with 64 bits also where std::size_t has 32.
constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t part) { return (hash ^ (hash >> 29)) * 0x9e3779b97f4a7c15u + part; }

/// The places of an array's elements by their keys, which `key_at(number)` tells.
template <class Key, class Hash>
class PlacesByKey {
public:
  void clear() { numbers_.clear(); }
  template <class KeyAt>
  void reserve(std::size_t capacity, std::size_t size, KeyAt key_at) {
    if (capacity > few) number(places_for(capacity), size, key_at);
  }
  /// The number of an element, or `size`.
  template <class KeyAt>
  std::size_t find(const Key& key, std::size_t size, KeyAt key_at) const {
    if (!numbers_.empty()) {
      const std::size_t place = look(key, key_at);
      return numbers_[place] ? numbers_[place] - 1 : size;
    }
    std::size_t k = 0;
    while (k < size && !(key_at(k) == key)) ++k;
    return k;
  }
  /// The same; without one, `size` is where it comes.
  template <class KeyAt>
  std::size_t find_or_add(const Key& key, std::size_t size, KeyAt key_at) {
    if (numbers_.empty()) {
      const std::size_t k = find(key, size, key_at);
      if (k < size || size < few) return k;
      number(places_for(size + 1), size, key_at);
    }
    if (3 * (size + 1) > 2 * numbers_.size()) number(2 * numbers_.size(), size, key_at);
    const std::size_t place = look(key, key_at);
    if (numbers_[place]) return numbers_[place] - 1;
    numbers_[place] = static_cast<std::uint32_t>(size + 1);
    return size;
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
  template <class KeyAt>
  std::size_t look(const Key& key, KeyAt key_at) const {
    std::size_t place = home(key);
    while (numbers_[place] && !(key_at(numbers_[place] - 1) == key)) place = (place + 1) & (numbers_.size() - 1);
    return place;
  }
  template <class KeyAt>
  void number(std::size_t places, std::size_t size, KeyAt key_at) {
    if (places <= numbers_.size()) return;
    std::vector<std::uint32_t>().swap(numbers_);   // not beside the new one
    numbers_.assign(places, 0);
    for (std::size_t k = 0; k < size; ++k) {
      std::size_t place = home(key_at(k));
      while (numbers_[place]) place = (place + 1) & (places - 1);
      numbers_[place] = static_cast<std::uint32_t>(k + 1);
    }
  }

  std::vector<std::uint32_t> numbers_;   // of elements, from 1; 0: free
};

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
    places_.clear();
  }
  void reserve(std::size_t entries) {
    entries_.reserve(entries);
    places_.reserve(entries, size(), key_at());
  }

  iterator find(const Key& key) { return begin() + static_cast<std::ptrdiff_t>(places_.find(key, size(), key_at())); }
  const_iterator find(const Key& key) const { return begin() + static_cast<std::ptrdiff_t>(places_.find(key, size(), key_at())); }
  bool contains(const Key& key) const { return find(key) != end(); }
  Value& at(const Key& key) { return find(key)->second; }
  const Value& at(const Key& key) const { return find(key)->second; }
  Value& operator[](const Key& key) { return try_emplace(key).first->second; }

  /// The entry, and whether it is new.
  std::pair<iterator, bool> try_emplace(const Key& key, Value value = {}) {
    const std::size_t k = places_.find_or_add(key, size(), key_at());
    const bool fresh = k == size();
    if (fresh) entries_.emplace_back(key, std::move(value));
    return {begin() + static_cast<std::ptrdiff_t>(k), fresh};
  }

private:
  auto key_at() const {
    return [this](std::size_t k) -> const Key& { return entries_[k].first; };
  }

  std::vector<Entry> entries_;
  PlacesByKey<Key, Hash> places_;
};

}  // namespace mosim::compiler
