// Sessions and models through the C interface: what is read, compiled and said.

#include <algorithm>
#include <cmath>

#include "tests/c_interface/c99.h"
#include "tests/c_interface/handles.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(models)

BOOST_AUTO_TEST_CASE(a_file_a_model_a_run) {
  const Session s = new_session();
  BOOST_TEST(mosim_session_error(s.get()) == std::string());
  BOOST_TEST(mosim_session_read(s.get(), MODELS "/DiscreteBehavior/BouncingBall/BouncingBall.mo") == MOSIM_OK);
  BOOST_REQUIRE(mosim_session_class_count(s.get()) == 1u);
  const std::string name = mosim_session_class(s.get(), 0);
  BOOST_TEST(name == "DiscreteBehavior.BouncingBall.BouncingBall");
  BOOST_TEST(!mosim_session_class(s.get(), 1));
  mosim_model* m = nullptr;
  BOOST_REQUIRE(mosim_session_compile(s.get(), name.c_str(), nullptr, 0, &m) == MOSIM_OK);
  const Model model(m);
  BOOST_TEST(mosim_model_name(m) == name);
  BOOST_TEST(std::strlen(mosim_model_description(m)) > 0u);
  // To the first impact, h falls freely from 1 m.
  BOOST_TEST(std::abs(c99_last_value(m, "h", 0.4) - (1 - 0.5*9.81*0.16)) < 1e-5);
}

BOOST_AUTO_TEST_CASE(classes_and_resources_that_are_asked_for) {
  struct Host {
    std::string text, path = MODELS "/DiscreteBehavior/BouncingBall/BouncingBall.mo";
    std::vector<std::string> asked;
  } host;
  mosim_session_options o{};
  o.size = sizeof o;
  o.context = &host;
  o.source = [](void* context, const char* name, mosim_source_text* found) {
    Host& h = *static_cast<Host*>(context);
    h.asked.emplace_back(name);
    if (std::string(name) != "P" && std::string(name) != "P.M") return;
    h.text = std::string(name) == "P" ? "package P end P;" : R"(within P; model M
  function path input String uri; output String file; external "C" file = ModelicaInternal_fullPathName(uri); end path;
  function lines input String file; output Integer n; external "C" n = ModelicaInternal_countLines(file); end lines;
  Real n; algorithm when initial() then n := lines(path("modelica://P/a.txt")); end when; end M;)";
    *found = {nullptr, h.text.data(), h.text.size()};
  };
  o.resource = [](void* context, const char* uri) -> const char* {
    return std::string(uri) == "modelica://P/a.txt" ? static_cast<Host*>(context)->path.c_str() : nullptr;
  };
  mosim_session* made = nullptr;
  BOOST_REQUIRE(mosim_session_new(&o, &made) == MOSIM_OK);
  const Session s(made);
  mosim_model* m = nullptr;
  BOOST_REQUIRE_MESSAGE(mosim_session_compile(made, "P.M", nullptr, 0, &m) == MOSIM_OK, mosim_session_error(made));
  const Model model(m);
  for (const char* name : {"P", "P.M"}) BOOST_TEST(std::count(host.asked.begin(), host.asked.end(), name) == 1, name);
  BOOST_TEST(c99_last_value(m, "n", 0.1) > 5);
}

BOOST_AUTO_TEST_CASE(variables_with_all_that_is_known_of_them) {
  const Model m = compiled(R"(model M
  type Light = enumeration(red, green);
  input Real u(start = 1);
  output Real y(unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature") "what comes out";
  Real x(start = 0, fixed = true) annotation(HideResult = true);
  discrete Light light(start = Light.red, fixed = true);
  parameter Integer n = 3;
  constant Boolean b = true;
  String s = "a";
protected
  Real z = 2*x;
equation
  der(x) = u - x;
  y = n*x + z;
  when x > 0.5 then
    light = Light.green;
  end when;
end M;)");
  const auto of = [&](const char* name) {
    size_t k = 0;
    BOOST_REQUIRE_MESSAGE(mosim_model_find(m.get(), name, &k) == MOSIM_OK, name);
    const mosim_variable* const v = mosim_model_variable(m.get(), k);
    BOOST_REQUIRE(v);
    BOOST_TEST(mosim_variable_name(v) == std::string(name));
    return v;
  };
  const mosim_variable* const y = of("y");
  BOOST_TEST(mosim_variable_description(y) == std::string("what comes out"));
  BOOST_TEST(mosim_variable_unit(y) == std::string("K"));
  BOOST_TEST(mosim_variable_display_unit(y) == std::string("degC"));
  BOOST_TEST(mosim_variable_quantity(y) == std::string("ThermodynamicTemperature"));
  BOOST_TEST(mosim_variable_type(y) == MOSIM_REAL);
  BOOST_TEST(mosim_variable_kind(y) == MOSIM_ALGEBRAIC);
  BOOST_TEST(mosim_variable_is_output(y) == 1);
  BOOST_TEST(mosim_variable_is_input(y) == 0);
  BOOST_TEST(mosim_variable_is_protected(y) == 0);
  mosim_place place;
  BOOST_REQUIRE(mosim_variable_place(y, &place) == MOSIM_OK);
  BOOST_TEST(place.file == std::string("m.mo"));
  BOOST_TEST(place.line == 4u);
  BOOST_TEST(place.column > 0u);
  BOOST_TEST(says(place.source_line, "output Real y"));
  BOOST_TEST(mosim_variable_is_input(of("u")) == 1);
  BOOST_TEST(mosim_variable_kind(of("x")) == MOSIM_STATE);
  BOOST_TEST(mosim_variable_is_hidden(of("x")) == 1);
  BOOST_TEST(mosim_variable_kind(of("der(x)")) == MOSIM_DERIVATIVE);
  BOOST_TEST(mosim_variable_is_protected(of("z")) == 1);
  BOOST_TEST(mosim_variable_kind(of("n")) == MOSIM_PARAMETER);
  BOOST_TEST(mosim_variable_type(of("n")) == MOSIM_INTEGER);
  BOOST_TEST(mosim_variable_kind(of("b")) == MOSIM_CONSTANT);
  BOOST_TEST(mosim_variable_type(of("b")) == MOSIM_BOOLEAN);
  BOOST_TEST(mosim_variable_type(of("s")) == MOSIM_STRING);
  const mosim_variable* const light = of("light");
  BOOST_TEST(mosim_variable_type(light) == MOSIM_ENUMERATION);
  BOOST_TEST(mosim_variable_kind(light) == MOSIM_DISCRETE);
  BOOST_REQUIRE(mosim_variable_literal_count(light) == 2u);
  BOOST_TEST(mosim_variable_literal(light, 1) == std::string("green"));
  BOOST_TEST(!mosim_variable_literal(light, 2));
  const size_t count = mosim_model_variable_count(m.get());
  BOOST_TEST(count >= 9u);
  BOOST_TEST(!mosim_model_variable(m.get(), count));
}

BOOST_AUTO_TEST_CASE(an_error_is_data_and_the_session_goes_on) {
  const Session s = new_session();
  BOOST_TEST(read(s, "model M Real x; equation x = y; end M;", "one.mo") == MOSIM_OK);
  mosim_model* m = reinterpret_cast<mosim_model*>(1);
  BOOST_TEST(mosim_session_compile(s.get(), "M", nullptr, 0, &m) == MOSIM_INVALID_MODEL);
  BOOST_TEST(!m);
  BOOST_REQUIRE(mosim_session_diagnostic_count(s.get()) > 0u);
  const mosim_diagnostic* const d = mosim_session_diagnostic(s.get(), 0);
  BOOST_TEST(mosim_diagnostic_severity(d) == MOSIM_ERROR);
  BOOST_TEST(mosim_session_error(s.get()) == std::string(mosim_diagnostic_cause(d)));
  BOOST_TEST(mosim_diagnostic_remedy(d));
  BOOST_TEST(mosim_diagnostic_time(d) == 0);
  BOOST_TEST(says(mosim_diagnostic_text(d), "one.mo:1:30: error: "));
  mosim_place place;
  BOOST_REQUIRE(mosim_diagnostic_place(d, &place) == MOSIM_OK);
  BOOST_TEST(place.file == std::string("one.mo"));
  BOOST_TEST(place.line == 1u);
  BOOST_TEST(place.column == 30u);
  BOOST_TEST(place.source_line == std::string("model M Real x; equation x = y; end M;"));

  BOOST_TEST(read(s, "model end") == MOSIM_INVALID_MODEL);
  BOOST_TEST(mosim_session_class_count(s.get()) == 0u);
  BOOST_TEST(mosim_session_read(s.get(), "no such file.mo") == MOSIM_INVALID_MODEL);
  BOOST_TEST(mosim_session_compile(s.get(), "Nobody", nullptr, 0, &m) == MOSIM_INVALID_MODEL);
  BOOST_TEST(mosim_session_add_library(s.get(), "no such folder") == MOSIM_NOT_FOUND);
  BOOST_TEST(says(mosim_session_error(s.get()), "no such folder"));
  BOOST_TEST(read(s, "model N parameter Real k = 1; Real x = k*time; end N;") == MOSIM_OK);
  const char* const settings[] = {"k = 3"};
  BOOST_REQUIRE(mosim_session_compile(s.get(), "N", settings, 1, &m) == MOSIM_OK);
  const Model n(m);
  BOOST_TEST(mosim_session_diagnostic_count(s.get()) == 0u);
  BOOST_TEST(c99_last_value(m, "x", 2) == 6);
  const char* const bad[] = {"nobody = 3"};
  BOOST_TEST(mosim_session_compile(s.get(), "N", bad, 1, &m) == MOSIM_INVALID_MODEL);
}

BOOST_AUTO_TEST_CASE(notes_point_to_other_places) {
  const Session s = new_session();
  BOOST_TEST(read(s, "model A Real x; end A;\nmodel M\n  extends A;\n  Integer x;\nend M;") == MOSIM_OK);
  mosim_model* m = nullptr;
  BOOST_TEST(mosim_session_compile(s.get(), "M", nullptr, 0, &m) == MOSIM_INVALID_MODEL);
  const mosim_diagnostic* const d = mosim_session_diagnostic(s.get(), 0);
  BOOST_REQUIRE(mosim_diagnostic_note_count(d) > 0u);
  BOOST_TEST(std::strlen(mosim_diagnostic_note_text(d, 0)) > 0u);
  mosim_place place;
  BOOST_REQUIRE(mosim_diagnostic_note_place(d, 0, &place) == MOSIM_OK);
  BOOST_TEST(place.line >= 1u);
  const size_t count = mosim_diagnostic_note_count(d);
  BOOST_TEST(!mosim_diagnostic_note_text(d, count));
  BOOST_TEST(mosim_diagnostic_note_place(d, count, &place) == MOSIM_INVALID_ARGUMENT);
}

BOOST_AUTO_TEST_CASE(a_library_is_found_by_its_folder) {
  mosim_session_options o{};
  o.size = sizeof o;
  o.without_bundled_library = 1;
  mosim_session* bare = nullptr;
  BOOST_REQUIRE(mosim_session_new(&o, &bare) == MOSIM_OK);
  const Session s(bare);
  const char* const text = "model M Modelica.Units.SI.Length x = time; end M;";
  BOOST_TEST(read(s, text) == MOSIM_OK);
  mosim_model* m = nullptr;
  BOOST_TEST(mosim_session_compile(bare, "M", nullptr, 0, &m) == MOSIM_INVALID_MODEL);
  BOOST_TEST(mosim_session_add_library(bare, MODELS) == MOSIM_OK);
  const mosim_status status = mosim_session_compile(bare, "M", nullptr, 0, &m);
  BOOST_REQUIRE_MESSAGE(status == MOSIM_OK, mosim_session_error(bare));
  const Model model(m);
  BOOST_TEST(mosim_variable_unit(mosim_model_variable(m, 0)) == std::string("m"));
}

BOOST_AUTO_TEST_CASE(experiment_and_warnings_of_a_model) {
  const Model m = compiled("model M Real x(start = 1); equation der(x) = -x; annotation(experiment(StopTime = 4, Tolerance = 1e-5)); end M;");
  mosim_experiment e;
  e.size = sizeof e;
  BOOST_REQUIRE(mosim_model_experiment(m.get(), &e) == MOSIM_OK);
  BOOST_TEST(e.size == sizeof e);
  BOOST_TEST(std::isnan(e.start));
  BOOST_TEST(e.stop == 4);
  BOOST_TEST(e.tolerance == 1e-5);
  BOOST_TEST(std::isnan(e.interval));
  for (size_t k = 0; k < mosim_model_diagnostic_count(m.get()); ++k)
    BOOST_TEST(mosim_diagnostic_severity(mosim_model_diagnostic(m.get(), k)) != MOSIM_ERROR);
  BOOST_TEST(!mosim_model_diagnostic(m.get(), mosim_model_diagnostic_count(m.get())));
}

BOOST_AUTO_TEST_CASE(the_version_is_a_text) { BOOST_TEST(mosim_version()[0] == '0'); }

BOOST_AUTO_TEST_SUITE_END()
