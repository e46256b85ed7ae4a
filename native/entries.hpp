#pragma once
// The parts of the table of functions.

#include "native/call.hpp"

namespace mosim::native {

std::span<const Entry> combi_time_table();
std::span<const Entry> combi_table_1d();
std::span<const Entry> combi_table_2d();

/// A Modelica destructor: nothing is left to do, its caller destroys the object.
void close_object(std::span<const In> in, std::span<Out> out, Environment& environment);
/// The ..._read functions of version 3.2, which say 1: a table is read when it is made.
void already_read(std::span<const In> in, std::span<Out> out, Environment& environment);

}  // namespace mosim::native
