#include "engine/model.hpp"

#include <fmt/format.h>

#include "engine/convert.hpp"
#include "engine/saved.hpp"
#include "runtime/changeable.hpp"

namespace mosim {

Model::Impl::Impl(runtime::Program compiled) : program(std::move(compiled)) {
  variables.reserve(program.variables.size());
  for (const runtime::Variable& v : program.variables) variables.push_back(engine::variable_of(program, v));
  for (std::uint32_t k = 0; k < variables.size(); ++k) numbers.emplace(variables[k].name, k);
  for (runtime::Index k = 0; k < program.changeable.size(); ++k) {
    changeable.emplace(program.changeable[k].variable, k);
    variables[program.changeable[k].variable].is_changeable = true;
  }
  experiment = {program.experiment.start, program.experiment.stop, program.experiment.tolerance, program.experiment.interval};
}

std::uint64_t Model::Impl::checksum() const {
  std::call_once(summed_, [this] { checksum_ = engine::checksum(program); });
  return checksum_;
}

Model::Model(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Model::~Model() = default;

const std::string& Model::name() const { return impl_->program.model; }
const std::string& Model::description() const { return impl_->program.description; }
const Experiment& Model::experiment() const { return impl_->experiment; }
const std::vector<Variable>& Model::variables() const { return impl_->variables; }
const Diagnostics& Model::diagnostics() const { return impl_->said; }

std::optional<std::uint32_t> Model::find(std::string_view variable) const {
  const auto it = impl_->numbers.find(variable);
  if (it == impl_->numbers.end()) return {};
  return it->second;
}

std::string Model::refusal(std::string_view variable, double value) const {
  const auto k = find(variable);
  if (!k) return fmt::format("{} has no variable {}", name(), variable);
  const auto it = impl_->changeable.find(*k);
  if (it != impl_->changeable.end()) return runtime::refusal(impl_->program, impl_->program.changeable[it->second], value);
  switch (impl_->variables[*k].kind) {
    case Kind::parameter: return fmt::format("{} is final, or the model was compiled for its value", variable);
    case Kind::constant: return fmt::format("{} is a constant", variable);
    default: return fmt::format("{} has no start value that can be changed", variable);
  }
}

}  // namespace mosim
