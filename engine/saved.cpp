#include "engine/saved.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "program/file.hpp"

namespace mosim::engine {

namespace {

using nlohmann::json;

constexpr const char* format = "mosim run 1";

template <class T>
void put(json& j, const char* name, const std::optional<T>& value) {
  if (value) j[name] = *value;
}
template <class T>
void get(const json& j, const char* name, std::optional<T>& value) {
  if (const auto it = j.find(name); it != j.end()) value = it->template get<T>();
}

json options_of(const Options& o) {
  json j = json::object();
  put(j, "start", o.start);
  put(j, "stop", o.stop);
  put(j, "tolerance", o.tolerance);
  put(j, "intervals", o.intervals);
  put(j, "interval", o.interval);
  j["set"] = o.set;
  j["adams"] = o.solver == Solver::adams;
  put(j, "hysteresis", o.hysteresis);
  put(j, "maximum events", o.maximum_events);
  put(j, "results", o.results);
  j["events"] = o.events;
  json inputs = json::array();
  for (const Input& i : o.inputs)
    inputs.push_back({{"variable", i.variable}, {"function", bool(i.function)}, {"times", i.times}, {"values", i.values}, {"holds", i.holds}});
  j["inputs"] = inputs;
  return j;
}

// Functions are left empty, for the caller to give.
Options options_from(const json& j) {
  Options o;
  get(j, "start", o.start);
  get(j, "stop", o.stop);
  get(j, "tolerance", o.tolerance);
  get(j, "intervals", o.intervals);
  get(j, "interval", o.interval);
  j.at("set").get_to(o.set);
  o.solver = j.at("adams").get<bool>() ? Solver::adams : Solver::bdf;
  get(j, "hysteresis", o.hysteresis);
  get(j, "maximum events", o.maximum_events);
  get(j, "results", o.results);
  j.at("events").get_to(o.events);
  for (const json& i : j.at("inputs"))
    o.inputs.push_back({i.at("variable").get<std::string>(), {}, i.at("times").get<std::vector<double>>(), i.at("values").get<std::vector<double>>(), i.at("holds").get<bool>()});
  return o;
}

}  // namespace

std::string write(const Saved& saved) {
  json pieces = json::array();
  for (const Piece& p : saved.pieces) {
    json piece = json::array({int(p.what)});
    if (p.what == Piece::What::step || p.what == Piece::What::advance) piece.push_back(p.until);
    if (p.what == Piece::What::set) piece.push_back(p.values);
    pieces.push_back(std::move(piece));
  }
  const json j{{"format", format}, {"program", saved.program}, {"time", saved.time}, {"options", options_of(saved.options)}, {"pieces", std::move(pieces)}};
  std::string bytes;
  json::to_cbor(j, bytes);
  return bytes;
}

Saved read_saved(std::string_view bytes) {
  try {
    const json j = json::from_cbor(bytes.begin(), bytes.end());
    if (j.at("format") != format) throw std::invalid_argument("another version of mosim has saved this run");
    Saved saved;
    j.at("program").get_to(saved.program);
    j.at("time").get_to(saved.time);
    saved.options = options_from(j.at("options"));
    for (const json& piece : j.at("pieces")) {
      Piece p;
      const int what = piece.at(0).get<int>();
      if (what < 0 || what > int(Piece::What::look)) throw std::invalid_argument("these bytes are no saved run");
      p.what = static_cast<Piece::What>(what);
      if (p.what == Piece::What::step || p.what == Piece::What::advance) piece.at(1).get_to(p.until);
      if (p.what == Piece::What::set) piece.at(1).get_to(p.values);
      saved.pieces.push_back(std::move(p));
    }
    return saved;
  } catch (const json::exception&) {
    throw std::invalid_argument("these bytes are no saved run");
  }
}

std::uint64_t checksum(const runtime::Program& program) {
  // FNV-1a, 64 bits.
  std::uint64_t sum = 0xcbf29ce484222325ull;
  for (const char c : program::write(program, {})) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return sum;
}

}  // namespace mosim::engine
