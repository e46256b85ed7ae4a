#include "compiler/compile.hpp"

#include <algorithm>

#include "compiler/analyse/analyse.hpp"
#include "compiler/findings.hpp"
#include "compiler/flatten/flatten.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/instantiate/instantiate.hpp"
#include "compiler/instantiate/settings.hpp"
#include "compiler/lower/lower.hpp"
#include "compiler/stack.hpp"

namespace mosim::compiler {

namespace {

std::optional<flat::Model> flatten_here(Library& library, const Request& request, Diagnostics& found, std::string* instances) {
  Instances in(library, found);
  std::vector<Setting> settings;
  for (const std::string& s : request.settings) settings.push_back({s});
  const bool instantiated = instantiate_model(in, request.model, settings);
  if (instances) *instances = print_instances(in);
  if (!instantiated || !flatten_model(in)) return {};
  return std::move(in.model);
}

std::size_t count_errors(const Diagnostics& diagnostics) {
  return static_cast<std::size_t>(std::count_if(diagnostics.begin(), diagnostics.end(),
                                                [](const Diagnostic& d) { return d.severity == Severity::error; }));
}

}  // namespace

std::optional<flat::Model> flatten(Library& library, const Request& request, std::string* instances) {
  // After syntax errors what could be read is looked at all the same.
  const std::size_t errors = count_errors(library.diagnostics);
  if (errors > library.damage().errors || (errors > 0 && library.damage().blind)) return {};
  Diagnostics found;
  std::optional<flat::Model> model;
  on_large_stack([&] { model = flatten_here(library, request, found, instances); });
  say(library, std::move(found));
  if (parser::has_errors(library.diagnostics)) return {};
  return model;
}

std::optional<runtime::Program> compile(Library& library, const Request& request) {
  auto model = flatten(library, request);
  if (!model) return {};
  const auto system = analyse(std::move(*model), library.workspace.sources, library.diagnostics);
  if (!system) return {};
  return lower(*system, library.workspace.sources);
}

}  // namespace mosim::compiler
