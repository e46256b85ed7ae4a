#include "engine/model.hpp"

#include <fmt/format.h>

#include <unordered_set>

#include "engine/convert.hpp"
#include "engine/saved.hpp"
#include "program/file.hpp"
#include "runtime/changeable.hpp"

namespace mosim {

struct Model::Impl::Index {
  std::vector<Variable> variables;
  std::unordered_map<std::string_view, std::uint32_t> numbers;
  std::unordered_map<std::uint32_t, runtime::Index> changeable;
};

Model::Impl::Impl(runtime::Program compiled, parser::Sources read)
    : program(std::move(compiled)),
      sources(std::move(read)),
      experiment{program.experiment.start, program.experiment.stop, program.experiment.tolerance, program.experiment.interval} {}
Model::Impl::~Impl() = default;

const Model::Impl::Index& Model::Impl::index() const {
  std::call_once(indexed_, [this] {
    auto made = std::make_unique<Index>();
    made->variables.reserve(program.variables.size());
    for (const runtime::Variable& v : program.variables) made->variables.push_back(engine::variable_of(program, v));
    for (std::uint32_t k = 0; k < made->variables.size(); ++k) made->numbers.emplace(made->variables[k].name, k);
    for (runtime::Index k = 0; k < program.changeable.size(); ++k) {
      made->changeable.emplace(program.changeable[k].variable, k);
      made->variables[program.changeable[k].variable].is_changeable = true;
    }
    index_ = std::move(made);
  });
  return *index_;
}

const std::vector<Variable>& Model::Impl::variables() const { return index().variables; }
const std::unordered_map<std::string_view, std::uint32_t>& Model::Impl::numbers() const { return index().numbers; }

std::optional<runtime::Index> Model::Impl::changeable(std::uint32_t variable) const {
  const auto it = index().changeable.find(variable);
  if (it == index().changeable.end()) return {};
  return it->second;
}

std::uint64_t Model::Impl::checksum() const {
  std::call_once(summed_, [this] { checksum_ = engine::checksum(program); });
  return checksum_;
}

std::vector<const parser::Source*> Model::Impl::referred() const {
  std::unordered_set<std::string_view> paths;
  for (const runtime::Spot& spot : program.origins.spots) paths.insert(spot.path.text());
  std::vector<const parser::Source*> found;
  for (const auto& source : sources.all())
    if (paths.contains(source->path)) found.push_back(source.get());
  return found;
}

Model::Model(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Model::~Model() = default;

const std::string& Model::name() const { return impl_->program.model; }
const std::string& Model::description() const { return impl_->program.description; }
const Experiment& Model::experiment() const { return impl_->experiment; }
const std::vector<Variable>& Model::variables() const { return impl_->variables(); }
const Diagnostics& Model::diagnostics() const { return impl_->said; }
std::uint64_t Model::checksum() const { return impl_->checksum(); }

std::optional<std::uint32_t> Model::find(std::string_view variable) const {
  const auto it = impl_->numbers().find(variable);
  if (it == impl_->numbers().end()) return {};
  return it->second;
}

std::string Model::refusal(std::string_view variable, double value) const {
  const auto k = find(variable);
  if (!k) return engine::unknown_variable(*this, variable);
  if (const auto which = impl_->changeable(*k)) return runtime::refusal(impl_->program, impl_->program.changeable[*which], value);
  switch (impl_->variables()[*k].kind) {
    case Kind::parameter: return fmt::format("{} is final, or the model was compiled for its value", variable);
    case Kind::constant: return fmt::format("{} is a constant", variable);
    default: return fmt::format("{} has no start value that can be changed", variable);
  }
}

std::string Model::write() const {
  std::vector<program::Source> sources;
  for (const parser::Source* source : impl_->referred()) sources.push_back({source->path, source->text});
  return program::write(impl_->program, sources);
}

}  // namespace mosim
