#include "runtime/recorder.hpp"

#include <algorithm>

namespace mosim::runtime {

std::vector<Index> recorded_variables(const Program& program) {
  std::vector<Index> result;
  for (Index k = 0; k < program.variables.size(); ++k) {
    const Variable& variable = program.variables[k];
    const bool helper = variable.name.starts_with("$") || variable.name.starts_with("der($");
    if (helper || variable.type == Type::string || variable.kind == Kind::parameter || variable.kind == Kind::constant) continue;
    result.push_back(k);
  }
  return result;
}

Recorder make_recorder(const Program& program, const Options& options) {
  constexpr std::size_t most_reserved = 1u << 24;   // numbers
  Recorder recorder;
  recorder.sink = options.sink;
  recorder.trajectory.columns = options.recorded ? *options.recorded : recorded_variables(program);
  for (const Index k : recorder.trajectory.columns) {
    const Variable& variable = program.variables[k];
    const bool complement = variable.negated && variable.type == Type::boolean;
    recorder.columns.push_back({variable.slot, variable.negated ? -1.0 : 1.0, complement ? 1.0 : 0.0});
  }
  const std::size_t expected_rows = recorder.sink ? 4 : std::size_t(options.intervals) + 200;
  recorder.trajectory.values.reserve(std::min(expected_rows * recorder.trajectory.width(), most_reserved));
  return recorder;
}

std::size_t row_count(const Recorder& recorder) { return recorder.first + recorder.trajectory.rows(); }

double row_time(const Recorder& recorder, std::size_t row) {
  return recorder.trajectory.values[(row - recorder.first) * recorder.trajectory.width()];
}

void record(Recorder& recorder, const Machine& machine, std::uint64_t jump) {
  recorder.trajectory.jumps.push_back(jump);
  auto& values = recorder.trajectory.values;
  const double* const w = machine.memory.data();
  values.push_back(w[slot_time]);
  for (const Recorder::Column& column : recorder.columns)
    values.push_back(column.factor * w[column.slot] + column.offset);  // + 0.0 turns -0 into 0
}

void drop_last(Recorder& recorder) {
  recorder.trajectory.values.resize(recorder.trajectory.values.size() - recorder.trajectory.width());
  recorder.trajectory.jumps.pop_back();
}

void thin(Recorder& recorder, std::size_t first, std::size_t last) {
  first = std::max(first, recorder.handed);
  if (first >= last) return;
  auto& values = recorder.trajectory.values;
  auto& jumps = recorder.trajectory.jumps;
  const auto row = [&](std::size_t k) { return values.begin() + std::ptrdiff_t((k - recorder.first) * recorder.trajectory.width()); };
  const auto jump = [&](std::size_t k) { return jumps.begin() + std::ptrdiff_t(k - recorder.first); };
  const std::size_t grid = recorder.last_grid_row;
  if (grid > first && grid <= last) {
    std::copy(row(grid - 1), row(grid), row(first));
    *jump(first) = *jump(grid - 1);
    recorder.last_grid_row = ++first;
  }
  values.erase(row(first), row(last));
  jumps.erase(jump(first), jump(last));
}

bool hand_on(Recorder& recorder) {
  constexpr std::size_t worth_moving = 4096;   // numbers
  Trajectory& t = recorder.trajectory;
  const std::size_t width = t.width(), next = recorder.handed - recorder.first;
  const bool wanted = recorder.sink->take({t.values.data() + next * width, width}, t.jumps[next]);
  recorder.refused = !wanted;
  ++recorder.handed;
  // Room is made when at least as much of it lies unused as is in use.
  const std::size_t unused = next + 1, used = t.rows() - unused;
  if (unused >= used && (used == 0 || unused * width >= worth_moving)) {
    t.values.erase(t.values.begin(), t.values.begin() + std::ptrdiff_t(unused * width));
    t.jumps.erase(t.jumps.begin(), t.jumps.begin() + std::ptrdiff_t(unused));
    recorder.first = recorder.handed;
  }
  return wanted;
}

}  // namespace mosim::runtime
