#pragma once
// What a result of the library keeps of its run, for the report, the event log and the page.

#include <memory>

#include "mosim/session.hpp"
#include "runtime/simulate.hpp"

namespace mosim {

struct Account {
  std::shared_ptr<const Model> model;
  const runtime::Program& program;   // the model's
  runtime::Options options;          // without what it pointed to
  runtime::Result result;            // without rows; with the events, unless they went to Options::on_event
};

}  // namespace mosim
