// State machines on the command line: transitions in the event log (E16), and the flat model read back.

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "tests/cli/folder.hpp"

using namespace mosim::tests;

namespace {

// off at ticks 0 and 1, on from tick 2 on.
constexpr const char* lamp = R"(model Lamp
  block State
    Integer n(start = 0);
  equation
    n = previous(n) + 1;
  end State;
  State off, on;
  Real u = sample(time, Clock(1, 1));
equation
  initialState(off);
  transition(off, on, off.n >= 2 and u >= 0, immediate = false);
end Lamp;
)";

}  // namespace

BOOST_AUTO_TEST_SUITE(state_machines)

BOOST_AUTO_TEST_CASE(the_event_log_tells_transitions_by_name) {
  Folder f;
  f.write("Lamp.mo", lamp);
  const Ran text = f.run("Lamp.mo --stop 3.5 --quiet --output none --events");
  BOOST_REQUIRE_MESSAGE(text.status == 0, text.err);
  BOOST_TEST(text.out.find("transition from off to on fires: off.n >= 2 and u >= 0, at the tick before  (Lamp.mo:11:3)") != std::string::npos, text.out);
  const Ran json = f.run("Lamp.mo --stop 3.5 --quiet --output none --events log.json");
  BOOST_REQUIRE_MESSAGE(json.status == 0, json.err);
  const auto log = nlohmann::json::parse(read(f.path / "log.json"));
  std::size_t seen = 0;
  for (const auto& event : log.at("events")) {
    if (!event.contains("transitions")) continue;
    ++seen;
    BOOST_TEST(event.at("time") == 2);
    BOOST_REQUIRE(event.at("transitions").size() == 1u);
    const auto& t = event.at("transitions")[0];
    BOOST_TEST(t.at("from") == "off");
    BOOST_TEST(t.at("to") == "on");
    BOOST_TEST(t.at("line") == 11);
    BOOST_TEST(t.at("delayed") == true);
  }
  BOOST_TEST(seen == 1u);
}

BOOST_AUTO_TEST_CASE(the_flat_model_can_be_read_back) {
  Folder f;
  f.write("Lamp.mo", lamp);
  const Ran flat = f.run("Lamp.mo --emit flat");
  BOOST_REQUIRE_MESSAGE(flat.status == 0, flat.err);
  f.write("Flat.mo", flat.out);
  const std::string rest = " --stop 4.5 --intervals 1 --quiet --results \"*off.n*,*on.n*\" --output -";
  const auto rows = [](const std::string& out) { return out.substr(out.find('\n')); };   // the flat model's names have quotes
  const Ran one = f.run("Lamp.mo" + rest), other = f.run("Flat.mo" + rest);
  BOOST_TEST(one.status == 0, one.err);
  BOOST_TEST(other.status == 0, other.err);
  BOOST_TEST(rows(one.out) == rows(other.out));
  BOOST_TEST(one.out.find("\n4.5,2,3\n") != std::string::npos, one.out);
}

BOOST_AUTO_TEST_SUITE_END()
