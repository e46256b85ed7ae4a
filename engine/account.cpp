#include "engine/account.hpp"

#include <algorithm>
#include <stdexcept>

#include "engine/convert.hpp"
#include "engine/model.hpp"
#include "report/event_text.hpp"
#include "report/page.hpp"
#include "report/report.hpp"

namespace mosim {

namespace {

const Account& of_a_run(const std::shared_ptr<const Account>& account) {
  if (!account) throw std::invalid_argument("this result is of no run");
  return *account;
}

}  // namespace

const runtime::Program& Account::program_of(const Model& model) { return model.impl_->program; }

runtime::Options Account::options_of(const Model& model, const Options& options) { return engine::options_of(options, model.impl_->program); }

std::vector<report::SourceText> Account::sources_of(const Model& model) {
  std::vector<report::SourceText> sources;
  for (const parser::Source* source : model.impl_->referred()) sources.push_back({source->path, source->text});
  return sources;
}

std::string Result::report() const {
  const Account& a = of_a_run(account);
  return report::report(a.program, a.options, a.result, {}, "", 0);
}

std::string Result::event_log() const {
  const Account& a = of_a_run(account);
  std::string text;
  report::write_event_text(a.program, a.options, a.result, report::events_in(a.result), [&](std::string_view piece) { text += piece; });
  return text;
}

std::string Result::page(const std::vector<std::string>& variables, std::size_t most_numbers) const {
  PageContent content = page_content(variables, most_numbers);
  return report::page(of_a_run(account).program.model, {std::move(content.run), std::move(content.columns)});
}

PageContent Result::page_content(const std::vector<std::string>& variables, std::size_t most_numbers) const {
  constexpr std::size_t most_curves = 8;
  const Account& a = of_a_run(account);
  report::Choice shown;
  for (const std::string& name : variables) {
    auto chosen = report::choose(a.program, name);
    if (const auto* problem = std::get_if<std::string>(&chosen)) throw std::invalid_argument(*problem);
    const auto& more = std::get<report::Choice>(chosen);
    shown.insert(shown.end(), more.begin(), more.end());
  }
  const std::vector<runtime::Index>& recorded = *a.options.recorded;
  report::PageLimits limits;
  limits.numbers = most_numbers;
  report::Wanted wanted{shown, 0};
  wanted.variables.insert(wanted.variables.end(), recorded.begin(), recorded.begin() + std::ptrdiff_t(std::min(recorded.size(), limits.variables)));
  report::Keeper keeper(a.program, recorded, wanted);
  for (std::size_t at = 0; at < rows.size(); at += names.size()) keeper.take({rows.data() + at, names.size()}, 0);
  if (variables.empty()) shown = report::default_choice(a.program, keeper.kept(), most_curves);
  const report::Events events = report::events_in(a.result);
  report::PageContent content = report::page_content({a.program, a.options, a.result, keeper.kept(), events}, Account::sources_of(*a.model), shown, limits);
  return {std::move(content.run), std::move(content.columns)};
}

}  // namespace mosim
