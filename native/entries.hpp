#pragma once
// The parts of the table of functions.

#include "native/call.hpp"

namespace mosim::native {

std::span<const Entry> combi_time_table();
std::span<const Entry> combi_table_1d();
std::span<const Entry> combi_table_2d();
std::span<const Entry> strings();
std::span<const Entry> random_numbers();
std::span<const Entry> fourier_transform();
std::span<const Entry> file_system();
std::span<const Entry> streams();
std::span<const Entry> system_functions();
std::span<const Entry> matrix_files();

/// A Modelica destructor: nothing is left to do, its caller destroys the object.
void close_object(std::span<const In> in, std::span<Out> out, Environment& environment);
/// The ..._read functions of version 3.2, which say 1: a table is read when it is made.
void already_read(std::span<const In> in, std::span<Out> out, Environment& environment);

}  // namespace mosim::native
