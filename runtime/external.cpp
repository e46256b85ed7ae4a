#include "runtime/external.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/machine.hpp"
#include "runtime/text.hpp"

namespace mosim::runtime {

namespace {

using Operand = External::Operand;

constexpr double relative_step = 6e-6, least_scale = 1e-3;   // of differences
constexpr std::size_t kept_numbers = 10'000;                 // room that a call keeps for the next one

/// The numbers or texts in an operand.
std::size_t size_of(const Machine& m, const Operand& o) { return o.array != none ? m.arrays[o.array].values.size() : o.slots.size(); }

/// Where scalar j of an operand stands among the values of its array: FORTRAN 77 has matrices column by column (MLS 12.9.1.2).
std::size_t item_of(const Array& array, bool fortran, std::size_t j) {
  if (!fortran || array.sizes.size() != 2) return j;
  const auto rows = std::size_t(array.sizes[0]), columns = std::size_t(array.sizes[1]);
  return (j % rows) * columns + j / rows;
}

double& scalar_of(Machine& m, const External& external, const Operand& o, std::size_t j) {
  return o.array == none ? m.memory[o.slots[j]] : m.arrays[o.array].values[item_of(m.arrays[o.array], external.fortran, j)];
}

/// The number arrays of the operands follow each other in Call::numbers.
void make_call(const Machine& m, const External& external, Externals::Call& call) {
  std::size_t numbers = 0;
  for (const Operand& o : external.operands) numbers += o.kind == Operand::Kind::numbers ? size_of(m, o) : 0;
  call.numbers.resize(numbers);
  call.in.clear();
  call.out.clear();
  call.fortran.clear();
  call.views.resize(external.operands.size());
  call.texts.resize(external.operands.size());
  call.made.resize(external.operands.size());
  double* at = call.numbers.data();
  for (std::size_t k = 0; k < external.operands.size(); ++k) {
    const Operand& o = external.operands[k];
    native::In in;
    native::Out out;
    if (o.kind == Operand::Kind::numbers) {
      in.numbers = out.numbers = {at, size_of(m, o)};
      at += size_of(m, o);
    } else if (o.kind == Operand::Kind::texts) {
      call.texts[k].assign(size_of(m, o), {});
      call.views[k].resize(size_of(m, o));
      in.texts = call.views[k];
      out.texts = &call.texts[k];
    } else {
      out.object = &call.made[k];
    }
    if (external.fortran) call.fortran.push_back({out.numbers, {}, o.real, o.result});
    if (o.result) call.out.push_back(out);
    else call.in.push_back(in);
  }
  call.is_made = true;
}

void hand_over(Machine& m, const External& external, Externals::Call& call) {
  double* at = call.numbers.data();
  std::size_t in = 0;
  for (std::size_t k = 0; k < external.operands.size(); ++k) {
    const Operand& o = external.operands[k];
    if (o.kind == Operand::Kind::numbers) {
      for (std::size_t j = 0; j < size_of(m, o); ++j) {
        *at = scalar_of(m, external, o, j);
        if (external.fortran && o.result && std::isnan(*at)) *at = 0;   // work space: what has no value yet, and a routine need not write all of it
        ++at;
      }
    } else if (o.kind == Operand::Kind::texts) {
      for (std::size_t j = 0; j < size_of(m, o); ++j) {
        const double number = scalar_of(m, external, o, j);
        if (!o.result) call.views[k][j] = string_of(m, number);
        else if (external.fortran && number >= 0) call.views[k][j] = call.texts[k][j] = string_of(m, number);   // by reference, and not written
        else call.texts[k][j].clear();
        if (external.fortran) call.fortran[k].text = call.views[k][j];
      }
    } else if (!o.result) {
      const double number = m.memory[o.slots.front()];
      const auto& objects = m.externals->objects;
      call.in[in].object = number >= 1 && number <= double(objects.size()) ? objects[std::size_t(number) - 1].get() : nullptr;
    }
    in += !o.result;
  }
}

template <class Carry>
bool guarded(Externals& e, const External& external, Carry&& carry) {
  try {
    carry();
    return true;
  } catch (const std::bad_alloc&) {
    e.failure = fmt::format("{} has no memory left", external.function);
  } catch (const std::exception& error) {
    e.failure = error.what();
  }
  return false;
}

bool carry_out(Externals& e, const External& external, Externals::Call& call) {
  return guarded(e, external, [&] {
    if (external.foreign) return e.process->call(call.foreign, call.in, call.out, e.environment, call.destructor);
    if (external.fortran) native::call_fortran(external.function, call.fortran);
    else call.entry->function(call.in, call.out, e.environment);
  });
}

bool take_results(Machine& m, const External& external, Externals::Call& call) {
  const double* at = call.numbers.data();
  for (std::size_t k = 0; k < external.operands.size(); ++k) {
    const Operand& o = external.operands[k];
    if (o.kind == Operand::Kind::numbers) {
      for (std::size_t j = 0; j < size_of(m, o); ++j) {
        const double value = *at++;
        if (!o.result) continue;
        if (std::isnan(value)) {
          m.externals->failure = fmt::format("{} gives something that is no number", external.function);
          return false;
        }
        scalar_of(m, external, o, j) = value;
      }
    } else if (o.result && o.kind == Operand::Kind::texts) {
      for (std::size_t j = 0; j < size_of(m, o); ++j) {
        const auto number = number_of(m, std::move(call.texts[k][j]));
        if (!number) {
          m.externals->failure = fmt::format("the texts that this run has made take more than {} characters", most_text);
          return false;
        }
        scalar_of(m, external, o, j) = *number;
      }
    } else if (o.result) {
      if (!call.made[k]) {   // MLS 12.9.7: as a failed assertion
        m.externals->failure = fmt::format("{} has made no object", external.function);
        return false;
      }
      m.externals->objects.push_back(std::move(call.made[k]));
      m.memory[o.slots.front()] = double(m.externals->objects.size());
    }
  }
  return true;
}

/// Where the Reals that are handed over, and the numbers among the results, stand in Call::numbers and in memory.
struct Place {
  std::size_t number;
  const double* value;
  double* tangents;
  bool result;
};
void find_places(Machine& m, const External& external, unsigned width, double* tangent, std::vector<Place>& inputs, std::vector<Place>& results) {
  std::size_t at = 0;
  for (const Operand& o : external.operands) {
    if (o.kind != Operand::Kind::numbers) continue;
    for (std::size_t j = 0; j < size_of(m, o); ++j) {
      Array* const array = o.array != none ? &m.arrays[o.array] : nullptr;
      const Place place{at, &scalar_of(m, external, o, j), array ? tangents_of(*array, width) + item_of(*array, external.fortran, j) * width : tangent + std::size_t(o.slots[j]) * width, o.result};
      if (o.real) inputs.push_back(place);
      if (o.result) results.push_back(place);
      ++at;
    }
  }
}

/// Into `columns`, result by result for each direction. False: the function fails there.
bool differentiate(Machine& m, const External& external, Externals::Call& call, unsigned width, const std::vector<Place>& inputs,
                   const std::vector<Place>& results, std::vector<double>& columns) {
  columns.assign(results.size() * width, 0);
  if ((call.entry && call.entry->effect == native::Effect::acts) || (external.foreign && external.foreign->acts)) return true;
  const auto direction = [&](const Place& p, unsigned k) { return p.tangents[k]; };
  const native::Entry* const derivative = !call.entry || call.entry->derivative.empty() ? nullptr : native::find(call.entry->derivative);
  for (unsigned k = 0; k < width; ++k) {
    double reach = 0;   // of the direction, against the inputs
    for (const Place& p : inputs) if (!std::isnan(*p.value)) reach = std::max(reach, std::abs(direction(p, k)) / std::max(std::abs(*p.value), least_scale));
    if (reach == 0 || !std::isfinite(reach)) continue;
    if (derivative) {
      hand_over(m, external, call);
      std::vector<double> tangents;
      std::vector<native::In> in(call.in);
      tangents.reserve(inputs.size());
      for (const Place& p : inputs)
        if (!p.result) tangents.push_back(direction(p, k));
      for (const double& t : tangents) in.push_back({.numbers = {&t, 1}, .texts = {}, .object = nullptr});
      if (!guarded(*m.externals, external, [&] { derivative->function(in, call.out, m.externals->environment); })) return false;
      for (std::size_t r = 0; r < results.size(); ++r) columns[r * width + k] = call.numbers[results[r].number];
      continue;
    }
    const double step = relative_step / reach;
    for (const double side : {1.0, -1.0}) {
      hand_over(m, external, call);
      for (const Place& p : inputs) call.numbers[p.number] += side * step * direction(p, k);
      if (!carry_out(*m.externals, external, call)) return false;
      for (std::size_t r = 0; r < results.size(); ++r) columns[r * width + k] += side * call.numbers[results[r].number] / (2 * step);
    }
  }
  return true;
}

}  // namespace

Externals::~Externals() {
  while (!objects.empty()) objects.pop_back();
}

std::unique_ptr<Externals> make_externals(const Program& program) {
  if (program.externals.empty()) return nullptr;
  auto externals = std::make_unique<Externals>();
  externals->calls.resize(program.externals.size());
  for (std::size_t k = 0; k < program.externals.size(); ++k) externals->calls[k].entry = native::find(program.externals[k].function);
  for (std::size_t k = 0; k < program.externals.size(); ++k) {
    const External& external = program.externals[k];
    if (!external.foreign) continue;
    if (!externals->process) externals->process = std::make_shared<foreign::Process>();
    externals->calls[k].foreign = externals->process->add(*external.foreign);
    if (external.destructor) externals->calls[k].destructor = externals->process->add(*external.destructor);
  }
  externals->environment.folders = {program.folders.begin(), program.folders.end()};
  return externals;
}

std::string close_externals(Machine& m) {
  if (!m.externals) return "";
  auto& objects = m.externals->objects;
  while (!objects.empty()) objects.pop_back();
  return m.externals->process ? m.externals->process->failed_destructor() : "";
}

bool call_external(Machine& m, Index which, unsigned width, double* tangent, bool sizes) {
  const External& external = m.program->externals[which];
  Externals::Call& call = m.externals->calls[which];
  if (external.foreign) m.externals->process->stop_by(m.stop);
  if (!call.entry && !external.fortran && !external.foreign) {
    m.externals->failure = fmt::format("nobody knows the function {}", external.function);
    return false;
  }
  const bool sized_by_run = std::any_of(external.operands.begin(), external.operands.end(), [](const Operand& o) { return o.array != none; });
  if (!call.is_made || sized_by_run) make_call(m, external, call);
  std::vector<Place> inputs, results;
  std::vector<double> columns;
  if (width > 0) {
    find_places(m, external, width, tangent, inputs, results);
    if (!differentiate(m, external, call, width, inputs, results, columns)) return false;
  }
  hand_over(m, external, call);
  if (!carry_out(*m.externals, external, call) || !take_results(m, external, call)) return false;
  for (std::size_t r = 0; r < results.size(); ++r)
    for (unsigned k = 0; k < width; ++k) {
      const double d = columns[r * width + k];
      results[r].tangents[k] = sizes ? std::max(std::abs(d), m.operands_alone ? 0 : std::abs(*results[r].value)) : std::isfinite(d) ? d : 0;
    }
  if (call.numbers.size() > kept_numbers)
    call = {.entry = call.entry, .foreign = call.foreign, .destructor = call.destructor, .numbers = {}, .views = {}, .texts = {}, .made = {}, .in = {}, .out = {}, .fortran = {}};
  return true;
}

}  // namespace mosim::runtime
