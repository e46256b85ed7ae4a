#pragma once
// What is known of an opcode without carrying it out: a row each. Printer, interpreter, sparsity, dependences and code
// generation read it here.

#include <array>

#include "runtime/program.hpp"

namespace mosim::runtime {

struct OpcodeFacts {
  Opcode op;
  const char* name;
  std::uint8_t reads;   // operands that are slots: 0: none, 1: b, 2: b and c
  bool writes;          // w[a]
  bool jumps;           // perhaps to a
  bool faults;          // may stop what runs it
  const char* form;     // as text: $a, $b, $c are slots, %a, %c, %d numbers. Null: its name and its operands
};

// clang-format off
inline constexpr std::array opcode_table{
  //          opcode                    name              reads writes jumps  faults form
  OpcodeFacts{Opcode::end,              "end",              0, false, false, false, "end"},
  OpcodeFacts{Opcode::body,             "body",             0, false, false, false, "body"},
  OpcodeFacts{Opcode::move,             "move",             1, true,  false, false, "$a := $b"},
  OpcodeFacts{Opcode::negate,           "negate",           1, true,  false, false, nullptr},
  OpcodeFacts{Opcode::not_,             "not",              1, true,  false, false, nullptr},
  OpcodeFacts{Opcode::add,              "add",              2, true,  false, true,  nullptr},
  OpcodeFacts{Opcode::subtract,         "subtract",         2, true,  false, true,  nullptr},
  OpcodeFacts{Opcode::multiply,         "multiply",         2, true,  false, true,  nullptr},
  OpcodeFacts{Opcode::divide,           "divide",           2, true,  false, true,  nullptr},
  OpcodeFacts{Opcode::power,            "power",            2, true,  false, true,  nullptr},
  OpcodeFacts{Opcode::and_,             "and",              2, true,  false, false, nullptr},
  OpcodeFacts{Opcode::or_,              "or",               2, true,  false, false, nullptr},
  OpcodeFacts{Opcode::less,             "less",             2, true,  false, false, nullptr},
  OpcodeFacts{Opcode::less_equal,       "less_equal",       2, true,  false, false, nullptr},
  OpcodeFacts{Opcode::equal,            "equal",            2, true,  false, false, nullptr},
  OpcodeFacts{Opcode::not_equal,        "not_equal",        2, true,  false, false, nullptr},
  OpcodeFacts{Opcode::abs,              "abs",              1, true,  false, false, nullptr},
  OpcodeFacts{Opcode::sign,             "sign",             1, true,  false, false, nullptr},
  OpcodeFacts{Opcode::sqrt,             "sqrt",             1, true,  false, true,  nullptr},
  OpcodeFacts{Opcode::sin,              "sin",              1, true,  false, false, nullptr},
  OpcodeFacts{Opcode::cos,              "cos",              1, true,  false, false, nullptr},
  OpcodeFacts{Opcode::tan,              "tan",              1, true,  false, false, nullptr},
  OpcodeFacts{Opcode::asin,             "asin",             1, true,  false, true,  nullptr},
  OpcodeFacts{Opcode::acos,             "acos",             1, true,  false, true,  nullptr},
  OpcodeFacts{Opcode::atan,             "atan",             1, true,  false, false, nullptr},
  OpcodeFacts{Opcode::atan2,            "atan2",            2, true,  false, false, nullptr},
  OpcodeFacts{Opcode::sinh,             "sinh",             1, true,  false, true,  nullptr},
  OpcodeFacts{Opcode::cosh,             "cosh",             1, true,  false, true,  nullptr},
  OpcodeFacts{Opcode::tanh,             "tanh",             1, true,  false, false, nullptr},
  OpcodeFacts{Opcode::exp,              "exp",              1, true,  false, true,  nullptr},
  OpcodeFacts{Opcode::log,              "log",              1, true,  false, true,  nullptr},
  OpcodeFacts{Opcode::log10,            "log10",            1, true,  false, true,  nullptr},
  OpcodeFacts{Opcode::min,              "min",              2, true,  false, false, nullptr},
  OpcodeFacts{Opcode::max,              "max",              2, true,  false, false, nullptr},
  OpcodeFacts{Opcode::floor,            "floor",            1, true,  false, false, nullptr},
  OpcodeFacts{Opcode::ceil,             "ceil",             1, true,  false, false, nullptr},
  OpcodeFacts{Opcode::truncate,         "truncate",         1, true,  false, false, nullptr},
  OpcodeFacts{Opcode::div,              "div",              2, true,  false, true,  nullptr},
  OpcodeFacts{Opcode::mod,              "mod",              2, true,  false, true,  nullptr},
  OpcodeFacts{Opcode::rem,              "rem",              2, true,  false, true,  nullptr},
  OpcodeFacts{Opcode::text,             "text",             0, true,  false, false, "$a := text %d"},
  OpcodeFacts{Opcode::precedes,         "precedes",         2, true,  false, false, nullptr},
  OpcodeFacts{Opcode::whole,            "whole",            1, true,  false, true,  nullptr},
  OpcodeFacts{Opcode::within,           "within",           2, true,  false, true,  nullptr},
  OpcodeFacts{Opcode::load,             "load",             1, true,  false, true,  "$a := element $b of $d, %c"},
  OpcodeFacts{Opcode::store,            "store",            2, false, false, true,  "element $b of $a, %d := $c"},
  OpcodeFacts{Opcode::create,           "create",           0, false, false, true,  "create array %d, %c sizes from $b"},
  OpcodeFacts{Opcode::extent,           "extent",           0, true,  false, false, "$a := size %c of array %d"},
  OpcodeFacts{Opcode::item,             "item",             0, true,  false, true,  "$a := item of array %d, %c subscripts from $b"},
  OpcodeFacts{Opcode::put,              "put",              0, false, false, true,  "item of array %d, %c subscripts from $b := $a"},
  OpcodeFacts{Opcode::assign_array,     "assign_array",     0, false, false, false, "array %a := array %d"},
  OpcodeFacts{Opcode::jump,             "jump",             0, false, true,  false, "jump %a"},
  OpcodeFacts{Opcode::jump_if_zero,     "jump_if_zero",     1, false, true,  false, "jump_if_zero $b -> %a"},
  OpcodeFacts{Opcode::jump_if_nonzero,  "jump_if_nonzero",  1, false, true,  false, "jump_if_nonzero $b -> %a"},
  OpcodeFacts{Opcode::loop,             "loop",             0, false, true,  true,  "loop %a"},
  OpcodeFacts{Opcode::call,             "call",             0, false, false, true,  "call %d"},
  OpcodeFacts{Opcode::external,         "external",         0, false, false, true,  "external %d"},
  OpcodeFacts{Opcode::return_,          "return",           0, false, false, true,  "return"},
  OpcodeFacts{Opcode::relation,         "relation",         2, true,  false, true,  nullptr},
  OpcodeFacts{Opcode::time_relation,    "time_relation",    1, true,  false, true,  nullptr},
  OpcodeFacts{Opcode::event_function,   "event_function",   1, true,  false, true,  "$a := event function %d of $b"},
  OpcodeFacts{Opcode::quiet_relation,   "quiet_relation",   2, true,  false, true,  nullptr},
  OpcodeFacts{Opcode::quiet_sign,       "quiet_sign",       2, true,  false, true,  "$a := sign $b, quiet relation %d"},
  OpcodeFacts{Opcode::delay,            "delay",            1, true,  false, true,  "$a := delay %d by $b"},
  OpcodeFacts{Opcode::spatial_distribution, "spatial_distribution", 0, true,  false, true,  "$a := output %c of spatialDistribution %d"},
  OpcodeFacts{Opcode::solve,            "solve",            0, false, false, true,  "solve block %d"},
  OpcodeFacts{Opcode::settle,           "settle",           0, false, false, true,  "settle mixed %d"},
  OpcodeFacts{Opcode::reinit,           "reinit",           1, false, false, true,  "reinit %d := $b"},
  OpcodeFacts{Opcode::check,            "check",            1, false, false, true,  "check %d: $b"},
  OpcodeFacts{Opcode::terminate,        "terminate",        0, false, false, true,  "terminate %d"},
  OpcodeFacts{Opcode::kernel,           "kernel",           0, false, false, true,  "kernel %d"},
};
// clang-format on

constexpr bool is_in_order() {
  for (std::size_t k = 0; k < opcode_table.size(); ++k)
    if (opcode_table[k].op != static_cast<Opcode>(k)) return false;
  return opcode_table.back().op == Opcode::kernel;
}
static_assert(is_in_order());

constexpr const OpcodeFacts& facts(Opcode op) { return opcode_table[static_cast<std::size_t>(op)]; }

/// Whether an instruction writes w[a].
constexpr bool writes(Opcode op) { return facts(op).writes; }

/// The slots whose values an instruction uses; those that a block's, a function's or a kernel's own code uses are not among them: see kernel.hpp.
template <class Visit>
void each_read(const Program& program, const Instruction& i, Visit visit) {
  const OpcodeFacts& f = facts(i.op);
  if (f.reads > 0) visit(i.b);
  if (f.reads > 1) visit(i.c);
  if (i.op == Opcode::load)
    for (std::uint32_t k = 0; k < i.c; ++k) visit(i.d + k);
  if (i.op == Opcode::create || i.op == Opcode::item || i.op == Opcode::put)
    for (std::uint32_t k = 0; k < i.c; ++k) visit(i.b + k);
  if (i.op == Opcode::put) visit(i.a);
  if (i.op == Opcode::call)
    for (const Slot slot : program.functions[i.d].inputs) visit(slot);
  if (i.op == Opcode::external)
    for (const External::Operand& o : program.externals[i.d].operands)
      for (const Slot slot : o.slots) visit(slot);
}

/// The slots that an instruction may set; likewise.
template <class Visit>
void each_written(const Program& program, const Instruction& i, Visit visit) {
  if (facts(i.op).writes) visit(i.a);
  if (i.op == Opcode::store)
    for (std::uint32_t k = 0; k < i.d; ++k) visit(i.a + k);
  if (i.op == Opcode::call)
    for (const Slot slot : program.functions[i.d].results) visit(slot);
  if (i.op == Opcode::external)
    for (const External::Operand& o : program.externals[i.d].operands)
      if (o.result)
        for (const Slot slot : o.slots) visit(slot);
}

}  // namespace mosim::runtime
