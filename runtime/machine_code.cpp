#include "runtime/machine_code.hpp"

#ifdef MOSIM_MACHINE_CODE

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <utility>

#include "runtime/calls.hpp"
#include "runtime/translation.hpp"
#include "runtime/wide.hpp"

#ifdef MOSIM_ASMJIT_COPY
extern "C" {
// What the copy of its archive takes for the C library's own: see CMakeLists.txt.
__attribute__((visibility("hidden"))) FILE* asmjit_own_stderr = stderr;
}
#endif

namespace mosim::runtime {

namespace translated {

constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();   // it becomes machine code

struct Section {
  Code code = nullptr;
  std::vector<Stretch> stretches;
};

/// Those that there are.
class Sections {
public:
  Sections(const Program& program, std::uint64_t runs) : program_(program), runs_(runs), numbers_(program.code.size(), none) {}
  /// Null: it is to be interpreted.
  const Section* find(Entry entry, Beside beside);

  std::size_t count = 0, bytes = 0;

private:
  static constexpr std::size_t most_bytes = std::size_t(256) << 20;   // altogether
  struct Use {
    std::uint64_t count = 0;
    std::unique_ptr<Section> section;
  };
  void translate(Entry entry, Beside beside, Use& use);

  const Program& program_;
  const std::uint64_t runs_;
  std::optional<asmjit::JitRuntime> runtime_;    // made when it is needed: most runs are over before
  std::vector<std::uint32_t> numbers_;   // by entry, in uses_
  std::vector<std::array<Use, kinds_beside>> uses_;
};

const Section* Sections::find(Entry entry, Beside beside) {
  if (numbers_[entry] == none) {
    uses_.emplace_back();
    numbers_[entry] = std::uint32_t(uses_.size() - 1);
  }
  Use& use = uses_[numbers_[entry]][std::size_t(beside)];
  if (use.section) return use.section.get();
  if (use.count == never) return nullptr;
  if (use.count < runs_) {
    ++use.count;
    return nullptr;
  }
  use.count = never;
  translate(entry, beside, use);
  return use.section.get();
}

void Sections::translate(Entry entry, Beside beside, Use& use) {
  const std::size_t width = std::max(width_of(beside), 1u);
  constexpr std::size_t farthest = std::numeric_limits<std::int32_t>::max();   // that an address reaches
  if (bytes > most_bytes || program_.memory.size() * width * 8 > farthest || program_.relations.size() * sizeof(RelationState) > farthest) return;
  if (length(program_, entry) > longest_machine_code / (width == 8 ? 2 : 1)) return;
  if (!runtime_) runtime_.emplace();
  asmjit::CodeHolder code;
  if (code.init(runtime_->environment()) != asmjit::kErrorOk) return;
  auto section = std::make_unique<Section>();
  if (!translated::translate(program_, entry, beside, code, section->stretches)) return;
  if (runtime_->add(&section->code, &code) != asmjit::kErrorOk) return;   // no memory for it, or the system does not allow it
  ++count;
  bytes += code.codeSize();
  use.section = std::move(section);
}

namespace {

// ---- what machine code calls ----------------------------------------------------------------------------------------

constexpr std::size_t deepest_on_stack = 200;   // calls

bool fail(Frame* f, Fault fault, Entry at, bool counts = false) {
  f->outcome = {fault, at};
  f->at = at;
  f->counts = counts;
  return false;
}

/// What stands behind the instruction that failed was counted, but not carried out.
void correct_count(Frame* f, const Section& section) {
  const auto& all = section.stretches;
  const Stretch& stretch = *(std::upper_bound(all.begin(), all.end(), f->at, [](Entry at, const Stretch& s) { return at < s.first; }) - 1);
  f->steps.executed -= stretch.first + stretch.size - f->at - f->counts;
}

/// Nothing may be thrown through machine code.
template <class Body>
bool guarded(Frame* f, Entry at, Body&& body) {
  try {
    return body();
  } catch (...) {
    f->thrown = std::current_exception();
    return fail(f, Fault::stopped, at);
  }
}

}  // namespace

bool step(Frame* f, Entry at) {
  return guarded(f, at, [&] {
    f->outcome = run_step(*f->machine, at, f->mode, width_of(f->beside), has_sizes(f->beside), f->tangent, f->steps);
    f->at = at;
    f->counts = false;
    return f->outcome.ok();
  });
}

bool call(Frame* f, Entry at) {
  return guarded(f, at, [&] {
    Machine& m = *f->machine;
    const Function& function = m.program->functions[m.program->code[at].d];
    // A frame for each call on the processor's own stack, which is not as deep as the interpreter's.
    if (function.recursive || m.calls.size() > deepest_on_stack) return step(f, at);
    const Section* const section = f->sections->find(function.entry, f->beside);
    if (!section) return step(f, at);
    if (++f->called % between_looks == 0 && is_stopped(m)) return fail(f, Fault::stopped, at);
    if (const Fault fault = begin_call(m, at); fault != Fault::none) return fail(f, fault, at);
    if (!section->code(f)) {
      correct_count(f, *section);
      f->at = at;
      f->counts = true;
      return false;
    }
    if (const Fault fault = end_call(m, f->mode == Mode::measure); fault != Fault::none) return fail(f, fault, at, true);
    ++f->steps.executed;   // the return
    return true;
  });
}

bool look(Frame* f, Entry at) {
  if (is_stopped(*f->machine)) return fail(f, Fault::stopped, at);
  if (f->steps.rounds > f->machine->maximum_rounds) return fail(f, Fault::endless, at);
  return true;
}

}  // namespace translated

// ---- what there is --------------------------------------------------------------------------------------------------

class MachineCode::Parts {
public:
  translated::Sections sections;
};

MachineCode::MachineCode(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
MachineCode::~MachineCode() = default;
std::size_t MachineCode::sections() const { return parts_->sections.count; }
std::size_t MachineCode::bytes() const { return parts_->sections.bytes; }

std::unique_ptr<MachineCode> MachineCode::make(const Program& program, std::uint64_t runs) {
  if (runs == translated::never || registers == Registers::usual) return nullptr;
  return std::unique_ptr<MachineCode>(new MachineCode(std::unique_ptr<Parts>(new Parts{.sections = {program, runs}})));
}

std::optional<Outcome> MachineCode::run(Machine& m, Entry entry, Beside beside, Mode mode, double* tangent) {
  if (mode == Mode::live || mode == Mode::literal) return {};   // what counts there are relations, and these are not arithmetic
  using namespace translated;
  const Section* const section = parts_->sections.find(entry, beside);
  if (!section) return {};
  constexpr std::uint64_t sign = std::uint64_t(1) << 63;
  Frame f{.magnitude = {~sign, ~sign}, .sign = {sign, sign}, .largest = std::numeric_limits<double>::max(), .one = 1, .two = 2,
          .rounding = 16 * std::numeric_limits<double>::epsilon(), .largest_integer = 9007199254740992.0, .memory = m.memory.data(), .tangent = tangent,
          .relations = m.relations.data(), .differences = m.relation_differences.data(), .invariants_alone = &m.invariants_alone, .steps = {}, .called = 0, .machine = &m,
          .sections = &parts_->sections, .outcome = {}, .at = entry, .counts = false, .mode = mode, .beside = beside, .thrown = nullptr};
  const std::size_t calls = m.calls.size();
  if (!section->code(&f)) {
    correct_count(&f, *section);
    m.calls.resize(calls);
    if (f.thrown) std::rethrow_exception(f.thrown);
  }
  m.work += (width_of(beside) == 0 ? 1 : tangent_work) * double(f.steps.executed);
  return f.outcome;
}

}  // namespace mosim::runtime

#else

namespace mosim::runtime {

class MachineCode::Parts {};
MachineCode::MachineCode(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
MachineCode::~MachineCode() = default;
std::size_t MachineCode::sections() const { return 0; }
std::size_t MachineCode::bytes() const { return 0; }
std::unique_ptr<MachineCode> MachineCode::make(const Program&, std::uint64_t) { return nullptr; }
std::optional<Outcome> MachineCode::run(Machine&, Entry, Beside, Mode, double*) { return {}; }

}  // namespace mosim::runtime

#endif
