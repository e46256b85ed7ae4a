// Conditions over a run.

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "engine/account.hpp"
#include "mosim/lesson.hpp"
#include "study/expression.hpp"
#include "study/watch.hpp"

namespace mosim {

std::vector<Answer> check(const Result& result, const std::vector<Check>& checks) {
  std::vector<Answer> answers;
  for (const Check& c : checks) {
    Answer& answer = answers.emplace_back();
    answer.check = c;
    try {
      if (!result.account) throw std::invalid_argument("this result is of no run");
      const Measures measures(*result.account->model, c.condition);
      if (measures.names().size() != 1) throw std::invalid_argument(fmt::format("`{}` is a list; a condition is one expression", c.condition));
      const Watch watch = studies::watched(measures, result);
      const double value = watch.measures(result.statistics).front();
      answer.holds = value == 1;
      const std::vector<std::string> texts = measures.functions();
      const std::vector<double> values = watch.functions(result.statistics);
      for (std::size_t k = 0; k < texts.size(); ++k) {
        const std::string text = std::isnan(values[k]) ? fmt::format("{} has no value", texts[k]) : fmt::format("{} is {:.6g}", texts[k], values[k]);
        if (answer.found.find(text) == std::string::npos) answer.found += (answer.found.empty() ? "" : ", ") + text;
      }
    } catch (const std::invalid_argument& e) {
      answer.problem = e.what();
      answer.is_of_condition = result.account && dynamic_cast<const studies::Unfit*>(&e) == nullptr;
      if (const std::string again = "`" + c.condition + "`: "; answer.problem.starts_with(again)) answer.problem.erase(0, again.size());
    }
  }
  return answers;
}

}  // namespace mosim
