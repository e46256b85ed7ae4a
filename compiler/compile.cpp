#include "compiler/compile.hpp"

#include "compiler/analyse/analyse.hpp"
#include "compiler/instantiate/instance.hpp"
#include "compiler/lower/lower.hpp"

namespace mosim::compiler {

std::optional<flat::Model> flatten(Library& library, const Request& request, std::string* instances) {
  if (parser::has_errors(library.diagnostics)) return {};
  Instances in(library, library.diagnostics);
  std::vector<Setting> settings;
  for (const std::string& s : request.settings) settings.push_back({s});
  const bool instantiated = instantiate_model(in, request.model, settings);
  if (instances) *instances = print_instances(in);
  if (!instantiated || !flatten_model(in)) return {};
  return std::move(in.model);
}

std::optional<runtime::Program> compile(Library& library, const Request& request) {
  auto model = flatten(library, request);
  if (!model) return {};
  const auto system = analyse(std::move(*model), library.workspace.sources, library.diagnostics);
  if (!system) return {};
  return lower(*system, library.workspace.sources);
}

}  // namespace mosim::compiler
