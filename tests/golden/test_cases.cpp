// Every model that runs to its end: its trajectory and events against the witness, and against the golden file.

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "tests/golden/golden_file.hpp"

namespace mosim::golden {
namespace {

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string golden_path(const Case& c) { return std::string(MOSIM_GOLDENS) + "/" + c.name + ".csv"; }

// Whose point is that they do not run.
const std::set<std::string> broken{"DiscreteBehavior/Decay/Decay1.mo", "DiscreteBehavior/Decay/Decay2.mo",
                                   "DiscreteBehavior/SpeedMeasurement/Counter.mo"};

BOOST_DATA_TEST_CASE(agrees_with_witness_and_golden, boost::unit_test::data::make(cases()), c) {
  const Run run = run_file(c.file, c.settings);
  BOOST_TEST_REQUIRE(run.program.has_value(), run.diagnostics);
  BOOST_TEST_REQUIRE((run.result.ending == runtime::Ending::stop_time), run.messages());
  BOOST_TEST(run.time(run.rows() - 1) == c.settings.stop);
  const std::string unlike_witness = differences(c, run);
  BOOST_TEST(unlike_witness.empty(), unlike_witness);

  const Golden stored = from_text(read(golden_path(c)));
  BOOST_TEST(stored.witness == c.witness.by);
  const std::string unlike_golden = differences(stored, make_golden(c, run));
  BOOST_TEST(unlike_golden.empty(), unlike_golden);
}

// The stored numbers agree with the witness whatever mosim computes today.
BOOST_DATA_TEST_CASE(golden_agrees_with_witness, boost::unit_test::data::make(cases()), c) {
  const Golden stored = from_text(read(golden_path(c)));
  BOOST_TEST_REQUIRE(!stored.rows.empty());
  for (const auto& row : stored.rows) {
    const std::vector<double> told = c.witness.at(row[0]);
    const std::vector<double> events = c.witness.events.value_or(std::vector<double>{});
    if (std::any_of(events.begin(), events.end(), [&](double e) { return std::fabs(e - row[0]) < 1e-6; })) continue;
    for (std::size_t i = 0; i < told.size(); ++i) {
      const double allowed = std::max(c.witness.tolerance, 1e-11) * std::max(1.0, std::fabs(told[i]));
      if (!std::isnan(told[i]))
        BOOST_TEST(std::fabs(row[i + 1] - told[i]) <= allowed,
                   stored.columns[i + 1] << " at " << row[0] << " is stored as " << row[i + 1] << ", not " << told[i]);
    }
  }
}

BOOST_AUTO_TEST_CASE(every_model_has_a_case) {
  std::set<std::string> covered = broken;
  for (const Case& c : cases()) covered.insert(c.file);
  for (const char* chapter : {"BasicEquations", "DiscreteBehavior", "HybridSystems"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(MOSIM_MODELS) + "/" + chapter)) {
      const std::string file = std::filesystem::relative(entry.path(), MOSIM_MODELS).string();
      if (entry.path().extension() == ".mo" && entry.path().filename() != "package.mo")
        BOOST_TEST(covered.count(file) == 1u, file << " has no case");
    }
}

// A file that nothing compares with would be mistaken for a test.
BOOST_AUTO_TEST_CASE(every_golden_belongs_to_a_case) {
  std::set<std::string> names;
  for (const Case& c : cases()) BOOST_TEST(names.insert(c.name).second, c.name << " is there twice");
  for (const auto& entry : std::filesystem::directory_iterator(MOSIM_GOLDENS))
    if (entry.path().extension() == ".csv") BOOST_TEST(names.count(entry.path().stem().string()) == 1u, entry.path());
}

BOOST_AUTO_TEST_CASE(a_difference_is_found) {
  Golden a;
  a.columns = {"time", "x"};
  a.rows = {{0, 1}, {1, not_told}};
  a.tolerance = 1e-3;
  a.has_events = true;
  a.events = {0.5};
  a.event_tolerance = 1e-6;
  BOOST_TEST(differences(from_text(to_text("a", a)), a).empty());
  Golden b = a;
  b.rows[0][1] = 1.002;
  BOOST_TEST(!differences(a, b).empty());
  b = a;
  b.events[0] += 1e-5;
  BOOST_TEST(!differences(a, b).empty());
  b = a;
  b.events.push_back(1);
  BOOST_TEST(!differences(a, b).empty());
}

}  // namespace
}  // namespace mosim::golden
