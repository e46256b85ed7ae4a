#include "foreign/utilities.hpp"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace mosim::foreign {
namespace {

Surroundings* here = nullptr;   // C calls us without a context

// No frame that is left here may hold anything with a destructor.
[[noreturn]] void go_back() { std::longjmp(here->back, 1); }

void format(std::string& text, const char* format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  const int n = std::vsnprintf(nullptr, 0, format, arguments);
  text.assign(n > 0 ? static_cast<std::size_t>(n) + 1 : 0, '\0');
  if (n > 0) {
    std::vsnprintf(text.data(), text.size(), format, again);
    text.pop_back();
  }
  va_end(again);
}

void say(Word word, std::string_view text) {
  Writer w(word);
  w.put_text(text);
  if (here) (void)here->channel->send(w);
}

void say(Word word, const char* how, va_list arguments) {
  std::string text;
  format(text, how, arguments);
  say(word, text);
}

[[noreturn]] void fail(const char* how, va_list arguments) {
  if (!here) std::abort();
  format(here->error, how, arguments);
  go_back();
}

[[noreturn]] void fail(const char* text) {
  if (!here) std::abort();
  here->error = text;
  go_back();
}

char* allocate(std::size_t length) {
  char* const text = here && length < std::size_t(-1) ? static_cast<char*>(std::calloc(length + 1, 1)) : nullptr;
  if (text) here->texts.push_back(text);
  return text;
}

char* duplicate(const char* text) {
  char* const copy = allocate(std::strlen(text));
  if (copy) std::strcpy(copy, text);
  return copy;
}

}  // namespace

void surround(Surroundings* surroundings) { here = surroundings; }

}  // namespace mosim::foreign

using namespace mosim::foreign;

extern "C" {

void ModelicaMessage(const char* text) { say(Word::message, text); }
void ModelicaWarning(const char* text) { say(Word::warning, text); }
void ModelicaError(const char* text) { fail(text); }

void ModelicaVFormatMessage(const char* how, va_list arguments) { say(Word::message, how, arguments); }
void ModelicaVFormatWarning(const char* how, va_list arguments) { say(Word::warning, how, arguments); }
void ModelicaVFormatError(const char* how, va_list arguments) { fail(how, arguments); }

void ModelicaFormatMessage(const char* how, ...) {
  va_list arguments;
  va_start(arguments, how);
  say(Word::message, how, arguments);
  va_end(arguments);
}
void ModelicaFormatWarning(const char* how, ...) {
  va_list arguments;
  va_start(arguments, how);
  say(Word::warning, how, arguments);
  va_end(arguments);
}
void ModelicaFormatError(const char* how, ...) {
  va_list arguments;
  va_start(arguments, how);
  fail(how, arguments);
}

char* ModelicaAllocateStringWithErrorReturn(std::size_t length) { return allocate(length); }
char* ModelicaDuplicateStringWithErrorReturn(const char* text) { return duplicate(text); }
char* ModelicaAllocateString(std::size_t length) {
  char* const text = allocate(length);
  if (!text) fail("there is not enough memory for a String");
  return text;
}
char* ModelicaDuplicateString(const char* given) {
  char* const text = duplicate(given);
  if (!text) fail("there is not enough memory for a String");
  return text;
}

}  // extern "C"

namespace mosim::foreign {

std::string_view utilities_header() {
  return R"(#ifndef MODELICA_UTILITIES_H
#define MODELICA_UTILITIES_H
#include <stdarg.h>
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
void ModelicaMessage(const char *string);
void ModelicaWarning(const char *string);
void ModelicaError(const char *string);
void ModelicaFormatMessage(const char *format, ...);
void ModelicaFormatWarning(const char *format, ...);
void ModelicaFormatError(const char *format, ...);
void ModelicaVFormatMessage(const char *format, va_list ap);
void ModelicaVFormatWarning(const char *format, va_list ap);
void ModelicaVFormatError(const char *format, va_list ap);
char *ModelicaAllocateString(size_t len);
char *ModelicaAllocateStringWithErrorReturn(size_t len);
char *ModelicaDuplicateString(const char *str);
char *ModelicaDuplicateStringWithErrorReturn(const char *str);
#ifdef __cplusplus
}
#endif
#endif
)";
}

std::span<const Symbol> utilities() {
  static const Symbol all[] = {
      {"ModelicaMessage", reinterpret_cast<const void*>(&ModelicaMessage)},
      {"ModelicaWarning", reinterpret_cast<const void*>(&ModelicaWarning)},
      {"ModelicaError", reinterpret_cast<const void*>(&ModelicaError)},
      {"ModelicaFormatMessage", reinterpret_cast<const void*>(&ModelicaFormatMessage)},
      {"ModelicaFormatWarning", reinterpret_cast<const void*>(&ModelicaFormatWarning)},
      {"ModelicaFormatError", reinterpret_cast<const void*>(&ModelicaFormatError)},
      {"ModelicaVFormatMessage", reinterpret_cast<const void*>(&ModelicaVFormatMessage)},
      {"ModelicaVFormatWarning", reinterpret_cast<const void*>(&ModelicaVFormatWarning)},
      {"ModelicaVFormatError", reinterpret_cast<const void*>(&ModelicaVFormatError)},
      {"ModelicaAllocateString", reinterpret_cast<const void*>(&ModelicaAllocateString)},
      {"ModelicaAllocateStringWithErrorReturn", reinterpret_cast<const void*>(&ModelicaAllocateStringWithErrorReturn)},
      {"ModelicaDuplicateString", reinterpret_cast<const void*>(&ModelicaDuplicateString)},
      {"ModelicaDuplicateStringWithErrorReturn", reinterpret_cast<const void*>(&ModelicaDuplicateStringWithErrorReturn)},
  };
  return all;
}

}  // namespace mosim::foreign
