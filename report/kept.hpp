#pragma once
// The rows of a run as far as drawings need them: some columns, thinned if there are many rows.

#include <cstdint>
#include <span>
#include <vector>

#include "report/choice.hpp"
#include "report/event_spool.hpp"
#include "runtime/sink.hpp"

namespace mosim::report {

struct Kept {
  static constexpr std::size_t none = std::size_t(-1);
  struct Column {
    runtime::Index variable;    // in Program::variables
    double first = 0;           // its value in the first row
    bool changes = false;       // has another one in some row
    std::size_t values = none;  // in `values`; only of columns that change. Those that always have the same value share it
  };
  std::vector<double> times;
  std::vector<Column> columns;               // in the order of recording
  std::vector<std::vector<double>> values;   // each as long as times
  std::uint64_t rows = 0;                    // that the run had

  /// A variable's column, or null: it is none of those recorded.
  const Column* column_of(runtime::Index variable) const;
};

/// The rows that stay when `most` are wanted (it may become a few more): the first and last one; pairs at one time, which are
/// jumps, as far as they fit; and from equal stretches of time the first row, the last, and the extremes of the given columns.
std::vector<std::size_t> kept_rows(const std::vector<double>& times, const std::vector<const std::vector<double>*>& columns, std::size_t most);

/// What a drawing will show.
struct Wanted {
  std::vector<runtime::Index> variables;   // all of these
  std::size_t best = 0;                    // and so many of those that default_choice prefers
};

/// Keeps rows while the run goes on, in memory that does not grow with their number.
class Keeper : public runtime::Sink {
 public:
  /// recorded: the columns of a row. most_numbers: in all that is kept, roughly; but no fewer rows than a thousand.
  Keeper(const runtime::Program& program, const std::vector<runtime::Index>& recorded, const Wanted& wanted,
         std::size_t most_numbers = 3'000'000);
  ~Keeper() override;
  bool take(std::span<const double> row, std::uint64_t jumps) override;
  const Kept& kept() const { return kept_; }

 private:
  void begin_to_keep(std::size_t column);
  void prefer(std::size_t column);
  void release(std::size_t column);
  void thin();

  const runtime::Program& program_;
  std::size_t most_numbers_, best_;
  Kept kept_;
  std::vector<bool> always_;               // per column
  std::vector<std::size_t> rank_;          // per column: among those that a default choice prefers
  std::vector<std::size_t> still_;         // columns that have not changed yet
  std::vector<std::size_t> preferred_;     // at most best_ columns that have, by rank
  std::vector<std::size_t> sources_;       // of Kept::values: a column of the row
};

/// All columns and all rows of a trajectory.
Kept keep_all(const runtime::Program& program, const runtime::Trajectory& trajectory);

/// A run, as drawings see it. What it refers to must outlive it.
struct Recording {
  const runtime::Program& program;
  const runtime::Options& options;
  const runtime::Result& result;
  const Kept& rows;
  const Events& events;
};

}  // namespace mosim::report
