#include "runtime/contents.hpp"

#include <algorithm>
#include <stdexcept>

namespace mosim::runtime {

std::vector<std::size_t> positions_in_row(const Contents& contents) {
  Index last = 0;
  for (const Index k : contents.recorded) last = std::max(last, k);
  std::vector<Index> place(std::size_t(last) + 1);   // by variable
  for (std::size_t k = contents.recorded.size(); k > 0; --k) place[contents.recorded[k - 1]] = static_cast<Index>(k);
  std::vector<std::size_t> positions;
  positions.reserve(contents.variables.size());
  for (const Index k : contents.variables) {
    if (place.at(k) == 0) throw std::out_of_range("a variable is to be written that is not recorded");
    positions.push_back(place[k]);
  }
  return positions;
}

double value_of(const Variable& variable, const std::vector<double>& memory) {
  const double value = memory[variable.slot];
  return !variable.negated ? value : variable.type == Type::boolean ? 1 - value : 0 - value;
}

Contents all_contents(const Program& program) {
  Contents contents;
  contents.recorded = contents.variables = recorded_variables(program);
  for (Index k = 0; k < program.variables.size(); ++k) {
    const Variable& variable = program.variables[k];
    const bool is_constant = variable.kind == Kind::parameter || variable.kind == Kind::constant;
    if (is_constant && variable.type != Type::string) contents.parameters.push_back(k);
  }
  return contents;
}

namespace {

std::optional<std::string> write(const Result& result, ResultFile& file) {
  const Trajectory& trajectory = result.trajectory;
  if (!result.parameters.empty()) file.begin(result.parameters);
  for (std::size_t row = 0; row < trajectory.rows(); ++row)
    if (!file.take({trajectory.values.data() + row * trajectory.width(), trajectory.width()}, trajectory.jumps[row])) break;
  file.finish(result.time);
  return file.problem();
}

}  // namespace

std::optional<std::string> write_csv(const Program& program, const Result& result, const std::string& path, bool hybrid_time) {
  Contents contents = all_contents(program);
  contents.recorded = contents.variables = result.trajectory.columns;
  contents.parameters.clear();
  contents.hybrid_time = hybrid_time;
  return write(result, *open_csv(program, std::move(contents), path));
}

std::optional<std::string> write_mat(const Program& program, const Result& result, const std::string& path, bool hybrid_time) {
  Contents contents = all_contents(program);
  contents.recorded = contents.variables = result.trajectory.columns;
  contents.hybrid_time = hybrid_time;
  return write(result, *open_mat(program, std::move(contents), path));
}

}  // namespace mosim::runtime
