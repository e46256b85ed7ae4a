#include "mosim/session.hpp"

#include <fmt/format.h>

#include <span>

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
  auto model = std::make_unique<Model::Impl>(std::move(*compilation.program()), impl_->reading.workspace.sources);
  model->said = impl_->said;
  return std::shared_ptr<const Model>(new Model(std::move(model)));
}

std::shared_ptr<const Model> Session::load(const std::string& file, std::string_view bytes) {
  impl_->begin();
  const auto refuse = [&](std::string cause, std::string remedy) {
    impl_->said.push_back(engine::diagnostic_of(file, std::move(cause), std::move(remedy)));
    return std::shared_ptr<const Model>();
  };
  auto found = program::read(std::as_bytes(std::span(bytes)));
  if (auto* problem = std::get_if<program::Problem>(&found)) return refuse(std::move(problem->cause), std::move(problem->remedy));
  program::Model& read = std::get<program::Model>(found);
  if (!impl_->options.native_code)
    for (const runtime::External& external : read.program.externals)
      if (external.foreign)
        return refuse(fmt::format("it calls {}, which is foreign code and runs with your rights: it is called only with --native-code", external.foreign->name),
                      "if you trust it, give the option --native-code");
  parser::Sources sources;
  for (program::Source& source : read.sources) sources.add(std::move(source.path), std::move(source.text));
  return std::shared_ptr<const Model>(new Model(std::make_unique<Model::Impl>(std::move(read.program), std::move(sources))));
}

const Diagnostics& Session::diagnostics() const { return impl_->said; }

std::string_view version() { return MOSIM_VERSION; }

}  // namespace mosim
