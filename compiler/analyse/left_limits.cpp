// Where pre and change may stand (MLS 3.7.5, 3.8.5). What is discrete is known only once the clocks are.

#include <fmt/format.h>

#include "compiler/analyse/analysis.hpp"

namespace mosim::compiler::dae {

void check_left_limits(Analysis& a) {
  Place last;
  for (const flat::LeftLimit& limit : a.model().left_limits) {
    const flat::Variable& v = a.variable(limit.variable);
    if (v.variability != flat::Variability::continuous || a.fact(limit.variable).kind == VariableKind::clocked) continue;
    if (limit.place == last) continue;   // the elements of an array
    last = limit.place;
    const char* op = limit.of_change ? "change" : "pre";
    a.error(limit.place,
            fmt::format("{}({}) stands outside of the body of a when-clause, where {} is for discrete-time variables alone: {} is a Real that no when-clause sets",
                        op, v.name, op, v.name),
            limit.of_change ? fmt::format("say which event is meant, as in: when {} > ... then; or declare it Integer, if it counts", v.name)
                            : fmt::format("write {}, which between events is its own left limit, or move pre({}) into a when-clause", v.name, v.name),
            {{v.place, "declared here"}});
  }
}

}  // namespace mosim::compiler::dae
