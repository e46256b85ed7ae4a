#pragma once
// What a result of the library keeps of its run, for the report, the event log and the page; and the door to them for the command.

#include <memory>

#include "mosim/session.hpp"
#include "report/page.hpp"
#include "runtime/simulate.hpp"

namespace mosim {

/// What an observer in this house has of a run beside what Options give: the command draws, and keeps events as they are.
struct Observer {
  std::vector<runtime::Index> recorded{};   // variables in its rows, at least
  /// Is told which variables its rows have, before the first; null: it wants no rows.
  std::function<runtime::Sink*(const std::vector<runtime::Index>& recorded)> sink{};
  std::function<void(runtime::EventRecord&&)> keep_event{};   // in place of Options::on_event
};

struct Account {
  static const runtime::Program& program_of(const Model& model);
  /// The texts that the program refers to.
  static std::vector<report::SourceText> sources_of(const Model& model);
  /// Throws as Model::start() does.
  static runtime::Options options_of(const Model& model, const Options& options);
  static Run start(const Model& model, Options options, Observer observer);

  std::shared_ptr<const Model> model;
  const runtime::Program& program;   // the model's
  runtime::Options options;          // without what it pointed to
  runtime::Result result;            // without rows; with the events, unless they went to Options::on_event
};

}  // namespace mosim
