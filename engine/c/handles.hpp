#pragma once
// What the handles of mosim.h are, and how their functions fail.

#include <atomic>
#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>

#include "mosim/mosim.h"
#include "mosim/session.hpp"

namespace mosim::c {

/// Leaves a call.
struct Failure {
  mosim_status status;
  std::string text;
};

/// What was said of the last call that failed.
class LastError {
public:
  mosim_status keep(mosim_status status, const char* text) noexcept {
    try {
      text_ = text;
      said_ = text_.c_str();
    } catch (...) {
      said_ = mosim_status_text(status);   // no memory for more
    }
    return status;
  }
  const char* said() const { return said_; }

private:
  std::string text_;
  const char* said_ = "";
};

/// What a call does; no exception leaves it. The same sentence for every kind of handle.
template <class Handle, class Call>
mosim_status guarded(Handle* handle, Call&& call) noexcept {
  if (!handle) return MOSIM_INVALID_ARGUMENT;
  LastError& error = handle->error;
  try {
    call();
    return MOSIM_OK;
  } catch (const Failure& failure) {
    return error.keep(failure.status, failure.text.c_str());
  } catch (const std::invalid_argument& why) {
    return error.keep(MOSIM_INVALID_ARGUMENT, why.what());
  } catch (const std::bad_alloc&) {
    return error.keep(MOSIM_OUT_OF_MEMORY, mosim_status_text(MOSIM_OUT_OF_MEMORY));
  } catch (const std::length_error&) {   // more than any memory
    return error.keep(MOSIM_OUT_OF_MEMORY, mosim_status_text(MOSIM_OUT_OF_MEMORY));
  } catch (const std::exception& why) {
    return error.keep(MOSIM_INTERNAL_ERROR, why.what());
  } catch (...) {
    return error.keep(MOSIM_INTERNAL_ERROR, mosim_status_text(MOSIM_INTERNAL_ERROR));
  }
}

/// The same where there is no handle yet to keep a sentence in.
template <class Call>
mosim_status guarded(Call&& call) noexcept {
  struct {
    LastError error;
  } nobody;
  return guarded(&nobody, call);
}

/// An argument that must not be NULL.
template <class T>
T* given(T* argument, const char* what) {
  if (!argument) throw Failure{MOSIM_INVALID_ARGUMENT, std::string(what) + " is NULL"};
  return argument;
}

/// A handle that a call gives: made by the function, or left as NULL.
template <class Handle, class Made, class Make>
mosim_status giving(Handle* handle, Made** place, const char* what, Make&& make) {
  if (place) *place = nullptr;
  return guarded(handle, [&] {
    given(place, what);
    *place = make();
  });
}

/// Members of a list of texts.
std::vector<std::string> texts_of(const char* const* texts, std::size_t count, const char* what);

constexpr std::size_t largest_structure = 4096;   // bytes; a greater size was never set

inline void check_size(std::size_t size, const char* what) {
  if (size < sizeof(std::size_t) || size > largest_structure)
    throw Failure{MOSIM_INVALID_ARGUMENT, std::string("the first member of ") + what + " is to be its size; it is " + std::to_string(size)};
}

/// A structure as far as the caller knows it, else as `defaults`.
template <class Structure>
Structure known(const Structure& structure, Structure defaults, const char* what) {
  check_size(structure.size, what);
  const auto* const bytes = reinterpret_cast<const unsigned char*>(&structure);
  for (std::size_t k = sizeof(Structure); k < structure.size; ++k)
    if (bytes[k]) throw Failure{MOSIM_INVALID_ARGUMENT, std::string(what) + " has a member that this version of mosim, " + mosim_version() + ", does not know"};
  std::memcpy(&defaults, bytes, std::min(structure.size, sizeof(Structure)));
  return defaults;
}

/// Fills a structure as far as the caller knows it.
template <class Structure>
void fill(Structure* structure, Structure with, const char* what) {
  const std::size_t size = given(structure, what)->size;
  check_size(size, what);
  with.size = size;
  if (size > sizeof(Structure)) std::memset(structure, 0, size);
  std::memcpy(structure, &with, std::min(size, sizeof(Structure)));
}

/// One of a list, or NULL.
template <class List>
auto element(const List& list, std::size_t index) -> decltype(&list[0]) {
  return index < list.size() ? &list[index] : nullptr;
}

inline const char* text_of(const std::string* text) { return text ? text->c_str() : nullptr; }

// Views are the structures of the library themselves.
inline const mosim_diagnostic* view(const Diagnostic* d) { return reinterpret_cast<const mosim_diagnostic*>(d); }
inline const mosim_variable* view(const Variable* v) { return reinterpret_cast<const mosim_variable*>(v); }
inline const mosim_event* view(const Event* e) { return reinterpret_cast<const mosim_event*>(e); }
inline const mosim_cause* view(const Cause* c) { return reinterpret_cast<const mosim_cause*>(c); }
inline const mosim_fired* view(const Fired* f) { return reinterpret_cast<const mosim_fired*>(f); }
inline const Diagnostic* seen(const mosim_diagnostic* d) { return reinterpret_cast<const Diagnostic*>(d); }
inline const Variable* seen(const mosim_variable* v) { return reinterpret_cast<const Variable*>(v); }
inline const Event* seen(const mosim_event* e) { return reinterpret_cast<const Event*>(e); }
inline const Cause* seen(const mosim_cause* c) { return reinterpret_cast<const Cause*>(c); }
inline const Fired* seen(const mosim_fired* f) { return reinterpret_cast<const Fired*>(f); }

}  // namespace mosim::c

struct mosim_session {
  mosim::Session session;
  std::vector<std::string> classes;
  mosim::c::LastError error;
};

struct mosim_model {
  std::shared_ptr<const mosim::Model> model;
  mosim::c::LastError error;
};

struct mosim_cancellation {
  std::shared_ptr<std::atomic<bool>> flag;
};

struct mosim_run {
  std::shared_ptr<const mosim::Model> model;
  std::shared_ptr<std::atomic<bool>> cancel;   // outlives the run
  std::optional<mosim::Run> run;               // none: it has been finished
  double time = 0;                             // that it came to then
  mosim::c::LastError error;
};

struct mosim_result {
  mosim::Result result;
  mosim::c::LastError error;
};

struct mosim_bytes {
  std::string bytes;
};

struct mosim_linearization {
  mosim::Linearization system;
};
