#include "mosim/session.hpp"

#include <fmt/format.h>

#include <span>
#include <unordered_set>

#include "compiler/compile.hpp"
#include "engine/convert.hpp"
#include "engine/model.hpp"
#include "program/file.hpp"

namespace mosim {

struct Session::Impl {
  explicit Impl(SessionOptions given) : options(given), reading(given.bundled_library ? compiler::Bundled::with : compiler::Bundled::without) {}

  /// What is said from here on is for the call at hand.
  void begin() {
    reading.diagnostics.clear();
    said.clear();
  }
  void end() { said = engine::diagnostics_of(reading.diagnostics, reading.workspace.sources); }

  std::vector<std::string> names_of(const std::vector<compiler::StoredClass*>& classes) {
    std::vector<std::string> names;
    for (const compiler::StoredClass* c : classes) names.push_back(reading.name_of(c));
    end();
    return names;
  }

  SessionOptions options;
  compiler::Reading reading;
  Diagnostics said;
};

Session::Session(SessionOptions options) : impl_(std::make_unique<Impl>(options)) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

bool Session::add_library(const std::string& path) {
  impl_->begin();
  const bool found = impl_->reading.library.add_path(path);
  impl_->end();
  return found;
}

std::vector<std::string> Session::read(const std::string& path) {
  impl_->begin();
  return impl_->names_of(impl_->reading.library.read(path));
}

std::vector<std::string> Session::read_text(const std::string& file, const std::string& text) {
  impl_->begin();
  return impl_->names_of(impl_->reading.library.read_text(file, text));
}

std::shared_ptr<const Model> Session::compile(const std::string& name, const std::vector<std::string>& settings) {
  impl_->begin();
  compiler::Compilation compilation(impl_->reading, {name, settings, impl_->options.native_code});
  const bool compiled = compilation.program().has_value();
  impl_->end();
  if (!compiled) return {};
  auto model = std::make_unique<Model::Impl>(*compilation.program());
  model->said = impl_->said;
  std::unordered_set<std::string_view> paths;
  for (const runtime::Origin& origin : model->program.origins) paths.insert(origin.path);
  for (const parser::Source& source : impl_->reading.workspace.sources.all())
    if (paths.contains(source.path)) model->sources.push_back({source.path, source.text});
  return std::shared_ptr<const Model>(new Model(std::move(model)));
}

std::shared_ptr<const Model> Session::load(std::string_view bytes) {
  impl_->begin();
  impl_->end();
  const auto refuse = [&](std::string cause, std::string remedy) {
    Diagnostic d;
    d.text = fmt::format("error: {}\n  remedy: {}\n", cause, remedy);
    d.cause = std::move(cause);
    d.remedy = std::move(remedy);
    impl_->said.push_back(std::move(d));
    return nullptr;
  };
  auto found = program::read(std::as_bytes(std::span(bytes)));
  if (auto* problem = std::get_if<program::Problem>(&found)) return refuse(std::move(problem->cause), std::move(problem->remedy));
  auto& compiled = std::get<program::Model>(found);
  if (!impl_->options.native_code)
    for (const runtime::External& external : compiled.program.externals)
      if (external.foreign)
        return refuse(fmt::format("{} calls {}, which is foreign code and runs with the rights of this process", compiled.program.model, external.foreign->name),
                      "if you trust it, load it in a session with native_code");
  auto model = std::make_unique<Model::Impl>(std::move(compiled.program));
  for (program::Source& s : compiled.sources) model->sources.push_back({std::move(s.path), std::move(s.text)});
  return std::shared_ptr<const Model>(new Model(std::move(model)));
}

const Diagnostics& Session::diagnostics() const { return impl_->said; }

std::string_view version() { return MOSIM_VERSION; }

}  // namespace mosim
