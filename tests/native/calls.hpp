#pragma once
// Calls of the library's functions as a caller makes them, with arguments as Modelica would hand them over.

#include <fstream>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "native/call.hpp"

namespace calls {

namespace native = mosim::native;

struct Argument {
  Argument(double value) : numbers{value} {}
  Argument(int value) : numbers{static_cast<double>(value)} {}
  Argument(std::vector<double> values) : numbers(std::move(values)) {}
  Argument(const char* value) : texts{value} {}
  Argument(const std::string& value) : texts{value} {}
  Argument(const std::unique_ptr<native::Object>& object) : object(object.get()) {}

  std::vector<double> numbers;
  std::vector<std::string> texts;
  native::Object* object = nullptr;
};

struct Said {
  std::string printed, warned;
};

inline void call(std::string_view name, const std::vector<Argument>& arguments, std::span<native::Out> out, Said* said = nullptr) {
  const native::Entry* const entry = native::find(name);
  BOOST_REQUIRE_MESSAGE(entry, std::string(name) + " is not known");
  std::vector<std::vector<std::string_view>> texts;
  std::vector<native::In> in;
  for (const Argument& argument : arguments) {
    texts.emplace_back(argument.texts.begin(), argument.texts.end());
    in.push_back({argument.numbers, texts.back(), argument.object});
  }
  native::Environment environment;
  if (said) {
    environment.print = [said](std::string_view text) { said->printed += text; };
    environment.warn = [said](std::string_view text) { said->warned += text; };
  }
  entry->function(in, out, environment);
}

inline double number(std::string_view name, const std::vector<Argument>& arguments) {
  double result = 0;
  native::Out out{{&result, 1}, nullptr, nullptr};
  call(name, arguments, {&out, 1});
  return result;
}

inline std::vector<double> numbers(std::string_view name, const std::vector<Argument>& arguments, std::size_t count) {
  std::vector<double> result(count);
  native::Out out{result, nullptr, nullptr};
  call(name, arguments, {&out, 1});
  return result;
}

inline std::string text(std::string_view name, const std::vector<Argument>& arguments) {
  std::vector<std::string> result(1);
  native::Out out{{}, &result, nullptr};
  call(name, arguments, {&out, 1});
  return result[0];
}

inline std::unique_ptr<native::Object> object(std::string_view name, const std::vector<Argument>& arguments, Said* said = nullptr) {
  std::unique_ptr<native::Object> result;
  native::Out out{{}, nullptr, &result};
  call(name, arguments, {&out, 1}, said);
  BOOST_REQUIRE(result);
  return result;
}

/// What the error says, or "no error".
template <typename F>
std::string error(const F& f) {
  try {
    f();
  } catch (const native::Error& e) {
    return e.what();
  }
  return "no error";
}

/// A folder of its own, gone with it.
struct Folder {
  Folder();
  ~Folder();
  std::string file(const std::string& name, std::string_view contents) const {
    std::ofstream(path + "/" + name, std::ios::binary) << contents;
    return path + "/" + name;
  }
  std::string path;
};

}  // namespace calls
