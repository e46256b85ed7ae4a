#pragma once
// Subscripts (MLS 10.5): the elements that they take.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "compiler/elaborate/elaborate.hpp"

namespace mosim::compiler {

struct Subscripts {
  /// For each dimension: the indices taken, from 1.
  std::vector<std::vector<std::int64_t>> taken;
  std::vector<bool> keeps;             // a slice keeps its dimension; one index removes it
  bool outside = false;                // for its type alone: some of them do not exist
  std::vector<Value> chosen;           // an index that the run alone knows; no element: it is in `taken`
  std::vector<Place> places;           // of those, where they stand
};

/// What subscripts take of an array of this size, whose name is for messages; those left out take all. `dynamic`: some of them are known in
/// the run alone. `index_types`: of its dimensions. `found`: their values, if these were elaborated already. Empty after an error.
std::optional<Subscripts> fixed_subscripts(Instances& in, const std::vector<std::int64_t>& dims, parser::List<parser::Subscript> subscripts,
                                           Place place, std::string_view name, const Environment& env, bool& dynamic,
                                           const std::vector<Type>* index_types = nullptr,
                                           const std::vector<std::optional<Value>>* found = nullptr);
/// The row-major positions that subscripts take from an array, and the dimensions left.
std::vector<std::size_t> positions(const std::vector<std::int64_t>& dims, const Subscripts& s, std::vector<std::int64_t>& left);
/// The dimensions that subscripts leave of an array.
std::vector<std::int64_t> left_dims(const Subscripts& s);
/// a[i] where i is not known before the run: if i == 1 then a[1] elseif ... Other subscripts of it may be known.
std::optional<Value> dynamic_subscript(Instances& in, const Value& whole, Subscripts s, Place place, const Environment& env);

}  // namespace mosim::compiler
