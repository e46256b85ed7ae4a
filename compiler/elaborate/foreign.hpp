#pragma once
// External functions that are a model's own C (MLS 12.9): where their code is, and how their operands are called in C.

#include <optional>
#include <span>
#include <string>

#include "compiler/instantiate/instances.hpp"
#include "compiler/instantiate/value.hpp"
#include "foreign/function.hpp"
#include "native/call.hpp"
#include "parser/syntax.hpp"

namespace mosim::compiler {

using parser::Place;

/// The function that an external clause calls, without parameters so far. Empty after an error: there is no code, it cannot be used,
/// or it may not be called.
std::optional<foreign::Function> foreign_function(Instances& in, const Class* function, const parser::ExternalClause& clause);

/// Does an annotation of the clause, or of the function, name code: an include file or a library?
bool brings_code(Instances& in, const Class& function, const parser::ExternalClause& clause);

/// The foreign destructor of the objects that a constructor makes; empty: mosim's own, or there is none.
std::optional<foreign::Function> foreign_destructor(Instances& in, Class* constructor);

/// The type of a scalar, or an element of an array; an error says what C has none for.
std::optional<foreign::Type> foreign_type(Instances& in, const Value& v, const parser::ExternalClause& clause);

/// Calls it while compiling. False: it fails there, which the run will say if it comes to that. What ends the process of foreign
/// code is a warning, as sizes that are missing then would be told of without their reason.
bool call_foreign(Instances& in, const foreign::Function& function, std::span<const native::In> operands, std::span<native::Out> results, native::Environment& environment, Place place);

/// Is it size(a, i)?
bool is_size(Instances& in, const parser::Expression& e);

}  // namespace mosim::compiler
