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

Recorder make_recorder(const Program& program, std::size_t expected_rows) {
  Recorder recorder;
  recorder.trajectory.columns = recorded_variables(program);
  for (const Index k : recorder.trajectory.columns) {
    const Variable& variable = program.variables[k];
    const bool complement = variable.negated && variable.type == Type::boolean;
    recorder.columns.push_back({variable.slot, variable.negated ? -1.0 : 1.0, complement ? 1.0 : 0.0});
  }
  recorder.trajectory.values.reserve(std::min<std::size_t>(expected_rows * recorder.trajectory.width(), 1u << 24));
  return recorder;
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
  auto& values = recorder.trajectory.values;
  const std::ptrdiff_t width = std::ptrdiff_t(recorder.trajectory.width());
  const auto row = [&](std::size_t k) { return values.begin() + std::ptrdiff_t(k) * width; };
  if (first >= last) return;
  const std::size_t grid = recorder.last_grid_row;
  if (grid > first && grid <= last) {
    std::copy(row(grid - 1), row(grid), row(first));
    recorder.trajectory.jumps[first] = recorder.trajectory.jumps[grid - 1];
    recorder.last_grid_row = ++first;
  }
  values.erase(row(first), row(last));
  auto& jumps = recorder.trajectory.jumps;
  jumps.erase(jumps.begin() + std::ptrdiff_t(first), jumps.begin() + std::ptrdiff_t(last));
}

}  // namespace mosim::runtime
