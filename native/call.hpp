#pragma once
// The functions that the standard library declares as external "C", written natively: what they are called with, and by which name.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace mosim::native {

/// What a C function of the library would say by ModelicaError: the run ends with it.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An external object (MLS 12.9.7). Its C++ destructor is all that its Modelica destructor has to do.
class Object {
 public:
  virtual ~Object() = default;
};

/// One argument that is handed over: numbers (Real, Integer, Boolean, enumeration; a scalar is an array of one, a matrix goes row by row),
/// Strings, or an object. What it points to need not outlive the call.
struct In {
  std::span<const double> numbers;
  std::span<const std::string_view> texts;
  Object* object = nullptr;
};

/// One place for what comes back: numbers to be filled, Strings to be filled (both sized beforehand), or the object of a constructor.
struct Out {
  std::span<double> numbers;
  std::vector<std::string>* texts = nullptr;
  std::unique_ptr<Object>* object = nullptr;
};

/// What a function may say to the world outside (both may be empty), and what impure functions keep from one call to the next: the
/// hidden state of a random generator, a place in a file. One for a run, with the functions' own names as keys.
/// `folders`: of packages, by their names. `resource`: the path of a file that `modelica://` names, asked before these; may be empty.
struct Environment {
  std::function<void(std::string_view)> print;
  std::function<void(std::string_view)> warn;
  std::map<std::string, std::shared_ptr<Object>, std::less<>> memory = {};
  std::map<std::string, std::string, std::less<>> folders = {};
  std::function<std::optional<std::string>(std::string_view)> resource = {};
};

/// `In` in the order of the arguments in the external clause, the sizes of arrays among them; `Out` likewise, the return value first.
using Function = void (*)(std::span<const In>, std::span<Out>, Environment&);

enum class Effect : std::uint8_t {
  none,   // the same arguments give the same results, and nothing else happens
  reads,  // likewise, as long as files and surroundings stay as they are
  acts,
};

struct Entry {
  std::string_view name;
  Function function;
  Effect effect;
  std::string_view derivative = {};  ///< by the same arguments, then how fast each Real among them changes; empty: there is none
};

/// By the name of the C function; null: not known.
const Entry* find(std::string_view c_name);

}  // namespace mosim::native
