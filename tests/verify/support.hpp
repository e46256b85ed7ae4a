#pragma once
// Runs under --verify, of programs that may have been made wrong.

#include <boost/test/unit_test.hpp>
#include <functional>
#include <string>

#include "compiler/compile.hpp"
#include "verify/verify.hpp"

namespace mosim::tests {

/// Makes a program wrong.
using Tamper = std::function<void(runtime::Program&)>;

/// A model as a program, with kernels of pieces of code from that length on.
inline runtime::Program program_of(const std::string& text, std::size_t kernels_from) {
  compiler::Reading reading(compiler::Bundled::without);
  reading.library.read_text("test.mo", text);
  compiler::Compilation compilation(reading, {"M", {}, false, kernels_from});
  BOOST_REQUIRE_MESSAGE(compilation.program(), reading.said());
  return *compilation.program();
}

inline verify::Report run(const std::string& text, const Tamper& tamper = {}, double stop = 1, std::size_t kernels_from = compiler::usual_kernels_from) {
  compiler::Reading reading(compiler::Bundled::without);
  reading.library.read_text("test.mo", text);
  compiler::Compilation compilation(reading, {"M", {}, false, kernels_from});
  BOOST_REQUIRE_MESSAGE(compilation.program(), reading.said());
  runtime::Program program = *compilation.program();
  if (tamper) tamper(program);
  verify::Verifier verifier(*compilation.system(), compilation.layout(), reading.workspace.sources);
  runtime::Options options;
  options.stop = stop;
  options.intervals = 20;
  options.witness = [&](const runtime::Machine& m, runtime::Options::Moment moment) { verifier.look(m, moment); };
  const runtime::Result result = runtime::simulate(program, options);
  const std::string message = result.messages.empty() ? "" : result.messages.front().cause;
  BOOST_REQUIRE_MESSAGE(result.ending != runtime::Ending::failed, message);
  return verifier.report();
}

/// The equations that do not hold, a line each.
inline std::string texts(const verify::Report& r) {
  std::string all;
  for (const auto& f : r.violated) all += f.text + "\n";
  return all;
}

/// The first instruction of that kind after an entry becomes another.
inline void replace(runtime::Program& p, runtime::Entry from, runtime::Opcode old, runtime::Opcode other) {
  for (runtime::Entry k = from; k < p.code.size(); ++k)
    if (p.code[k].op == old) {
      p.code[k].op = other;
      return;
    }
  BOOST_FAIL("no such instruction");
}

}  // namespace mosim::tests
