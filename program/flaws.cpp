#include "program/flaws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "runtime/kernel.hpp"
#include "runtime/opcode.hpp"

namespace mosim::program {

namespace {

using namespace runtime;

constexpr std::uint64_t most_work = 1'000'000'000;   // slots that are looked at in one pass through all code, blocks unfolded
constexpr int deepest_block = 100;                   // in blocks
constexpr std::int32_t longest_number = 1'000'000;   // characters that a number is filled up to
constexpr std::uint32_t beyond_line = 1000;          // what marks a place may go on behind its line

struct Flaw {
  std::string what;
};

class Examination {
 public:
  explicit Examination(const Program& program) : p_(program), size_(program.memory.size()) {}

  void all() {
    need(size_ >= first_free_slot, "it has no memory");
    need(p_.code_origins.size() <= p_.code.size(), "it has origins for more code than there is");
    need(p_.strings.empty() || p_.strings.front().empty(), "its first text is not the empty one");
    need(p_.arrays <= p_.code.size() + 1, "it has more arrays than code");
    for (const Index k : p_.code_origins) origin(k);
    origins();
    kernels();
    code();
    sections();
    variables();
    buffered();
    ticks();
    texts();
    functions();
    externals();
    systems();
    work();
  }

 private:
  static void need(bool holds, const char* what) {
    if (!holds) throw Flaw{what};
  }
  static void index(std::uint64_t k, std::size_t count, const char* what) {
    if (k >= count) throw Flaw{fmt::format("it refers to {} {}, and there are {}", what, k, count)};
  }
  void slot(Slot s) const { index(s, size_, "the number in memory"); }
  void slots(const std::vector<Slot>& list) const {
    for (const Slot s : list) slot(s);
  }
  void slot_if(Slot s) const {
    if (s != none) slot(s);
  }
  /// So many from one on.
  void row(std::uint64_t first, std::uint64_t count) const { need(count <= size_ && first <= size_ - count, "a row of numbers goes beyond memory"); }
  void origin(Index k) const {
    if (k != none) index(k, p_.origins.size(), "the origin");
  }
  template <class T>
  static void index_if(Index k, const std::vector<T>& list, const char* what) {
    if (k != none) index(k, list.size(), what);
  }

  void origins() const {
    for (const Spot& spot : p_.origins.spots)
      if (!spot.line_text.empty()) need(std::max(spot.column, spot.end_column) <= spot.line_text.text().size() + beyond_line, "a place in the source lies beyond its line");
    Origins::End last;
    for (const Origins::End& end : p_.origins.ends) {
      index(end.spot, p_.origins.spots.size(), "the place");
      need(last.text <= end.text && last.mention <= end.mention, "its origins are out of order");
      last = end;
    }
    need(last.text <= p_.origins.texts.size() && last.mention <= p_.origins.mentions.size(), "its origins go beyond their texts");
    for (const Mention& m : p_.origins.mentions) slot(m.slot), index(m.variable, p_.variables.size(), "the variable");
  }

  void kernels() const {
    std::uint64_t sum = 0;
    for (const Kernel& kernel : p_.kernels) {
      need(kernel.count > 0 && !kernel.rows.empty(), "a kernel is empty");
      need(kernel.count <= size_, "a kernel has more lanes than there are numbers in memory");
      sum += kernel.size();
      need(sum <= most_work, "its kernels are large beyond measure");
      for (const Kernel::Row& row : kernel.rows) {
        need(may_be_row(row.op), "a kernel has code that is no arithmetic");
        for (const Lanes* lanes : {&row.a, &row.b, &row.c, &row.d, &row.origin})
          need(lanes->how != Lanes::How::listed || (kernel.count <= p_.lanes.size() && lanes->first <= p_.lanes.size() - kernel.count), "a kernel's lanes go beyond their list");
        for (std::uint32_t lane = 0; lane < kernel.count; ++lane) {
          instruction(instruction_of(p_, row, lane));
          origin(number_of(p_, row.origin, lane));
        }
      }
    }
  }

  // Code: where each piece ends, and how far back its loops go.

  void code() {
    const std::size_t n = p_.code.size();
    end_.assign(n, 0);
    back_.assign(n, 0);
    body_.assign(n, false);
    plain_.assign(n, true);
    for (std::size_t at = n; at-- > 0;) {
      const Instruction& i = p_.code[at];
      const bool last = i.op == Opcode::end || i.op == Opcode::return_;
      need(last || at + 1 < n, "its code has no end");
      end_[at] = last ? at : end_[at + 1];
      back_[at] = last ? at : std::min<std::size_t>(back_[at + 1], at);
      body_[at] = !last && (i.op == Opcode::body || body_[at + 1]);
      plain_[at] = last || (plain_[at + 1] && i.op != Opcode::solve && i.op != Opcode::settle);
      if (i.op == Opcode::loop) {
        need(i.a <= at, "a loop in its code goes forward");
        back_[at] = std::min<std::size_t>(back_[at], i.a);
      } else if (facts(i.op).jumps) {
        need(i.a > at && i.a <= end_[at], "a jump in its code leaves its piece");
      }
      instruction(i);
    }
  }

  void instruction(const Instruction& i) const {
    const OpcodeFacts& f = facts(i.op);
    if (f.reads > 0) slot(i.b);
    if (f.reads > 1) slot(i.c);
    if (f.writes) slot(i.a);
    const auto array = [&](Index k) { index(k, p_.arrays, "the array"); };
    const auto subscripts = [&] {
      need(i.c > 0, "an array in it has no dimensions");
      row(i.b, i.c);
    };
    switch (i.op) {
      case Opcode::text: index(i.d, p_.texts.size(), "the text"); break;
      case Opcode::load: row(i.d, i.c); break;
      case Opcode::store: row(i.a, i.d); break;
      case Opcode::create: subscripts(), array(i.d); break;
      case Opcode::extent: array(i.d); break;
      case Opcode::item: subscripts(), array(i.d); break;
      case Opcode::put: slot(i.a), subscripts(), array(i.d); break;
      case Opcode::assign_array: array(i.a), array(i.d); break;
      case Opcode::call:
        index(i.d, p_.functions.size(), "the function");
        need(p_.functions[i.d].entry != none, "it calls a function that has no code");
        break;
      case Opcode::external: index(i.d, p_.externals.size(), "the external function"); break;
      case Opcode::relation:
      case Opcode::time_relation:
      case Opcode::quiet_relation:
      case Opcode::quiet_sign: index(i.d, p_.relations.size(), "the relation"); break;
      case Opcode::event_function: index(i.d, p_.event_functions.size(), "the event function"); break;
      case Opcode::delay: index(i.d, p_.delays.size(), "the delay"); break;
      case Opcode::spatial_distribution:
        index(i.d, p_.spatial_distributions.size(), "the spatialDistribution");
        index(i.c, 2, "the output");
        break;
      case Opcode::solve: index(i.d, p_.blocks.size(), "the block"); break;
      case Opcode::settle: index(i.d, p_.mixed.size(), "the mixed system"); break;
      case Opcode::reinit: index(i.d, p_.reinits.size(), "the reinit"); break;
      case Opcode::check: index(i.d, p_.assertions_table.size(), "the assertion"); break;
      case Opcode::terminate: index(i.d, p_.terminations.size(), "the termination"); break;
      case Opcode::kernel: index(i.d, p_.kernels.size(), "the kernel"); break;
      default: break;   // slots alone
    }
  }

  enum class Piece { section, block, function };
  void piece(Entry entry, Piece kind) const {
    index(entry, p_.code.size(), "the instruction");
    need(p_.code[end_[entry]].op == (kind == Piece::function ? Opcode::return_ : Opcode::end), "a piece of its code ends in another one");
    need(back_[entry] >= entry, "a loop in its code leaves its piece");
    need(kind == Piece::block || !body_[entry], "a body begins in code that is no block's");
    need(kind != Piece::function || plain_[entry], "a function in it solves equations");
  }
  void piece_if(Entry entry) const {
    if (entry != none) piece(entry, Piece::section);
  }

  void sections() const {
    for (const Entry e : {p_.derivatives, p_.outputs}) piece(e, Piece::section);
    for (const Entry e : {p_.parameters, p_.initial, p_.event, p_.instants, p_.crossings, p_.crossings_alone, p_.state_sets_alone, p_.quiet, p_.assertions, p_.assertions_alone, p_.initially}) piece_if(e);
  }

  void variables() const {
    row(p_.first_state, p_.states.size());
    row(p_.first_derivative, p_.states.size());
    for (const State& s : p_.states) {
      index(s.variable, p_.variables.size(), "the variable");
      need(s.nominal > 0 && std::isfinite(s.nominal), "the nominal value of a state is not positive");
    }
    for (const Dependence& d : p_.jacobian) index(d.derivative, p_.states.size(), "the state"), index(d.state, p_.states.size(), "the state");
    for (const Variable& v : p_.variables) slot(v.slot), origin(v.origin);
    for (const Pre& pre : p_.pre) slot(pre.value), slot(pre.pre), index_if(pre.variable, p_.variables, "the variable");
    for (const LateStart& s : p_.starts) slot(s.variable), slot(s.value);
    for (const auto* list : {&p_.bounds, &p_.parameter_bounds})
      for (const Bound& b : *list) index(b.variable, p_.variables.size(), "the variable"), slot_if(b.minimum), slot_if(b.maximum);
    for (const Changeable& c : p_.changeable) {
      index(c.variable, p_.variables.size(), "the variable");
      if (c.given != none) row(c.given, 2);
      slot_if(c.start);
    }
    for (const Index k : p_.assumed_starts) index(k, p_.variables.size(), "the variable");
  }

  void buffered() const {
    for (const Relation& r : p_.relations) {
      if (r.time_event) slot(r.instant);
      slot_if(r.instant), slot_if(r.epsilon), origin(r.origin);
    }
    for (const EventFunction& f : p_.event_functions) slot_if(f.epsilon), origin(f.origin);
    for (const Reinit& r : p_.reinits) {
      index(r.state, p_.states.size(), "the state");
      origin(r.origin), index_if(r.when, p_.whens, "the when-clause");
      for (const Index k : r.turns) index(k, p_.relations.size(), "the relation");
    }
    for (const Delay& d : p_.delays) slot(d.value), slot(d.maximum), slot_if(d.lag), slot_if(d.varying), origin(d.origin);
    for (const SpatialDistribution& t : p_.spatial_distributions) {
      slot(t.in0), slot(t.in1), slot(t.x), slot(t.positive), slots(t.values), origin(t.origin);
      need(t.points.size() >= 2 && t.points.size() == t.values.size() && t.points.front() == 0 && t.points.back() == 1 &&
               std::is_sorted(t.points.begin(), t.points.end()) && std::none_of(t.points.begin(), t.points.end(), [](double x) { return std::isnan(x); }),
           "the points of a spatialDistribution do not rise from 0 to 1");
    }
    for (const When& w : p_.whens) {
      slot(w.fired), origin(w.origin);
      for (const WhenCondition& c : w.conditions) slot(c.value), slot(c.pre), origin(c.origin);
    }
    for (const Transition& t : p_.transitions) slot(t.tick), slot(t.fired), origin(t.origin);
    for (const CallOnce& c : p_.calls_once) need(c.done < c.end && c.end <= size_, "what is kept of a call goes beyond memory");
  }

  void ticks() const {
    for (const Sample& s : p_.samples) slot(s.start), slot(s.interval), slot(s.flag), origin(s.origin);
    for (const BaseClock& clock : p_.clocks) {
      if (clock.kind == ClockKind::rational) slot(clock.counter);
      if (clock.kind == ClockKind::real) slot(clock.interval);
      if (clock.kind == ClockKind::event) slot(clock.condition);
      slot_if(clock.counter), slot_if(clock.interval), slot_if(clock.condition), slot_if(clock.start_interval), origin(clock.origin);
      need(clock.subdivision > 0 && clock.resolution > 0 && std::isfinite(clock.resolution), "a clock in it has no interval");
      for (const SubClock& sub : clock.clocks) {
        slot(sub.tick), slot_if(sub.interval), slot_if(sub.first), origin(sub.origin);
        need(sub.factor > 0, "a clock in it never ticks");
      }
    }
  }

  void text(const Text& t) const {
    piece_if(t.code);
    for (const Text::Piece& one : t.pieces) {
      slot_if(one.value);
      need(one.format.minimum_length <= longest_number, "a text in it is filled up too far");
    }
  }
  void texts() const {
    for (const Text& t : p_.texts) text(t);
    for (const Assertion& a : p_.assertions_table) text(a.message), origin(a.origin);
    for (const Termination& t : p_.terminations) text(t.message), origin(t.origin);
  }

  void functions() const {
    for (const Function& f : p_.functions) {
      if (f.entry == none) continue;   // nobody calls it
      piece(f.entry, Piece::function);
      slots(f.inputs), slots(f.results), origin(f.origin);
      need(f.first <= f.last && f.last <= size_, "the frame of a function goes beyond memory");
      need(f.first_array <= f.last_array && f.last_array <= p_.arrays, "a function has arrays that there are not");
      need(f.result_names.size() >= f.results.size(), "a result of a function has no name");
      for (const Index k : f.result_arrays)
        if (k != none) index(k, p_.arrays, "the array");
    }
  }

  // What C is handed has the operands of the call one by one.
  void leaves(const foreign::Type& type, const foreign::Parameter& parameter, const std::vector<External::Operand>& operands, std::size_t& at) const {
    using Kind = External::Operand::Kind;
    if (type.kind == foreign::Type::Kind::record) {
      for (const foreign::Type& field : type.fields) leaves(field, parameter, operands, at);
      return;
    }
    index(at, operands.size(), "the operand");
    const External::Operand& o = operands[at++];
    const Kind kind = type.kind == foreign::Type::Kind::string ? Kind::texts : type.kind == foreign::Type::Kind::object ? Kind::object : Kind::numbers;
    need(o.kind == kind && o.result == parameter.result, "an operand of a C function is of another kind than its parameter");
    need(parameter.array || (o.array == none && o.slots.size() == 1), "an array is handed to a C function that takes one number");
  }
  void externals() const {
    using Kind = External::Operand::Kind;
    for (const External& e : p_.externals) {
      for (const External::Operand& o : e.operands) {
        slots(o.slots);
        if (o.array != none) index(o.array, p_.arrays, "the array");
        need(o.array == none || o.slots.empty(), "an operand of an external function stands in two places");
        need(o.kind != Kind::object || o.slots.size() == 1, "an external object has no place");
      }
      if (!e.foreign) continue;
      std::size_t at = 0;
      for (const foreign::Parameter& parameter : e.foreign->parameters) leaves(parameter.type, parameter, e.operands, at);
      need(at == e.operands.size(), "a C function has other parameters than it is called with");
      need(!e.foreign->returns || !e.foreign->parameters.empty(), "a C function returns nothing");
    }
  }

  void systems() const {
    std::vector<bool> taken(p_.code.size());
    const auto own = [&](Entry entry, Piece kind) {
      piece(entry, kind);
      need(!taken[end_[entry]], "two systems of equations share code");
      taken[end_[entry]] = true;
    };
    for (const Block& b : p_.blocks) {
      own(b.code, Piece::block);
      index(b.body, p_.code.size(), "the instruction");
      need(b.body >= b.code && end_[b.body] == end_[b.code] && back_[b.body] >= b.body && !body_[b.body], "a block's body lies outside of it");
      slots(b.unknowns), slots(b.residuals), origin(b.origin);
      const std::size_t n = b.unknowns.size();
      need(n > 0, "a block has no unknowns");
      need(b.residuals.size() == n, "a block has not as many equations as unknowns");
      need(b.names.size() == n && b.nominal.size() == n, "an unknown of a block has no name or no nominal value");
      need(std::all_of(b.nominal.begin(), b.nominal.end(), [](double x) { return x > 0 && std::isfinite(x); }), "the nominal value of an unknown is not positive");
      need(b.residual_origins.empty() || b.residual_origins.size() == n, "a block has not as many origins as equations");
      for (const Index k : b.residual_origins) origin(k);
      index_if(b.untorn, p_.blocks, "the block");
      need(b.untorn == none || p_.blocks[b.untorn].untorn == none, "a block that is not torn is torn");
    }
    for (const Mixed& m : p_.mixed) {
      own(m.code, Piece::section);
      origin(m.origin);
      for (const Mixed::Held& h : m.held) {
        if (h.is_relation) index(h.number, p_.relations.size(), "the relation");
        else index(h.number, p_.event_functions.size(), "the event function");
        slot(h.value), slot(h.held);
      }
    }
    for (const StateSet& s : p_.state_sets) {
      origin(s.origin), slots(s.coefficients), slots(s.select);
      const std::size_t columns = s.nominal.size();
      need(columns > 0 && s.coefficients.size() / columns == s.constraints && s.coefficients.size() % columns == 0, "a choice of states has not as many coefficients as it needs");
      need(s.constraints <= columns && s.never <= s.constraints, "a choice of states has more constraints than variables");
      for (const std::uint32_t k : s.states) index(k, columns, "the column");
      if (s.levels.empty()) continue;
      const std::size_t candidates = columns - s.never, states = columns - s.constraints;
      need(s.select.size() == states * candidates, "a choice of states has not a place for each");
      for (const StateSet::Level& l : s.levels) {
        need(l.states.size() == states && l.candidates.size() == candidates, "a choice of states has not a variable for each place");
        slots(l.states), slots(l.candidates);
      }
    }
  }

  // What looks at code looks into its blocks, twice each: the way through all of them has an end, and that is near.

  /// In the code of [from, end of the piece): slots that are looked at, and the systems that are solved.
  std::uint64_t work_of(std::size_t from) {
    std::uint64_t sum = 0;
    for (std::size_t at = from; at <= end_[from]; ++at) {
      const Instruction& i = p_.code[at];
      sum += 1;
      if (i.op == Opcode::load || i.op == Opcode::create || i.op == Opcode::item || i.op == Opcode::put) sum += i.c;
      if (i.op == Opcode::store) sum += i.d;
      if (i.op == Opcode::kernel) sum += p_.kernels[i.d].size();
      if (i.op == Opcode::call) sum += p_.functions[i.d].inputs.size() + p_.functions[i.d].results.size();
      if (i.op == Opcode::external)
        for (const External::Operand& o : p_.externals[i.d].operands) sum += 1 + o.slots.size();
      if (i.op == Opcode::solve) sum += 2 * work_of_system(i.d);
      if (i.op == Opcode::settle) sum += 2 * work_of_system(p_.blocks.size() + i.d);
      need(sum <= most_work, "its systems of equations nest beyond measure");
    }
    return sum;
  }
  /// Blocks first, then mixed systems.
  std::uint64_t work_of_system(std::size_t k) {
    constexpr std::uint64_t open = std::numeric_limits<std::uint64_t>::max();
    if (systems_[k] == open) throw Flaw{"a system of equations contains itself"};
    if (systems_[k] != 0) return systems_[k];
    need(++depth_ <= deepest_block, "its systems of equations nest too deeply");
    systems_[k] = open;
    const std::size_t blocks = p_.blocks.size();
    std::uint64_t sum = work_of(k < blocks ? p_.blocks[k].code : p_.mixed[k - blocks].code);
    if (k < blocks) {
      sum += p_.blocks[k].unknowns.size() + p_.blocks[k].residuals.size();
      // It may be solved in place of the other.
      if (p_.blocks[k].untorn != none) sum += work_of_system(p_.blocks[k].untorn);
    }
    --depth_;
    need(sum <= most_work, "its systems of equations nest beyond measure");
    return systems_[k] = sum;
  }
  void work() {
    systems_.assign(p_.blocks.size() + p_.mixed.size(), 0);
    for (std::size_t k = 0; k < systems_.size(); ++k) (void)work_of_system(k);
    std::uint64_t sum = 0;
    for (std::size_t at = 0; at < p_.code.size(); at = end_[at] + 1) {
      sum += work_of(at);
      need(sum <= most_work, "its systems of equations nest beyond measure");
    }
  }

  const Program& p_;
  std::size_t size_;                     // of memory
  std::vector<std::size_t> end_, back_;  // by instruction: where what begins there ends, and the first instruction that its loops lead to
  std::vector<bool> body_, plain_;       // opcode body comes there; no equations are solved there
  std::vector<std::uint64_t> systems_;
  int depth_ = 0;
};

}  // namespace

std::optional<std::string> find_flaw(const Program& program) {
  try {
    Examination(program).all();
  } catch (const Flaw& flaw) {
    return flaw.what;
  }
  return {};
}

}  // namespace mosim::program
