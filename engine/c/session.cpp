// Sessions and models, as C sees them.

#include <limits>

#include "engine/c/handles.hpp"
#include "engine/convert.hpp"

using namespace mosim;
using namespace mosim::c;

namespace mosim::c {

std::vector<std::string> texts_of(const char* const* texts, std::size_t count, const char* what) {
  std::vector<std::string> result;
  if (count > 0) given(texts, what);
  for (std::size_t k = 0; k < count; ++k) result.emplace_back(given(texts[k], what));
  return result;
}

}  // namespace mosim::c

namespace {

/// An error among what the session says is one of the call.
void check_said(const Session& session) {
  for (const Diagnostic& d : session.diagnostics())
    if (d.severity == Severity::error) throw Failure{MOSIM_INVALID_MODEL, d.cause};
}

SessionOptions options_of(const mosim_session_options& o) {
  SessionOptions result{.bundled_library = !o.without_bundled_library, .native_code = o.native_code != 0, .verifiable = false};
  void* const context = o.context;
  if (const auto source = o.source)
    result.source = [source, context](const std::string& name) -> std::optional<SourceText> {
      mosim_source_text found{};
      source(context, name.c_str(), &found);
      if (!found.text) return {};
      return SourceText{found.file ? found.file : name, std::string(found.text, found.length)};
    };
  if (const auto resource = o.resource)
    result.resource = [resource, context](std::string_view uri) -> std::optional<std::string> {
      const char* const path = resource(context, std::string(uri).c_str());
      return path ? std::optional<std::string>(path) : std::nullopt;
    };
  return result;
}

mosim_model* handle_of(const Session& session, std::shared_ptr<const Model> model, const char* name) {
  if (model) return new mosim_model{std::move(model), {}};
  check_said(session);
  throw Failure{MOSIM_INVALID_MODEL, std::string(name) + " cannot be compiled"};
}

}  // namespace

extern "C" {

const char* mosim_status_text(mosim_status status) {
  switch (status) {
    case MOSIM_OK: return "done";
    case MOSIM_INVALID_ARGUMENT: return "an argument of the call cannot be";
    case MOSIM_NOT_FOUND: return "nothing has this name";
    case MOSIM_INVALID_MODEL: return "the model is not valid";
    case MOSIM_FINISHED: return "the run has been finished";
    case MOSIM_OUT_OF_MEMORY: return "memory is exhausted";
    case MOSIM_INTERNAL_ERROR: return "a fault in mosim";
    default: return "no status of this version of mosim";
  }
}

const char* mosim_version(void) { return version().data(); }

// ---- sessions

mosim_status mosim_session_new(const mosim_session_options* options, mosim_session** session) {
  if (!session) return MOSIM_INVALID_ARGUMENT;
  *session = nullptr;
  return guarded([&] {
    mosim_session_options o{};
    if (options) o = known(*options, o, "the session's options");
    *session = new mosim_session{Session(options_of(o)), {}, {}};
  });
}

void mosim_session_free(mosim_session* session) { delete session; }
const char* mosim_session_error(const mosim_session* session) { return session ? session->error.said() : nullptr; }

mosim_status mosim_session_add_library(mosim_session* session, const char* path) {
  return guarded(session, [&] {
    if (!session->session.add_library(given(path, "the path"))) throw Failure{MOSIM_NOT_FOUND, std::string("there is no library ") + path};
    check_said(session->session);
  });
}

mosim_status mosim_session_read(mosim_session* session, const char* path) {
  return guarded(session, [&] {
    given(path, "the path");
    session->classes.clear();
    session->classes = session->session.read(path);
    check_said(session->session);
  });
}

mosim_status mosim_session_read_text(mosim_session* session, const char* file, const char* text, size_t length) {
  return guarded(session, [&] {
    given(file, "the name of the file");
    if (length > 0) given(text, "the text");
    session->classes.clear();
    session->classes = session->session.read_text(file, length > 0 ? std::string(text, length) : std::string());
    check_said(session->session);
  });
}

size_t mosim_session_class_count(const mosim_session* session) { return session ? session->classes.size() : 0; }
const char* mosim_session_class(const mosim_session* session, size_t k) { return session ? text_of(element(session->classes, k)) : nullptr; }

mosim_status mosim_session_compile(mosim_session* session, const char* name, const char* const* settings, size_t setting_count, mosim_model** model) {
  return giving(session, model, "the place for the model", [&] {
    return handle_of(session->session, session->session.compile(given(name, "the name"), texts_of(settings, setting_count, "a setting")), name);
  });
}

mosim_status mosim_session_load(mosim_session* session, const char* data, size_t size, mosim_model** model) {
  return giving(session, model, "the place for the model", [&] {
    return handle_of(session->session, session->session.load("the model", {given(data, "the model"), size}), "the model");
  });
}

size_t mosim_session_diagnostic_count(const mosim_session* session) { return session ? session->session.diagnostics().size() : 0; }
const mosim_diagnostic* mosim_session_diagnostic(const mosim_session* session, size_t k) {
  return session ? view(element(session->session.diagnostics(), k)) : nullptr;
}

// ---- models

void mosim_model_free(mosim_model* model) { delete model; }
const char* mosim_model_error(const mosim_model* model) { return model ? model->error.said() : nullptr; }

mosim_status mosim_model_share(mosim_model* model, mosim_model** shared) {
  return giving(model, shared, "the place for the handle", [&] { return new mosim_model{model->model, {}}; });
}

mosim_status mosim_model_write(mosim_model* model, mosim_bytes** bytes) {
  return giving(model, bytes, "the place for the bytes", [&] { return new mosim_bytes{model->model->write()}; });
}

// ---- bytes

const char* mosim_bytes_data(const mosim_bytes* bytes) { return bytes ? bytes->bytes.c_str() : nullptr; }
size_t mosim_bytes_size(const mosim_bytes* bytes) { return bytes ? bytes->bytes.size() : 0; }
void mosim_bytes_free(mosim_bytes* bytes) { delete bytes; }

const char* mosim_model_name(const mosim_model* model) { return model ? model->model->name().c_str() : nullptr; }
const char* mosim_model_description(const mosim_model* model) { return model ? model->model->description().c_str() : nullptr; }
size_t mosim_model_diagnostic_count(const mosim_model* model) { return model ? model->model->diagnostics().size() : 0; }
const mosim_diagnostic* mosim_model_diagnostic(const mosim_model* model, size_t k) {
  return model ? view(element(model->model->diagnostics(), k)) : nullptr;
}

mosim_status mosim_model_experiment(mosim_model* model, mosim_experiment* experiment) {
  return guarded(model, [&] {
    constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
    const Experiment& e = model->model->experiment();
    fill(experiment, {0, e.start.value_or(nothing), e.stop.value_or(nothing), e.tolerance.value_or(nothing), e.interval.value_or(nothing)}, "the experiment");
  });
}

size_t mosim_model_variable_count(const mosim_model* model) { return model ? model->model->variables().size() : 0; }
const mosim_variable* mosim_model_variable(const mosim_model* model, size_t k) { return model ? view(element(model->model->variables(), k)) : nullptr; }

mosim_status mosim_model_find(mosim_model* model, const char* name, size_t* index) {
  return guarded(model, [&] {
    given(index, "the place for the index");
    const auto found = model->model->find(given(name, "the name"));
    if (!found) throw Failure{MOSIM_NOT_FOUND, engine::unknown_variable(*model->model, name)};
    *index = *found;
  });
}

}  // extern "C"
