#include "compiler/compile.hpp"

#include <algorithm>
#include <utility>

#include "compiler/analyse/analyse.hpp"
#include "compiler/elaborate/elaboration.hpp"
#include "compiler/findings.hpp"
#include "compiler/flatten/flatten.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/instantiate/instantiate.hpp"
#include "compiler/instantiate/settings.hpp"
#include "compiler/stack.hpp"

namespace mosim::compiler {

namespace {

std::optional<flat::Model> flatten_here(Library& library, const Request& request, Diagnostics& found, std::string* instances) {
  Elaboration elaboration;
  elaboration.native_code = request.native_code;
  Instances in(library, found, elaboration);
  std::vector<Setting> settings;
  for (const std::string& s : request.settings) settings.push_back({s});
  const auto finished = [&in](auto&& stage) {
    try {
      return stage();
    } catch (const SizeOfRun&) {   // those of functions may be, not those of the model
      in.error(in.model.place, "the size of an array is asked for that the run alone knows");
      return false;
    }
  };
  const bool instantiated = finished([&] { return instantiate_model(in, request.model, settings); });
  if (instances) *instances = print_instances(in);
  if (!instantiated || !finished([&] { return flatten_model(in); })) return {};
  in.model.folders = library.folders();
  return std::move(in.model);
}

std::size_t count_errors(const Diagnostics& diagnostics) {
  return static_cast<std::size_t>(std::count_if(diagnostics.begin(), diagnostics.end(),
                                                [](const Diagnostic& d) { return d.severity == Severity::error; }));
}

}  // namespace

Reading::Reading(Bundled bundled) : library(workspace, diagnostics) {
  if (bundled == Bundled::with) add_bundled_library(library);
}

std::string Reading::name_of(const StoredClass* c) const {
  std::string name;
  for (; c; c = c->parent) name = std::string(workspace.names.text(c->name)) + (name.empty() ? "" : "." + name);
  return name;
}

const StoredClass* Reading::find(std::string_view name) const {
  const StoredClass* parent = nullptr;
  for (bool deeper = true; deeper;) {
    deeper = false;
    for (const StoredClass* c : library.known(parent)) {
      const std::string known = name_of(c);
      if (known == name) return c->shell ? nullptr : c;
      if (!name.starts_with(known + ".")) continue;
      parent = c;
      deeper = true;
      break;
    }
  }
  return nullptr;
}

std::string Reading::said() const {
  std::string text;
  for (const Diagnostic& d : diagnostics) text += parser::render(d, workspace.sources);
  return text;
}

void Compilation::flatten(bool describe) {
  if (flattened_) return;
  flattened_ = true;
  Library& library = reading_.library;
  // After syntax errors what could be read is looked at all the same.
  const std::size_t errors = count_errors(library.diagnostics);
  if (errors > library.damage().errors.size() || (errors > 0 && library.damage().blind)) return;
  Diagnostics found;
  on_large_stack([&] { flat_ = flatten_here(library, request_, found, describe ? &instances_ : nullptr); });
  const bool wrong = parser::has_errors(found);   // be it said or not
  say(library, std::move(found));
  if (wrong || parser::has_errors(library.diagnostics)) flat_.reset();
}

const std::string& Compilation::instances() {
  flatten(true);
  return instances_;
}

std::optional<flat::Model>& Compilation::flat() {
  flatten(false);
  return flat_;
}

std::optional<dae::System>& Compilation::system() {
  if (!analysed_ && flat()) system_ = analyse(*std::exchange(flat_, std::nullopt), reading_.workspace.sources, reading_.diagnostics);
  analysed_ = true;
  return system_;
}

std::optional<runtime::Program>& Compilation::program() {
  if (program_ || !system()) return program_;
  if (!request_.verifiable) std::vector<flat::Equation>().swap(system_->model.equations);   // they have been analysed
  program_ = lower(*system_, reading_.workspace.sources, &layout_, request_.kernels_from, request_.verifiable);
  return program_;
}

}  // namespace mosim::compiler
