#include "tests/program/support.hpp"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <span>
#include <stdexcept>

#include "compiler/compile.hpp"
#include "engine/render.hpp"
#include "program/version.hpp"
#include "report/event_log.hpp"
#include "report/event_text.hpp"
#include "report/report.hpp"

#include <nlohmann/json.hpp>

namespace mosim::tests {

runtime::Program compile(const std::string& text, bool native_code, std::size_t kernels_from) {
  compiler::Reading reading;
  const auto classes = reading.library.read_text("test.mo", text);
  if (classes.empty()) throw std::runtime_error(reading.said());
  compiler::Request request;
  request.model = std::string(reading.workspace.names.text(classes.back()->name));
  request.native_code = native_code;
  request.kernels_from = kernels_from;
  compiler::Compilation compilation(reading, std::move(request));
  if (!compilation.program()) throw std::runtime_error(reading.said());
  return *compilation.program();
}

const std::vector<Small>& small_models() {
  static const std::vector<Small> list{
      {"a ball",
       "model M parameter Real e = 0.7; Real h(start = 1, fixed = true); Real v(start = 0, fixed = true, unit = \"m/s\"); Boolean down; equation "
       "down = v < 0; der(h) = v; der(v) = -9.81; when h < 0 then reinit(v, -e*pre(v)); end when; assert(h > -1, \"low: \" + String(h)); "
       "annotation(experiment(StopTime = 1)); end M;"},
      {"relations in time, whole numbers, texts",
       "model M type C = enumeration(red, green); Integer n(start = 0, fixed = true); String s(start = \"\", fixed = true); C c; Real x; equation "
       "x = floor(3*time) + (if time > 0.5 then 1 else 0); c = if x > 1.5 then C.green else C.red; "
       "when sample(0.1, 0.3) then n = pre(n) + 1; s = pre(s) + String(n, minimumLength = 3) + (if pre(s) < \"b\" then \"a\" else \"c\"); end when; "
       "when time > 0.9 then terminate(\"enough \" + s + String(c)); end when; end M;"},
      {"past and passage",
       "model M Real u = sin(5*time); Real d = delay(u, 0.1); Real w = delay(u, 0.1 + 0.05*time, 0.3); Real x = 2*time; Real o; equation "
       "(, o) = spatialDistribution(u, 0, x, true, initialPoints = {0, 0.5, 0.5, 1}, initialValues = {1, 1, 0, 0}); end M;"},
      {"equations of all kinds",
       "model M parameter Real k = 2; Real a(start = 1), b(start = 1), c, d, q, z; Real s(start = 0.5, fixed = true); equation "
       "a^3 + b + exp(a) = 5 + s; a*b + b^3 = k; c + d = time; c - k*d = 1 + s; q + (if q > 0 then 2*q else q) = z; z = sin(4*time); "
       "der(s) = -s + noEvent(if s > 0.3 then c else d); end M;"},
      {"states that are chosen",
       "model M Real x(start = 1), y(start = 0), vx, vy, f; equation x^2 + y^2 = 1; der(x) = vx; der(y) = vy; der(vx) = f*x; "
       "der(vy) = f*y - 9.81; end M;"},
      {"functions, arrays of the run's sizes",
       "function g input Real x; input Integer n; output Real y; protected Real v[n]; Real u[:]; Real t[3] = {x, 2, 3}; algorithm for i in 1:n loop v[i] := i*x; t[mod(i, 3) + 1] := v[i]; end for; u := v; u := u[n:-1:1]; "
       "y := if n > 1 then sum(u) + g(x, n - 1) else t[1]; end g; "
       "model M Real x(start = 1, fixed = true); Integer n(start = 2, fixed = true); Real y; Real z(start = 1); equation der(x) = -g(x, n); y = g(x, n)*z; z + z^3 = g(z, 2) + x; "
       "when time > 0.5 then n = 3; end when; end M;"},
      {"functions that are not Modelica",
       "function solve input Integer n; input Real A[n, n]; input Real b[n]; output Real x[n] = b; protected Real LU[n, n] = A; Integer p[n]; Integer info; "
       "external \"FORTRAN 77\" dgesv(n, 1, LU, n, p, x, n, info); end solve; "
       "function length input String s; output Integer n; external \"C\" n = ModelicaStrings_length(s); end length; "
       "model M Real x[2]; Integer n; equation x = solve(2, [1 + time, 2; 3, 4], {1, time}); n = length(if time > 0.5 then \"abc\" else \"d\"); end M;"},
      {"clocks",
       "model M Real x(start = 1, fixed = true); Real y(start = 0), z(start = 0), w, h; equation der(x) = -x; y = sample(x, Clock(0.1)) + previous(z); z = y/2; w = subSample(y, 2); h = hold(w); end M;"},
      {"a state machine",
       "model M inner Integer i(start = 0); block A outer output Integer i; equation i = previous(i) + 2; end A; block B outer output Integer i; equation "
       "i = previous(i) - 1; end B; A a; B b; equation initialState(a); transition(a, b, i > 1, immediate = false); transition(b, a, i < 1, immediate = false); end M;"},
      {"homotopy, impure calls, late starts",
       "impure function roll input Integer id; output Real y; external \"C\" y = ModelicaRandom_impureRandom_xorshift1024star(id); end roll; "
       "model M parameter Real p(fixed = false, start = 1); Real x(start = 2); Real y(start = p, fixed = true, min = 0, max = 3); discrete Real r(start = 0, fixed = true); initial equation p^2 = 4; equation "
       "x = homotopy(x^3 - 6, 2*x - 2); der(y) = -p*y; when sample(0.3, 0.3) then r = pre(r) + 1; end when; end M;"},
      {"kernels",
       "model M Real y[64], z[64], s; equation s = if time > 0.05 then 1 else 0; for i in 1:64 loop y[i] = s - i*time*z[mod(7*i, 64) + 1]; z[65 - i] = s*i + 0.5; end for; annotation(experiment(StopTime = 0.1)); end M;", 0},
  };
  return list;
}

std::string bytes_of(const runtime::Program& program) { return program::write(program, {}); }

std::variant<program::Model, program::Problem> read(const std::string& bytes) { return program::read(std::as_bytes(std::span(bytes))); }

std::string cause(const std::string& bytes) {
  const auto found = read(bytes);
  const auto* problem = std::get_if<program::Problem>(&found);
  return problem ? problem->cause : "";
}

void renew_checksum(std::string& bytes) {
  const std::size_t head = 8 + 4 + 8 + std::string(version).size() + 3 * 8;
  if (bytes.size() < head) return;
  std::uint64_t sum = 14695981039346656037u;
  for (std::size_t k = head; k < bytes.size(); ++k) sum = (sum ^ static_cast<unsigned char>(bytes[k])) * 1099511628211u;
  for (std::size_t k = 0; k < 8; ++k) bytes[head - 8 + k] = static_cast<char>(sum >> 8 * k & 0xff);
}

std::string outcome(const runtime::Program& program, runtime::Options options) {
  options.record_events = true;
  const runtime::Result result = runtime::simulate(program, options);
  std::string text;
  for (const double x : result.trajectory.values) text.append(reinterpret_cast<const char*>(&x), sizeof x);
  for (const double x : result.parameters) text.append(reinterpret_cast<const char*>(&x), sizeof x);
  for (const runtime::Message& m : result.messages) text += engine::render(m, program);
  report::write_event_text(program, options, result, report::events_in(result), [&](std::string_view part) { text += part; });
  nlohmann::ordered_json counts;
  text += report::event_log(program, options, result, report::events_in(result), 100'000, counts).dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
  return text + report::report(program, options, result, {}, "", 80);
}

}  // namespace mosim::tests
