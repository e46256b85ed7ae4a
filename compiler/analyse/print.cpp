// The dae system as text.

#include <fmt/format.h>

#include "compiler/expression/print.hpp"
#include "compiler/analyse/analyse.hpp"
#include "compiler/expression/walk.hpp"
#include "compiler/stack.hpp"

namespace mosim::compiler {

namespace {

using namespace dae;

const char* name_of(VariableKind kind) {
  switch (kind) {
    case VariableKind::constant: return "constant";
    case VariableKind::parameter: return "parameter";
    case VariableKind::free_parameter: return "parameter, fixed = false";
    case VariableKind::input: return "input";
    case VariableKind::state: return "state";
    case VariableKind::algebraic: return "algebraic";
    case VariableKind::discrete: return "discrete";
    case VariableKind::clocked: return "clocked";
    default: return "";
  }
}

class Printer {
public:
  Printer(const System& system, const parser::Sources& sources) : s_(system), sources_(sources) {}

  std::string run() {
    line("model {}", s_.model.name);
    variables();
    reduction();
    schedule("equations at events", s_.event);
    schedule("equations between events", s_.continuous(), &s_.for_derivatives);
    schedule("initial equations", s_.initial);
    if (s_.initial_goes_on && !s_.event.blocks.empty()) {
      if (s_.initial.blocks.empty()) line("\ninitial equations:");
      blocks(s_.event);
    }
    assumed();
    relations();
    samples();
    whens();
    clocks();
    return std::move(out_);
  }

private:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    if (out_.size() > longest_model) throw TextTooLong();
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  std::string text(Expr e) { return e == Expr::none ? "" : print_expression(s_.model, e, NameStyle::plain, false); }
  const std::string& name(VariableId v) { return s_.model.variable(v).name; }
  std::string name(Quantity q) {
    switch (part(q)) {
      case Part::value: return name(variable(q));
      case Part::derivative: return "der(" + name(variable(q)) + ")";
      case Part::pre: return "pre(" + name(variable(q)) + ")";
      case Part::previous: return "previous(" + name(variable(q)) + ")";
    }
    return {};
  }
  std::string at(Place place) {
    if (!place || !sources_.source(place)) return "";
    const parser::Location l = sources_.locate(place);
    return fmt::format("{}:{}", l.path, l.line);
  }

  void variables() {
    for (VariableKind kind : {VariableKind::constant, VariableKind::parameter, VariableKind::free_parameter, VariableKind::input, VariableKind::state, VariableKind::algebraic,
                      VariableKind::discrete, VariableKind::clocked}) {
      std::string list;
      for (std::uint32_t i = 0; i < (kind == VariableKind::state ? s_.facts.size() : s_.user_variables); ++i)
        if (s_.facts[i].kind == kind) list += (list.empty() ? "" : ", ") + s_.model.variables[i].name;
      if (!list.empty()) line("\n{}:\n  {}", name_of(kind), list);
    }
    bool first = true;
    for (std::uint32_t i = 0; i < s_.user_variables; ++i) {
      if (s_.facts[i].kind != VariableKind::alias) continue;
      if (first) line("\nalias:");
      first = false;
      const bool logical = s_.model.variables[i].type == BaseType::boolean;
      line("  {} = {}{}", s_.model.variables[i].name, s_.facts[i].negated ? (logical ? "not " : "-") : "", name(s_.facts[i].alias_of));
    }
  }

  /// What index reduction did.
  void reduction() {
    const Reduction& r = s_.reduction;
    if (!r.differentiated.empty()) line("\ndifferentiated equations:");
    for (const auto& d : r.differentiated) {
      const auto clock = d.clock == none ? "" : fmt::format("  [clock {}]", d.clock + 1);
      line("  {} = {}{}{}  // {}", text(d.left), text(d.right), d.order == 1 ? "" : d.order == 0 ? "  (hidden in a loop)" : fmt::format("  ({} times)", d.order), clock, at(d.place));
    }
    if (!r.demoted.empty() || !r.promoted.empty()) line("\nstate selection:");
    for (const auto& d : r.demoted) line("  {} is no state: {}", name(d.variable), d.why);
    for (VariableId v : r.promoted) line("  {} is a state, though its derivative is not in the model", name(v));
    for (const StateSet& set : s_.state_sets)
      for (const auto& level : set.levels) {
        std::string states, candidates;
        for (VariableId v : level.states) states += (states.empty() ? "" : ", ") + name(v);
        for (VariableId v : level.candidates) candidates += (candidates.empty() ? "" : ", ") + name(v);
        line("  {} := {} of {}, chosen during the run  // {}", states, level.states.size(), candidates, at(set.place));
      }
  }

  void block(const Schedule& schedule, const Block& b, const char* indent, std::string_view mark) {
    const auto when = b.clock == none ? "" : fmt::format("  [clock {}]", b.clock + 1);
    const auto place = [&](std::uint32_t equation) {
      const std::string where = at(schedule.equations[equation].place);
      return where.empty() ? where : "  // " + where;
    };
    if (b.unknowns().empty()) {
      for (const Solved& s : b.assignments())
        line("{}{} := {}{}{}{}", indent, name(s.unknown), text(s.value), mark, when, place(s.equation));
      return;
    }
    std::string unknowns;
    for (Quantity q : b.unknowns()) unknowns += (unknowns.empty() ? "" : ", ") + name(q);
    line("{}{} system in {}{}{}:", indent, b.linear() ? "linear" : "nonlinear", unknowns, mark, when);
    for (const Solved& s : b.guesses()) line("{}  {}(start = {})", indent, name(s.unknown), text(s.value));
    for (const Solved& s : b.assignments()) line("{}  {} := {}{}", indent, name(s.unknown), text(s.value), place(s.equation));
    for (const Residual& r : b.residuals()) line("{}  0 = {} - ({}){}", indent, text(r.left), text(r.right), place(r.equation));
  }

  void schedule(const char* title, const Schedule& schedule, const std::vector<bool>* derivatives = nullptr) {
    if (schedule.blocks.empty()) return;
    line("\n{}:", title);
    blocks(schedule, derivatives);
  }

  void blocks(const Schedule& schedule, const std::vector<bool>* derivatives = nullptr) {
    std::size_t next = 0, last = 0;
    for (std::size_t i = 0; i < schedule.blocks.size(); ++i) {
      if (next < schedule.iterations.size() && schedule.iterations[next].first == i) {
        std::string held;
        for (const auto& f : schedule.iterations[next].frozen) held += (held.empty() ? "" : ", ") + name(f.relation);
        line("  repeated until {} keep their values:", held);
        last = schedule.iterations[next++].last;
      }
      block(schedule, schedule.blocks[i], i < last ? "    " : "  ", derivatives && !(*derivatives)[i] ? "  (output)" : "");
    }
  }

  void assumed() {
    if (s_.assumed_starts.empty()) return;
    line("\nstart values taken as fixed:");
    for (const AssumedStart& a : s_.assumed_starts) {
      const Expr start = s_.model.variable(a.variable).start;
      line("  {} = {}", name(a.variable), start == Expr::none ? "default" : text(start));
    }
  }

  void relations() {
    if (!s_.relations.empty()) line("\ncrossing functions:");
    for (std::size_t i = 0; i < s_.relations.size(); ++i) {
      const Relation& r = s_.relations[i];
      const std::string kind = r.time_event ? fmt::format("time event at {}", text(r.instant)) : fmt::format("epsilon {}", text(r.epsilon));
      line("  {}: {}  {}  {}  // {}", i + 1, text(r.source), name(r.variable), kind, at(r.place));
    }
    if (!s_.event_functions.empty()) line("\nevent functions:");
    for (std::size_t i = 0; i < s_.event_functions.size(); ++i) {
      const EventFunction& f = s_.event_functions[i];
      line("  {}: {}  {}  epsilon {}  // {}", i + 1, text(f.source), name(f.variable), text(f.epsilon), at(f.place));
    }
  }

  void samples() {
    if (!s_.samples.empty()) line("\nsamples:");
    for (std::size_t i = 0; i < s_.samples.size(); ++i)
      line("  {}: start {}, interval {}  {}  // {}", i + 1, text(s_.samples[i].start), text(s_.samples[i].interval),
           name(s_.samples[i].variable), at(s_.samples[i].place));
    if (!s_.delays.empty()) line("\ndelays:");
    for (const Delay& d : s_.delays) line("  {}, at most {}  // {}", name(d.input), text(d.maximum), at(d.place));
  }

  void whens() {
    if (!s_.branches.empty()) line("\nwhen-clauses:");
    for (std::size_t i = 0; i < s_.branches.size(); ++i) {
      const Branch& b = s_.branches[i];
      std::string conditions;
      for (const Condition& c : b.conditions)
        conditions += (conditions.empty() ? "" : ", ") + (c.initial ? std::string("initial()") : text(c.source) + " " + name(c.variable));
      line("  {}: {} becomes true: {}{}  // {}", i + 1, name(b.active), conditions, b.active_initially ? "  (active initially)" : "",
           at(b.place));
      for (const WhenEffect& effect : s_.effects) {
        if (effect.branch != i) continue;
        const std::string guard = effect.guard == Expr::none ? "" : "if " + text(effect.guard) + " then ";
        if (const auto* r = std::get_if<flat::Reinit>(&effect.node)) line("    {}reinit({}, {})", guard, name(r->state), text(r->value));
        else if (const auto* c = std::get_if<flat::Assertion>(&effect.node)) line("    {}assert({})", guard, text(c->condition));
        else line("    {}terminate", guard);
      }
    }
  }

  void clocks() {
    if (s_.base_clocks.empty()) return;
    line("\nclocks:");
    for (std::size_t i = 0; i < s_.base_clocks.size(); ++i) {
      const BaseClock& c = s_.base_clocks[i];
      std::string what;
      if (c.kind == BaseClock::Kind::rational) what = fmt::format("interval {}/{}", text(c.counter), c.resolution);
      else if (c.kind == BaseClock::Kind::real) what = "interval " + text(c.interval);
      else what = "ticks when " + name(c.condition) + " becomes true";
      line("  base clock {}: {}, in {} parts{}  // {}", i + 1, what, c.subdivision, c.varying ? ", varying" : "", at(c.place));
      for (std::size_t k = 0; k < s_.sub_clocks.size(); ++k) {
        const SubClock& sub = s_.sub_clocks[k];
        if (sub.base != i) continue;
        std::string members;
        for (std::uint32_t v = 0; v < s_.user_variables; ++v)
          if (s_.facts[v].kind == VariableKind::clocked && s_.facts[v].clock == k) members += (members.empty() ? "" : ", ") + s_.model.variables[v].name;
        line("    clock {}: every {} from {}{}: {}", k + 1, sub.factor, sub.shift,
             sub.solver_method.empty() ? "" : ", " + sub.solver_method, members);
      }
    }
    for (const Sampled& sampled : s_.sampled) line("  {} := {} at ticks of clock {}", name(sampled.variable), text(sampled.value), sampled.clock + 1);
  }

  const System& s_;
  const parser::Sources& sources_;
  std::string out_;
};

}  // namespace

std::string print(const dae::System& system, const parser::Sources& sources) {
  std::string text;
  on_large_stack([&] { text = Printer(system, sources).run(); });
  return text;
}

}  // namespace mosim::compiler
