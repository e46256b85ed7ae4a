#pragma once
// What a drawing shows, whatever it is drawn with.

#include <cstdint>
#include <string>
#include <vector>

#include "report/choice.hpp"
#include "report/kept.hpp"

namespace mosim::report {

/// One variable over time. At an event there are two points at one time.
struct Curve {
  std::string name, unit, description;
  bool hides_another = false;         // goes where one before it in the panel does
  bool steps = false;                 // holds its value until the next point: discrete variables
  double lane = 0;                    // added to the values where they are drawn (Booleans stand above each other)
  std::vector<double> times, values;
};

struct Tick {
  double value;
  std::string label;
};

/// Curves that share a value axis: those of one unit, the Integers, the Booleans, those of one enumeration.
struct Panel {
  std::string unit;
  std::vector<Curve> curves;
  double low = 0, high = 1;           // of the value axis
  std::vector<Tick> ticks;            // Booleans and enumerations; empty: by numbers
  bool unit_ticks = false;            // by numbers, each whole one
};

/// An event other than the initialisation and the end, or several of a kind that nobody could tell apart.
struct Mark {
  double time;                        // of the first
  runtime::EventKind kind;
  std::size_t events;
  std::uint64_t number;               // of the first, as in the event log
  bool apart;                         // so far from its neighbours that a line across the picture does not crowd it
};

struct Picture {
  std::string title, description;
  std::string note;                   // what is left out; may be empty
  double start = 0, stop = 1;         // of the time axis, start < stop
  std::vector<Panel> panels;
  std::vector<Mark> marks;            // in order of time
};

/// Points are thinned to what `points` columns of pixels can show: the first, last, lowest and highest value of each.
Picture make_picture(const Recording& run, const Choice& choice, std::size_t points);

/// Of all the marks.
std::size_t event_count(const Picture& picture);

/// "name [unit] - description", as far as there is one.
std::string caption(const Curve& curve);

/// Is it drawn as steps?
bool is_stepped(const runtime::Variable& variable);

}  // namespace mosim::report
