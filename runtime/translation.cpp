#ifdef MOSIM_MACHINE_CODE

#include "runtime/translation.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include <asmjit/x86.h>

#include "runtime/opcode.hpp"

namespace mosim::runtime::translated {

namespace {

using namespace asmjit;

/// The last instruction of a section or of a function.
Entry last_of(const Program& program, Entry entry) {
  Entry farthest = entry;
  for (Entry at = entry;; ++at) {
    const Instruction& i = program.code[at];
    if (facts(i.op).jumps) farthest = std::max(farthest, i.a);
    if ((i.op == Opcode::end || i.op == Opcode::return_) && at >= farthest) return at;
  }
}

// Values stay in memory, where everybody finds them, and those met last in registers too.
class Translator {
public:
  Translator(const Program& program, Entry entry, Beside beside, CodeHolder& code)
      : program_(program), entry_(entry), end_(last_of(program, entry)), beside_(beside), width_(width_of(beside)), a_(&code) {
    code.setErrorHandler(&errors_);
  }

  /// False if the section is none that can be translated.
  bool run(std::vector<Stretch>& stretches) {
    if (!find_leaders()) return false;
    begin();
    for (Entry at = entry_; at <= end_; ++at) {
      if (leads_[at - entry_]) {
        forget_all();
        a_.bind(labels_[at - entry_]);
      }
      const bool is_body = program_.code[at].op == Opcode::body;   // it may be the end: then it does not count
      if (is_body) translate(at);
      if (starts_stretch(at)) {
        const std::uint32_t n = size_of_stretch(at);
        stretches.push_back({at, n});
        if (n > 0) a_.add(frame(offsetof(Frame, steps) + offsetof(Steps, executed)), n);
      }
      if (!is_body) translate(at);
    }
    leave();
    return errors_.first == kErrorOk;
  }

private:
  using Gp = x86::Gp;
  using Xmm = x86::Xmm;
  using Label = asmjit::Label;
  static constexpr unsigned cached = 10;   // registers that hold values: xmm0 ... xmm9; the next four are for what is at hand

  // ---- the shape of the code ----------------------------------------------------------------------------------------
  bool find_leaders() {
    leads_.assign(end_ - entry_ + 1, false);
    for (Entry at = entry_; at <= end_; ++at) {
      const Instruction& i = program_.code[at];
      if (!facts(i.op).jumps) continue;
      if (i.a < entry_ || i.a > end_ || (i.a <= at && i.op != Opcode::loop)) return false;
      leads_[i.a - entry_] = true;
    }
    labels_.resize(leads_.size());
    for (std::size_t k = 0; k < leads_.size(); ++k)
      if (leads_[k]) labels_[k] = a_.newLabel();
    for (Label* label : {&exit_, &fail_, &slow_}) *label = a_.newLabel();
    return true;
  }
  bool ends_stretch(Entry at) const {
    const Opcode op = program_.code[at].op;
    return facts(op).jumps || op == Opcode::end || op == Opcode::return_;
  }
  static bool is_exit(Opcode op) { return op == Opcode::end || op == Opcode::return_; }   // counted by who called
  bool starts_stretch(Entry at) const { return at == entry_ || leads_[at - entry_] || ends_stretch(at - 1) || program_.code[at].op == Opcode::body; }
  std::uint32_t size_of_stretch(Entry at) const {
    Entry last = at;
    if (is_exit(program_.code[last].op)) return 0;
    while (!ends_stretch(last) && !leads_[last + 1 - entry_] && program_.code[last + 1].op != Opcode::body && !is_exit(program_.code[last + 1].op)) ++last;
    return last - at + 1;
  }

  // ---- operands -----------------------------------------------------------------------------------------------------
  static Gp memory_register() { return x86::rbx; }
  static Gp tangent_register() { return x86::r12; }
  static Gp frame_register() { return x86::r13; }
  static x86::Mem frame(std::size_t offset) { return x86::qword_ptr(frame_register(), std::int32_t(offset)); }
  static x86::Mem wide(std::size_t offset) { return x86::xmmword_ptr(frame_register(), std::int32_t(offset)); }
  static x86::Mem at(Slot slot) { return x86::qword_ptr(memory_register(), std::int32_t(slot * 8)); }
  /// Tangents of a slot from number `from` on.
  x86::Mem tangent(Slot slot, unsigned from = 0) const { return x86::ptr(tangent_register(), std::int32_t((std::size_t(slot) * width_ + from) * 8)); }
  static Xmm scratch(unsigned k) { return x86::xmm(cached + k); }
  static Xmm magnitude() { return x86::xmm14; }
  static Xmm largest() { return x86::xmm15; }

  void forget_all() { held_.fill(none); }
  void forget(Slot slot) {
    for (Slot& h : held_)
      if (h == slot) h = none;
  }
  /// The register that a slot will be in; its code overwrites those of other slots.
  Xmm take(Slot slot, const Xmm* keep1 = nullptr, const Xmm* keep2 = nullptr) {
    do next_ = (next_ + 1) % cached;
    while ((keep1 && keep1->id() == next_) || (keep2 && keep2->id() == next_));
    forget(slot);
    held_[next_] = slot;
    return x86::xmm(next_);
  }
  Xmm load(Slot slot, const Xmm* keep = nullptr) {
    for (unsigned k = 0; k < cached; ++k)
      if (held_[k] == slot) return x86::xmm(k);
    const Xmm r = take(slot, keep);
    a_.vmovsd(r, at(slot));
    return r;
  }
  /// What an instruction reads, and where its result will be.
  struct One {
    Xmm x, r;
  };
  One operand(const Instruction& i) {
    const Xmm x = load(i.b);
    return {x, take(i.a, &x)};
  }
  struct Two {
    Xmm x, y, r;
  };
  Two operands(const Instruction& i) {
    const Xmm x = load(i.b), y = load(i.c, &x);
    return {x, y, take(i.a, &x, &y)};
  }
  void store(Slot slot, const Xmm& r) { a_.vmovsd(at(slot), r); }

  // ---- what is rare -------------------------------------------------------------------------------------------------
  struct Aside {
    Label from, back;
    Entry at;
    bool has_result;
    Xmm result;
    Slot slot;
    Helper helper = step;
  };
  /// Where the interpreter takes over for one instruction, whose result is expected in a register.
  Label aside(Entry at, Helper helper = step) { return add_aside({a_.newLabel(), a_.newLabel(), at, false, {}, 0, helper}); }
  Label aside(Entry at, const Xmm& result, Slot slot) { return add_aside({a_.newLabel(), a_.newLabel(), at, true, result, slot, step}); }
  Label add_aside(Aside aside) {
    asides_.push_back(aside);
    return aside.from;
  }
  void back() { a_.bind(asides_.back().back); }
  void call_helper(Entry at, Helper helper) {
    a_.mov(x86::esi, at);
    a_.mov(x86::rax, reinterpret_cast<std::uint64_t>(helper));
    a_.call(slow_);
  }
  void by_helper(Entry at) {
    const Instruction& i = program_.code[at];
    call_helper(at, i.op == Opcode::call ? call : step);
    const bool writes_more = i.op == Opcode::solve || i.op == Opcode::settle || i.op == Opcode::call || i.op == Opcode::external || i.op == Opcode::store || i.op == Opcode::kernel;
    if (writes_more) forget_all();
    else if (writes(i.op)) forget(i.a);
  }
  /// To `elsewhere` unless the value is finite.
  void jump_unless_finite(const Xmm& r, const Label& elsewhere) {
    a_.vandpd(scratch(3), r, magnitude());
    a_.vucomisd(largest(), scratch(3));
    a_.jb(elsewhere);
  }

  // ---- tangents -----------------------------------------------------------------------------------------------------
  void no_tangent(const Instruction& i, const Xmm& r) {
    if (width_ == 0) return;
    if (width_ == 1) {
      a_.vxorpd(scratch(0), scratch(0), scratch(0));
      finish_single(i, scratch(0), r);
      return;
    }
    a_.vxorpd(x86::ymm10, x86::ymm10, x86::ymm10);
    for (unsigned k = 0; k < width_; k += 4) a_.vmovupd(tangent(i.a, k), x86::ymm10);
  }
  /// The only tangent, or a size.
  void finish_single(const Instruction& i, const Xmm& t, const Xmm& r) {
    if (beside_ == Beside::sizes) {
      a_.vandpd(scratch(3), r, magnitude());
      a_.vmaxsd(t, scratch(3), t);
    }
    a_.vmovsd(tangent(i.a), t);
  }
  enum class Factor { one, minus_one };
  void tangent_of_one(const Instruction& i, Factor factor, const Xmm& r) {
    if (width_ == 0) return;
    const bool turn = factor == Factor::minus_one && !has_sizes(beside_);
    if (width_ == 1) {
      a_.vmovsd(scratch(0), tangent(i.b));
      if (turn) a_.vxorpd(scratch(0), scratch(0), wide(offsetof(Frame, sign)));
      finish_single(i, scratch(0), r);
      return;
    }
    if (turn) a_.vbroadcastsd(x86::ymm11, frame(offsetof(Frame, sign)));
    for (unsigned k = 0; k < width_; k += 4) {
      a_.vmovupd(x86::ymm10, tangent(i.b, k));
      if (turn) a_.vxorpd(x86::ymm10, x86::ymm10, x86::ymm11);
      a_.vmovupd(tangent(i.a, k), x86::ymm10);
    }
  }
  void tangent_of_sum(const Instruction& i, const Xmm& r) {
    if (width_ == 0) return;
    const bool subtract = i.op == Opcode::subtract && !has_sizes(beside_);
    if (width_ == 1) {
      a_.vmovsd(scratch(0), tangent(i.b));
      if (subtract) a_.vsubsd(scratch(0), scratch(0), tangent(i.c));
      else a_.vaddsd(scratch(0), scratch(0), tangent(i.c));
      finish_single(i, scratch(0), r);
      return;
    }
    for (unsigned k = 0; k < width_; k += 4) {
      a_.vmovupd(x86::ymm10, tangent(i.b, k));
      if (subtract) a_.vsubpd(x86::ymm10, x86::ymm10, tangent(i.c, k));
      else a_.vaddpd(x86::ymm10, x86::ymm10, tangent(i.c, k));
      a_.vmovupd(tangent(i.a, k), x86::ymm10);
    }
  }
  /// f * that of b + g * that of c. Of sizes f and g count without their signs.
  void tangent_by_factors(const Instruction& i, const Xmm& f, const Xmm& g, const Xmm& r) {
    if (width_ == 1) {
      Xmm first = f, second = g;
      if (has_sizes(beside_)) {
        a_.vandpd(scratch(0), f, magnitude());
        a_.vandpd(scratch(1), g, magnitude());
        first = scratch(0), second = scratch(1);
      }
      a_.vmulsd(scratch(0), first, tangent(i.b));
      a_.vmulsd(scratch(1), second, tangent(i.c));
      a_.vaddsd(scratch(0), scratch(0), scratch(1));
      finish_single(i, scratch(0), r);
      return;
    }
    for (const auto& [all, one] : {std::pair(x86::ymm10, f), std::pair(x86::ymm11, g)}) {
      a_.vmovddup(all.xmm(), one);
      a_.vinsertf128(all, all, all.xmm(), 1);
    }
    for (unsigned k = 0; k < width_; k += 4) {
      a_.vmulpd(x86::ymm12, x86::ymm10, tangent(i.b, k));
      a_.vmulpd(x86::ymm13, x86::ymm11, tangent(i.c, k));
      a_.vaddpd(x86::ymm12, x86::ymm12, x86::ymm13);
      a_.vmovupd(tangent(i.a, k), x86::ymm12);
    }
  }

  // ---- instructions -------------------------------------------------------------------------------------------------
  void translate(Entry at) {
    const Instruction& i = program_.code[at];
    switch (i.op) {
      case Opcode::end: case Opcode::return_:
        a_.jmp(exit_);
        return;
      case Opcode::body:
        a_.mov(x86::rax, frame(offsetof(Frame, invariants_alone)));
        a_.cmp(x86::byte_ptr(x86::rax), 0);
        a_.jne(exit_);
        return;
      case Opcode::move: {
        const auto [x, r] = operand(i);
        a_.vmovapd(r, x);
        tangent_of_one(i, Factor::one, r);
        return store(i.a, r);
      }
      case Opcode::negate: {
        const auto [x, r] = operand(i);
        a_.vxorpd(r, x, wide(offsetof(Frame, sign)));
        tangent_of_one(i, Factor::minus_one, r);
        return store(i.a, r);
      }
      case Opcode::add: case Opcode::subtract: case Opcode::multiply: return arithmetic(at);
      case Opcode::divide: return divide(at);
      case Opcode::power:
        if (width_ > 0) break;
        return square(at);
      case Opcode::sqrt:
        if (width_ > 0) break;
        return root(at);
      case Opcode::abs:
        if (width_ > 0) break;
        {
          const auto [x, r] = operand(i);
          a_.vandpd(r, x, magnitude());
          return store(i.a, r);
        }
      case Opcode::min: case Opcode::max:
        if (width_ > 0) break;
        return choose(i, i.op == Opcode::min ? x86::VCmpImm::kLE_OQ : x86::VCmpImm::kGE_OQ);
      case Opcode::less: return compare(i, x86::VCmpImm::kLT_OQ);
      case Opcode::less_equal: return compare(i, x86::VCmpImm::kLE_OQ);
      case Opcode::equal: return compare(i, x86::VCmpImm::kEQ_OQ);
      case Opcode::not_equal: return compare(i, x86::VCmpImm::kNEQ_UQ);
      case Opcode::not_: case Opcode::and_: case Opcode::or_: return logic(i);
      case Opcode::jump:
        a_.jmp(labels_[i.a - entry_]);
        return;
      case Opcode::jump_if_zero: case Opcode::jump_if_nonzero: return branch(i);
      case Opcode::loop:
        a_.mov(x86::rax, frame(offsetof(Frame, steps) + offsetof(Steps, rounds)));
        a_.inc(x86::rax);
        a_.mov(frame(offsetof(Frame, steps) + offsetof(Steps, rounds)), x86::rax);
        a_.test(x86::eax, std::uint32_t(between_looks - 1));
        a_.jz(aside(at, look));
        back();
        a_.jmp(labels_[i.a - entry_]);
        return;
      case Opcode::whole: return whole(at);
      case Opcode::load: return load_element(at);
      case Opcode::store: return store_element(at);
      case Opcode::check: {
        const Xmm x = load(i.b);
        const Label fails = aside(at);
        a_.vxorpd(scratch(0), scratch(0), scratch(0));
        a_.vucomisd(x, scratch(0));
        const Label holds = asides_.back().back;
        a_.jp(holds);
        a_.je(fails);
        return back();
      }
      case Opcode::relation: case Opcode::time_relation: return relation(i);
      default: break;
    }
    by_helper(at);
  }

  void arithmetic(Entry at) {
    const Instruction& i = program_.code[at];
    const auto [x, y, r] = operands(i);
    switch (i.op) {
      case Opcode::add: a_.vaddsd(r, x, y); break;
      case Opcode::subtract: a_.vsubsd(r, x, y); break;
      default: a_.vmulsd(r, x, y); break;
    }
    jump_unless_finite(r, aside(at, r, i.a));
    if (i.op != Opcode::multiply) tangent_of_sum(i, r);
    else if (width_ > 0) tangent_by_factors(i, y, x, r);
    store(i.a, r);
    back();
  }

  void divide(Entry at) {
    const Instruction& i = program_.code[at];
    const auto [x, y, r] = operands(i);
    const Label slow = aside(at, r, i.a);
    const Label is_done = a_.newLabel();
    a_.vdivsd(r, x, y);
    // By 0 it is not finite, or 0/0.
    jump_unless_finite(r, slow);
    // 0 of an infinite divisor is for the interpreter.
    a_.vxorpd(scratch(0), scratch(0), scratch(0));
    a_.vucomisd(r, scratch(0));
    a_.jne(is_done);
    jump_unless_finite(y, slow);
    a_.bind(is_done);
    if (width_ > 0) {
      if (has_sizes(beside_)) {   // a denominator within its own rounding of 0
        a_.vmovsd(scratch(0), frame(offsetof(Frame, rounding)));
        a_.vmulsd(scratch(0), scratch(0), tangent(i.c));
        a_.vandpd(scratch(1), y, magnitude());
        a_.vucomisd(scratch(0), scratch(1));
        a_.jae(slow);
      }
      a_.vmovsd(scratch(0), frame(offsetof(Frame, one)));
      a_.vdivsd(scratch(0), scratch(0), y);
      jump_unless_finite(scratch(0), slow);
      a_.vxorpd(scratch(1), r, wide(offsetof(Frame, sign)));
      a_.vdivsd(scratch(1), scratch(1), y);
      jump_unless_finite(scratch(1), slow);
      tangent_by_factors(i, scratch(0), scratch(1), r);
    }
    store(i.a, r);
    back();
  }

  void square(Entry at) {
    const Instruction& i = program_.code[at];
    const auto [x, y, r] = operands(i);
    const Label slow = aside(at, r, i.a);
    a_.vucomisd(y, frame(offsetof(Frame, two)));
    a_.jp(slow);
    a_.jne(slow);
    a_.vmulsd(r, x, x);
    jump_unless_finite(r, slow);
    store(i.a, r);
    back();
  }

  void root(Entry at) {
    const Instruction& i = program_.code[at];
    const auto [x, r] = operand(i);
    const Label slow = aside(at, r, i.a);
    a_.vxorpd(scratch(0), scratch(0), scratch(0));
    a_.vucomisd(x, scratch(0));
    a_.jb(slow);
    a_.vsqrtsd(r, x, x);
    store(i.a, r);
    back();
  }

  void whole(Entry at) {
    const Instruction& i = program_.code[at];
    const auto [x, r] = operand(i);
    const Label slow = aside(at, r, i.a);
    a_.vandpd(scratch(0), x, magnitude());
    a_.vmovsd(scratch(1), frame(offsetof(Frame, largest_integer)));
    a_.vucomisd(scratch(1), scratch(0));
    a_.jb(slow);
    a_.vxorpd(scratch(0), scratch(0), scratch(0));
    a_.vaddsd(r, x, scratch(0));
    tangent_of_one(i, Factor::one, r);
    store(i.a, r);
    back();
  }

  /// rax: a whole number from 1 to `count`, else it is `slow`.
  void subscript(const Xmm& at, std::uint32_t count, const Label& slow) {
    a_.vucomisd(at, frame(offsetof(Frame, one)));
    a_.jb(slow);
    a_.vcvttsd2si(x86::rax, at);
    a_.cmp(x86::rax, count);
    a_.jg(slow);   // 9.5 of 9, too
    a_.vcvtsi2sd(scratch(0), scratch(0), x86::rax);
    a_.vucomisd(scratch(0), at);
    a_.jne(slow);
  }
  void load_element(Entry at) {
    const Instruction& i = program_.code[at];
    const Xmm subscripts = load(i.b);
    const Xmm r = take(i.a, &subscripts);
    const Label slow = aside(at, r, i.a);
    subscript(subscripts, i.c, slow);
    a_.vmovsd(r, x86::qword_ptr(memory_register(), x86::rax, 3, (std::int32_t(i.d) - 1) * 8));
    if (width_ > 0) {
      a_.imul(x86::rax, x86::rax, width_ * 8);
      copy_tangent([&](unsigned k) { return x86::ptr(tangent_register(), x86::rax, 0, std::int32_t(((std::int64_t(i.d) - 1) * width_ + k) * 8)); },
                   [&](unsigned k) { return tangent(i.a, k); }, beside_ == Beside::sizes ? &r : nullptr);
    }
    store(i.a, r);
    back();
  }
  void store_element(Entry at) {
    const Instruction& i = program_.code[at];
    const Xmm subscripts = load(i.b), x = load(i.c, &subscripts);
    const Label slow = aside(at);
    subscript(subscripts, i.d, slow);
    a_.vmovsd(x86::qword_ptr(memory_register(), x86::rax, 3, (std::int32_t(i.a) - 1) * 8), x);
    if (width_ > 0) {
      a_.imul(x86::rax, x86::rax, width_ * 8);
      copy_tangent([&](unsigned k) { return tangent(i.c, k); },
                   [&](unsigned k) { return x86::ptr(tangent_register(), x86::rax, 0, std::int32_t(((std::int64_t(i.a) - 1) * width_ + k) * 8)); }, nullptr);
    }
    back();
    for (Slot& h : held_)
      if (h != none && h >= i.a && h - i.a < i.d) h = none;
  }
  template <class From, class To>
  void copy_tangent(const From& from, const To& to, const Xmm* size) {
    if (width_ == 1) {
      a_.vmovsd(scratch(1), from(0));
      if (size) {
        a_.vandpd(scratch(3), *size, magnitude());
        a_.vmaxsd(scratch(1), scratch(3), scratch(1));
      }
      a_.vmovsd(to(0), scratch(1));
      return;
    }
    for (unsigned k = 0; k < width_; k += 4) {
      a_.vmovupd(x86::ymm10, from(k));
      a_.vmovupd(to(k), x86::ymm10);
    }
  }

  /// b if it compares so with c, else c.
  void choose(const Instruction& i, x86::VCmpImm how) {
    const auto [x, y, r] = operands(i);
    a_.vcmpsd(scratch(0), x, y, Imm(std::uint32_t(how)));
    a_.vblendvpd(r, y, x, scratch(0));
    store(i.a, r);
  }

  void truth(const Instruction& i, const Xmm& r, const Xmm& mask) {
    a_.vandpd(r, mask, wide_one());
    no_tangent(i, r);
    store(i.a, r);
  }
  x86::Mem wide_one() {   // 16 bytes, of which the upper half does not matter
    return wide(offsetof(Frame, one));
  }
  void compare(const Instruction& i, x86::VCmpImm how) {
    const auto [x, y, r] = operands(i);
    a_.vcmpsd(scratch(0), x, y, Imm(std::uint32_t(how)));
    truth(i, r, scratch(0));
  }
  void logic(const Instruction& i) {
    const Xmm x = load(i.b);
    a_.vxorpd(scratch(1), scratch(1), scratch(1));
    if (i.op == Opcode::not_) {
      const Xmm r = take(i.a, &x);
      a_.vcmpsd(scratch(0), x, scratch(1), Imm(std::uint32_t(x86::VCmpImm::kEQ_OQ)));
      return truth(i, r, scratch(0));
    }
    const Xmm y = load(i.c, &x);
    const Xmm r = take(i.a, &x, &y);
    a_.vcmpsd(scratch(0), x, scratch(1), Imm(std::uint32_t(x86::VCmpImm::kNEQ_UQ)));
    a_.vcmpsd(scratch(2), y, scratch(1), Imm(std::uint32_t(x86::VCmpImm::kNEQ_UQ)));
    if (i.op == Opcode::and_) a_.vandpd(scratch(0), scratch(0), scratch(2));
    else a_.vorpd(scratch(0), scratch(0), scratch(2));
    truth(i, r, scratch(0));
  }

  void branch(const Instruction& i) {
    const Xmm x = load(i.b);
    const Label& target = labels_[i.a - entry_];
    a_.vxorpd(scratch(0), scratch(0), scratch(0));
    a_.vucomisd(x, scratch(0));
    if (i.op == Opcode::jump_if_nonzero) {
      a_.jp(target);
      a_.jne(target);
    } else {
      const Label goes_on = a_.newLabel();
      a_.jp(goes_on);
      a_.je(target);
      a_.bind(goes_on);
    }
  }

  /// Relations are frozen, or their sides are measured.
  void relation(const Instruction& i) {
    const bool has_sides = width_ == 0 && i.op == Opcode::relation;
    const std::int32_t state = std::int32_t(i.d * sizeof(RelationState));
    a_.mov(x86::rax, frame(offsetof(Frame, relations)));
    if (has_sides) {
      const Xmm left = load(i.b), right = load(i.c, &left);
      const Label is_frozen = a_.newLabel();
      a_.cmp(x86::byte_ptr(frame_register(), offsetof(Frame, mode)), std::uint32_t(Mode::frozen));
      a_.je(is_frozen);
      a_.vmovsd(x86::qword_ptr(x86::rax, state + std::int32_t(offsetof(RelationState, left))), left);
      a_.vmovsd(x86::qword_ptr(x86::rax, state + std::int32_t(offsetof(RelationState, right))), right);
      a_.vsubsd(scratch(0), left, right);
      a_.mov(x86::rcx, frame(offsetof(Frame, differences)));
      a_.vmovsd(x86::qword_ptr(x86::rcx, std::int32_t(i.d * 8)), scratch(0));
      a_.bind(is_frozen);
    }
    const Xmm r = take(i.a);
    a_.movzx(x86::eax, x86::byte_ptr(x86::rax, state + std::int32_t(offsetof(RelationState, value))));
    a_.vxorpd(r, r, r);
    a_.vcvtsi2sd(r, r, x86::eax);
    no_tangent(i, r);
    store(i.a, r);
  }

  // ---- beginning and end --------------------------------------------------------------------------------------------
  void load_constants() {
    a_.vmovapd(magnitude(), wide(offsetof(Frame, magnitude)));
    a_.vmovsd(largest(), frame(offsetof(Frame, largest)));
  }
  void begin() {
    a_.push(memory_register());
    a_.push(tangent_register());
    a_.push(frame_register());
    a_.mov(frame_register(), x86::rdi);
    a_.mov(memory_register(), frame(offsetof(Frame, memory)));
    if (width_ > 0) a_.mov(tangent_register(), frame(offsetof(Frame, tangent)));
    load_constants();
    forget_all();
  }
  void leave() {
    a_.bind(exit_);
    a_.mov(x86::eax, 1);
    const Label out = a_.newLabel();
    a_.bind(out);
    if (width_ > 1) a_.vzeroupper();
    a_.pop(frame_register());
    a_.pop(tangent_register());
    a_.pop(memory_register());
    a_.ret();
    a_.bind(fail_);
    a_.add(x86::rsp, 8);   // where the interpreter was called for
    a_.xor_(x86::eax, x86::eax);
    a_.jmp(out);
    for (const Aside& aside : asides_) {
      a_.bind(aside.from);
      call_helper(aside.at, aside.helper);
      if (aside.has_result) a_.vmovsd(aside.result, at(aside.slot));
      a_.jmp(aside.back);
    }
    // Three registers and two places to return to are on the stack.
    constexpr int room = cached * 8 + 8;
    static_assert((room + 5 * 8) % 16 == 0);
    a_.bind(slow_);
    a_.sub(x86::rsp, room);
    for (unsigned k = 0; k < cached; ++k) a_.vmovsd(x86::qword_ptr(x86::rsp, int(k * 8)), x86::xmm(k));
    if (width_ > 1) a_.vzeroupper();
    a_.mov(x86::rdi, frame_register());
    a_.call(x86::rax);
    for (unsigned k = 0; k < cached; ++k) a_.vmovsd(x86::xmm(k), x86::qword_ptr(x86::rsp, int(k * 8)));
    load_constants();
    a_.add(x86::rsp, room);
    a_.test(x86::al, x86::al);
    a_.jz(fail_);
    a_.ret();
  }

  struct Errors final : ErrorHandler {
    Error first = kErrorOk;
    void handleError(Error error, const char*, BaseEmitter*) override { first = first == kErrorOk ? error : first; }
  };

  const Program& program_;
  const Entry entry_, end_;
  const Beside beside_;
  const unsigned width_;
  Errors errors_;
  x86::Assembler a_;
  std::vector<bool> leads_;
  std::vector<Label> labels_;
  Label exit_, fail_, slow_;
  std::vector<Aside> asides_;
  std::array<Slot, cached> held_;
  unsigned next_ = 0;
};

}  // namespace

std::size_t length(const Program& program, Entry entry) { return last_of(program, entry) - entry + 1; }

bool translate(const Program& program, Entry entry, Beside beside, CodeHolder& code, std::vector<Stretch>& stretches) {
  return Translator(program, entry, beside, code).run(stretches);
}

}  // namespace mosim::runtime::translated

#endif
