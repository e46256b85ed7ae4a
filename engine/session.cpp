#include "mosim/session.hpp"

#include <algorithm>
#include <fmt/format.h>

#include <functional>
#include <span>

#include "compiler/analyse/analyse.hpp"
#include "compiler/compile.hpp"
#include "compiler/expression/print.hpp"
#include "compiler/stack.hpp"
#include "engine/convert.hpp"
#include "engine/model.hpp"
#include "native/call.hpp"
#include "program/file.hpp"
#include "runtime/results.hpp"

namespace mosim {

namespace {

using Resource = std::function<std::optional<std::string>(std::string_view)>;

/// What the caller's function throws is an error of the model's function that wants the file.
Resource guarded(const Resource& given) {
  if (!given) return {};
  return [given](std::string_view uri) -> std::optional<std::string> {
    try {
      return given(uri);
    } catch (const std::exception& e) {
      throw native::Error(fmt::format("the function that gives the paths of resources fails for {}: {}", uri, e.what()));
    } catch (...) {
      throw native::Error(fmt::format("the function that gives the paths of resources fails for {}", uri));
    }
  };
}

/// A text with errors that the model is made of; null: there is none.
const parser::Source* damaged_source(const compiler::flat::Model& model, const compiler::Library& library) {
  const auto& damaged = library.damage().sources;
  if (damaged.empty()) return nullptr;
  const parser::Source* found = nullptr;
  const auto look = [&](parser::Place place) {
    const parser::Source* const source = library.workspace.sources.source(place);
    if (source && damaged.contains(source)) found = source;
  };
  look(model.place);
  for (const auto& variable : model.variables) look(variable.place);
  for (const auto& function : model.functions) look(function.place);
  const auto all = [&](const auto&... lists) { (std::for_each(lists.begin(), lists.end(), [&](const auto& item) { look(item.place); }), ...); };
  all(model.equations, model.initial_equations, model.whens, model.algorithms, model.initial_algorithms, model.assertions, model.initial_assertions, model.terminations);
  return found;
}

}  // namespace

struct Session::Impl {
  explicit Impl(SessionOptions given) : options(std::move(given)), reading(options.bundled_library ? compiler::Bundled::with : compiler::Bundled::without) {
    reading.library.resource = guarded(options.resource);
    if (options.source) reading.library.add_source(std::make_unique<compiler::Host>([this](const std::string& name) { return ask(name); }));
  }
  Impl(const Impl&) = delete;

  /// What the caller's function throws is said: it must not pass through the compiler.
  std::optional<compiler::Host::Text> ask(const std::string& name) {
    std::string why;
    try {
      if (auto found = options.source(name)) return compiler::Host::Text{std::move(found->file), std::move(found->text)};
      return {};
    } catch (const std::exception& e) {
      why = std::string(": ") + e.what();
    } catch (...) {
    }
    reading.diagnostics.push_back({parser::Severity::error, {}, fmt::format("the function that gives the texts of classes fails for {}{}", name, why), {}, {}});
    return {};
  }

  /// What is said from here on is for the call at hand.
  void begin() {
    reading.diagnostics.clear();
    said.clear();
  }
  void end() { said = engine::diagnostics_of(reading.diagnostics, reading.workspace.sources); }
  /// After texts were read.
  void end_reading() {
    end();
    of_texts.insert(of_texts.end(), reading.diagnostics.begin(), reading.diagnostics.end());
  }

  std::vector<std::string> names_of(const std::vector<compiler::StoredClass*>& classes) {
    std::vector<std::string> names;
    for (const compiler::StoredClass* c : classes) names.push_back(reading.name_of(c));
    end_reading();
    return names;
  }

  /// Looks at a class as far as `look` goes, errors of the texts before it.
  template <class Look>
  auto examine(const std::string& name, const std::vector<std::string>& settings, Look look) {
    begin();
    reading.diagnostics = of_texts;
    compiler::Compilation compilation(reading, {name, settings, options.native_code});
    decltype(look(compilation)) result{};
    with_large_stack([&] { result = look(compilation); });
    reading.diagnostics.erase(reading.diagnostics.begin(), reading.diagnostics.begin() + std::ptrdiff_t(of_texts.size()));
    end();
    return result;
  }

  /// One for all stages of a compilation.
  void with_large_stack(const std::function<void()>& task) const {
    compiler::on_large_stack(task, options.compiling_thread ? compiler::StackIn::another_thread : compiler::StackIn::this_thread);
  }

  SessionOptions options;
  compiler::Reading reading;
  parser::Diagnostics of_texts;   // what was said when they were read
  Diagnostics said;
};

Session::Session(SessionOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

bool Session::add_library(const std::string& path) {
  impl_->begin();
  const bool found = impl_->reading.library.add_path(path);
  impl_->end_reading();
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
  compiler::Compilation compilation(impl_->reading, {name, settings, impl_->options.native_code, compiler::usual_kernels_from, impl_->options.verifiable});
  bool compiled = false;
  impl_->with_large_stack([&] {
    // Before it is analysed: what is missing would be counted.
    const parser::Source* const damaged = compilation.flat() ? damaged_source(*compilation.flat(), impl_->reading.library) : nullptr;
    if (damaged || (!compilation.system() && !parser::has_errors(impl_->reading.diagnostics)))
      impl_->reading.diagnostics.push_back({parser::Severity::error, {}, damaged ? fmt::format("{} is made of {}, which has errors", name, damaged->path) : fmt::format("{} needs what texts with errors should have declared", name),
                                            "correct them first", {}});
    compiled = !damaged && compilation.program().has_value();
  });
  impl_->end();
  if (!compiled) return {};
  auto model = std::make_unique<Model::Impl>(std::move(*compilation.program()), impl_->reading.workspace.sources);
  if (impl_->options.verifiable) model->equations.emplace(engine::Equations{std::move(*compilation.system()), std::move(compilation.layout())});
  model->said = impl_->said;
  model->resource = impl_->reading.library.resource;
  return std::shared_ptr<const Model>(new Model(std::move(model)));
}

bool Session::check(const std::string& name, const std::vector<std::string>& settings) {
  return impl_->examine(name, settings, [](compiler::Compilation& c) { return c.system().has_value(); });
}

std::string Session::show(const std::string& name, Stage stage, const std::vector<std::string>& settings) {
  return impl_->examine(name, settings, [&](compiler::Compilation& c) -> std::string {
    if (stage == Stage::instance) return c.instances();
    if (!c.flat()) return {};
    try {
      if (stage == Stage::flat) return compiler::print(*c.flat());
      if (!c.system()) return {};
      return stage == Stage::dae ? compiler::print(*c.system(), impl_->reading.workspace.sources) : runtime::print(*c.program());
    } catch (const compiler::TextTooLong& e) {
      impl_->reading.diagnostics.push_back({parser::Severity::error, {}, e.what(), "the program (Stage::program; --emit program) has each part once", {}});
      return {};
    }
  });
}

std::string Session::show_syntax(const std::string& file, const std::string& text) {
  impl_->begin();
  parser::Workspace& workspace = impl_->reading.workspace;
  const auto stored = parser::parse(workspace.sources.add(file, text), workspace, impl_->reading.diagnostics);
  impl_->end();
  return stored ? parser::print(*stored, workspace) : std::string();
}

bool Session::is_package(const std::string& name) const {
  const compiler::StoredClass* c = impl_->reading.find(name);
  return c && c->definition->kind == parser::ClassKind::package;
}

std::shared_ptr<const Model> Session::load(const std::string& file, std::string_view bytes) {
  impl_->begin();
  const auto refuse = [&](std::string cause, std::string remedy) {
    impl_->said.push_back(engine::diagnostic_of(file, std::move(cause), std::move(remedy)));
    return std::shared_ptr<const Model>();
  };
  auto found = program::read(std::as_bytes(std::span(bytes.data(), bytes.size())));
  if (auto* problem = std::get_if<program::Problem>(&found)) return refuse(std::move(problem->cause), std::move(problem->remedy));
  program::Model& read = std::get<program::Model>(found);
  if (!impl_->options.native_code)
    for (const runtime::External& external : read.program.externals)
      if (external.foreign)
        return refuse(fmt::format("it calls {}, which is foreign code and runs with your rights: it is called only with --native-code", external.foreign->name),
                      "if you trust it, give the option --native-code");
  parser::Sources sources;
  for (program::Source& source : read.sources) sources.add(std::move(source.path), std::move(source.text));
  auto model = std::make_unique<Model::Impl>(std::move(read.program), std::move(sources));
  model->resource = impl_->reading.library.resource;
  return std::shared_ptr<const Model>(new Model(std::move(model)));
}

const Diagnostics& Session::diagnostics() const { return impl_->said; }

std::string_view version() { return MOSIM_VERSION; }

}  // namespace mosim
