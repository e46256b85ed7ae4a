// Results as files, and the table that describes them.

#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "mosim/result_file.hpp"
#include "tests/engine/compiled.hpp"

using namespace mosim;
using namespace mosim::tests;
namespace fs = std::filesystem;

namespace {

struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "mosim_engine_XXXXXX").string();
    if (!mkdtemp(name.data())) std::abort();
    path = name;
  }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  std::string operator/(const char* name) const { return (path / name).string(); }
};

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

constexpr const char* switched = R"(model M
  parameter Real k(unit = "1/s") = 2 "Rate";
  constant Integer c = 4;
  Real x(start = 1, fixed = true, unit = "m") "Way, or so";
  Real within_x annotation(HideResult = true);
  Boolean late = time > 0.5;
equation
  der(x) = -k*x;
  within_x = 2*x;
end M;
)";

}  // namespace

BOOST_AUTO_TEST_SUITE(result_file)

BOOST_AUTO_TEST_CASE(a_csv_has_the_rows) {
  const Folder f;
  const auto m = compiled(switched);
  {
    ResultFile file(m, f / "m.csv", {.results = {{"x", "late", "k"}}, .hybrid_time = true});
    const Result r = m->simulate({.intervals = 2, .file = &file});
    BOOST_TEST(file.error() == 0);
    BOOST_TEST(file.problem() == "");
    BOOST_TEST(r.rows.empty());
    BOOST_TEST(r.row_count == 4u);
  }
  std::string text = contents(f / "m.csv");
  BOOST_TEST(text.starts_with("time,j,x,late,k\n0,0,1,0,2\n0.5,0,0.36"), text);
  BOOST_TEST(std::count(text.begin(), text.end(), '\n') == 5);
  BOOST_TEST(text.find("\n0.5,1,") != std::string::npos, text);
  BOOST_TEST(text.find("\n1,1,0.13") != std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(what_is_hidden_and_parameters) {
  const Folder f;
  const auto m = compiled(switched);
  const auto head = [&](const ResultFileOptions& options) {
    ResultFile file(m, f / "m.csv", options);
    (void)m->simulate({.file = &file});
    const std::string text = contents(f / "m.csv");
    return text.substr(0, text.find('\n'));
  };
  BOOST_TEST(head({}) == "time,x,late,der(x)");
  BOOST_TEST(head({.parameters = true}) == "time,x,late,der(x),k,c");
  BOOST_TEST(head({.results = {{"*t*"}}}) == "time,within_x,late");
  BOOST_TEST(head({.results = std::vector<std::string>{}}) == "time");
}

// Each has variables of its own choice.
BOOST_AUTO_TEST_CASE(rows_for_a_file_and_a_function) {
  const Folder f;
  const auto m = compiled(switched);
  ResultFile file(m, f / "m.csv", {.results = {{"late", "x"}}});
  std::vector<std::vector<double>> rows;
  const Result r = m->simulate({.intervals = 2, .results = {{"within_x", "x", "within_x"}}, .file = &file, .on_row = [&](std::span<const double> row) {
                                  rows.emplace_back(row.begin(), row.end());
                                  return true;
                                }});
  BOOST_TEST((r.names == std::vector<std::string>{"time", "within_x", "x"}));
  BOOST_REQUIRE(rows.size() == 4u);
  BOOST_REQUIRE(rows[3].size() == 3u);
  BOOST_TEST(rows[3][0] == 1);
  BOOST_TEST(rows[3][1] == 2*rows[3][2]);
  BOOST_TEST(std::abs(rows[3][2] - std::exp(-2)) < 1e-4);
  BOOST_TEST(contents(f / "m.csv").starts_with("time,x,late\n0,1,0\n"));
}

BOOST_AUTO_TEST_CASE(a_mat_file) {
  const Folder f;
  const auto m = compiled(switched);
  {
    ResultFile file(m, f / "m.mat");
    (void)m->simulate({.intervals = 2, .file = &file});
    BOOST_TEST(file.error() == 0);
  }
  const std::string bytes = contents(f / "m.mat");
  BOOST_TEST(bytes.find("dataInfo") != std::string::npos);
  BOOST_TEST(bytes.find("Way, or so [m]") != std::string::npos);
  ResultFile pipe(m, "/dev/null", {.format = ResultFormat::mat});
  BOOST_TEST(pipe.error() == ESPIPE);
  BOOST_TEST(!pipe.problem().empty());
}

BOOST_AUTO_TEST_CASE(what_cannot_be_written) {
  const Folder f;
  const auto m = compiled(switched);
  BOOST_CHECK_THROW(ResultFile(m, f / "m.txt"), std::invalid_argument);
  BOOST_CHECK_THROW(ResultFile(m, f / "m.csv", {.results = {{"nobody"}}}), std::invalid_argument);
  BOOST_TEST(!fs::exists(f / "m.csv"));
  BOOST_CHECK_THROW(ResultFile(compiled("model M Real j = time; end M;"), f / "m.csv", {.hybrid_time = true}), std::invalid_argument);
  BOOST_CHECK_THROW(ResultFile(compiled("model M String s = \"a\"; end M;"), f / "m.csv", {.results = {{"s"}}}), std::invalid_argument);
  ResultFile nowhere(m, f / "no/m.csv");
  BOOST_TEST(nowhere.error() == ENOENT);
  BOOST_TEST(nowhere.problem().starts_with("cannot open "));
  ResultFile full(m, "/dev/full", {.format = ResultFormat::csv});
  BOOST_TEST(full.error() == 0);
  const Result r = m->simulate({.file = &full});
  BOOST_TEST(full.error() == ENOSPC);
  BOOST_TEST(full.problem().find("/dev/full") != std::string::npos);
  // A file is for one run of its model.
  ResultFile file(m, f / "m.csv");
  BOOST_CHECK_THROW((void)compiled(switched)->start({.file = &file}), std::invalid_argument);
  (void)m->simulate({.file = &file});
  BOOST_CHECK_THROW((void)m->start({.file = &file}), std::invalid_argument);
}

// A run that nobody finishes leaves a whole file.
BOOST_AUTO_TEST_CASE(a_run_that_is_given_up) {
  const Folder f;
  const auto m = compiled(switched);
  {
    ResultFile file(m, f / "m.csv", {.results = {{"x"}}});
    Run run = m->start({.intervals = 10, .file = &file});
    run.advance_to(0.35);
  }
  const std::string text = contents(f / "m.csv");
  BOOST_TEST(text.starts_with("time,x\n0,1\n0.1,"), text);
  BOOST_TEST(text.ends_with("\n"));
}

BOOST_AUTO_TEST_CASE(restored_runs_write_on) {
  const Folder f;
  const auto m = compiled(switched);
  Run run = m->start({.intervals = 10});
  run.advance_to(0.75);
  ResultFile file(m, f / "m.csv", {.results = {{"x"}}});
  Run there = m->restore(run.save(), {.file = &file});
  there.advance_to(2);
  (void)there.finish();
  const std::string text = contents(f / "m.csv");
  BOOST_TEST(text.starts_with("time,x\n0.7,"), text);
  BOOST_TEST(text.find("\n1,0.13") != std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(the_table) {
  const auto m = compiled(switched);
  BOOST_TEST(describe(*m, {.results = {{"x", "k"}}, .hybrid_time = true}) ==
             "name,unit,displayUnit,type,kind,description\n"
             "time,s,,Real,time,Time\n"
             "j,,,Integer,discrete,Number of events so far\n"
             "x,m,,Real,state,\"Way, or so\"\n"
             "k,1/s,,Real,parameter,Rate\n");
  BOOST_CHECK_THROW((void)describe(*m, {.results = {{"nobody"}}}), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
