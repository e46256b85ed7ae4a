#pragma once
// C functions that are a model's own (MLS 12.9): what is called, with what, and where its code is. Data alone.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mosim::foreign {

/// Of a scalar (MLS 12.9.1.1), or a record, which is a struct (MLS 12.9.1.3).
struct Type {
  enum class Kind : std::uint8_t {
    real,     // double
    integer,  // int: Integer, an enumeration's number from 1
    boolean,  // int, 0 or 1
    size,     // size_t: size(a, i)
    string,   // const char*
    object,   // void*
    record,
  };
  Kind kind = Kind::real;
  std::vector<Type> fields = {};   ///< of a record, in order
  int literals = 0;                ///< of an enumeration: so many there are
  friend bool operator==(const Type&, const Type&) = default;
};

/// The scalars in a type: 1, or those of a record, fields of fields too.
std::size_t count_leaves(const Type& type);

struct Parameter {
  Type type;
  bool array = false;    ///< of the type, row by row, by the address of its first element
  bool result = false;   ///< is written: what it points to
  friend bool operator==(const Parameter&, const Parameter&) = default;
};

/// Where the code is; functions with the same, or with a text in common by `companions`, share their static variables.
struct Code {
  std::string include;                          ///< C text; empty: none
  std::vector<std::string> include_folders;
  std::vector<std::string> libraries;           ///< foo of libfoo.so or libfoo.a, or the name of a file
  std::vector<std::string> library_folders;     ///< with a folder for the platform in them, or without
  std::vector<std::string> companions = {};     ///< C texts of other functions, whose definitions it needs: linked with it, each a translation unit (12.9.4)
  friend bool operator==(const Code&, const Code&) = default;
};

/// Which text of the code it is: 0 for its own, k for companion k - 1, one more than there are for none.
std::size_t number_of_text(const Code& code, const std::string& text);
/// Are they one program: the same, or linked with each other by a text that both have?
bool are_linked(const Code& a, const Code& b);
/// Adds what other code is made of, and where that is.
void link_with(Code& code, const Code& other);

struct Function {
  std::string name;                     ///< in C
  Code code;
  bool returns = false;                 ///< the first of the parameters is what it returns
  std::vector<Parameter> parameters;
  bool acts = false;                    ///< impure (MLS 12.3): each call counts
  friend bool operator==(const Function&, const Function&) = default;
};

}  // namespace mosim::foreign
