// Nothing lost: what ends a run early, or keeps it from writing, leaves whole files and says so.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include <sys/mount.h>
#include <sys/stat.h>

#include "tests/cli/child.hpp"

using namespace mosim::tests;

namespace {

// Ten million ticks of the model below: longer than any test waits.
const std::vector<std::string> endless{"Ticks.mo", "--stop", "10000", "--intervals", "1000000"};

Folder& with_clock(Folder& f) {
  f.write("Ticks.mo", R"(model Ticks "Counts"
  Integer n(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when sample(0, 0.001) then
    n = pre(n) + 1;
  end when;
end Ticks;
)");
  return f;
}

std::vector<std::string> with(std::vector<std::string> list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
  return list;
}

/// The rows are those of the clock, whole: x is the time, n the ticks so far, the last row may stand between ticks.
void check_rows(const std::string& csv, std::size_t least) {
  BOOST_REQUIRE(csv.size() > 20);
  BOOST_TEST(csv.substr(0, csv.find('\n')) == "time,n,x,der(x)");
  BOOST_TEST(csv.back() == '\n');
  const auto table = rows(csv);
  BOOST_TEST(table.size() >= least);
  double before = 0;
  for (const auto& row : table) {
    BOOST_REQUIRE(row.size() == 4u);
    BOOST_REQUIRE(row[0] >= before);
    BOOST_REQUIRE(std::abs(row[2] - row[0]) < 1e-6);
    BOOST_REQUIRE(std::abs(row[1] - 1000 * row[0]) < 1.0001);
    before = row[0];
  }
}

std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + from.size();
  return text.substr(begin, text.find(to, begin) - begin);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(nothing_lost)

BOOST_AUTO_TEST_CASE(a_signal_ends_a_run_with_all_that_it_has) {
  for (const auto& [number, status] : {std::pair(SIGINT, 130), std::pair(SIGTERM, 143), std::pair(SIGHUP, 129)}) {
    Folder folder;
    Child run(with_clock(folder), with(endless, {"--events", "log.json"}));
    BOOST_TEST(run.wait_for("Ticks_res.csv", 200'000));
    run.send(number);
    const Ended end = run.wait();
    BOOST_TEST(!end.killed);
    BOOST_TEST(end.status == status);
    BOOST_TEST(run.err() == "");
    const std::string csv = read(folder.path / "Ticks_res.csv");
    check_rows(csv, 5000);
    const auto table = rows(csv);
    // The report says where, and that is the last row.
    const std::string at = between(run.out(), "; interrupted at ", " s");
    BOOST_TEST(std::abs(std::strtod(at.c_str(), nullptr) - table.back()[0]) < 1e-6, run.out());
    BOOST_TEST(contains(run.out(), "Ticks_res.csv (" + std::to_string(table.size()) + " rows)"), run.out());
    // The log is whole, too: each tick up to there, the one at 0 included.
    const auto log = nlohmann::json::parse(read(folder.path / "log.json"));
    BOOST_TEST(log.at("ending") == "interrupted");
    BOOST_TEST(double(log.at("events").size()) >= 1000 * table.back()[0]);
    BOOST_TEST(log.at("reached") == table.back()[0]);
  }
}

BOOST_AUTO_TEST_CASE(the_log_in_words_is_whole_as_well) {
  Folder folder;
  Child run(with_clock(folder), with(endless, {"--events"}));
  BOOST_TEST(run.wait_for("Ticks_res.csv", 100'000));
  run.send(SIGINT);
  BOOST_TEST(run.wait().status == 130);
  const std::string out = run.out();
  BOOST_TEST(contains(out, "Events of Ticks from 0 to "));
  BOOST_TEST(contains(out, "interrupted at "));
  const auto last = rows(read(folder.path / "Ticks_res.csv")).back();
  BOOST_TEST(contains(out, "\n" + std::string("    0  0  ")));
  // The last tick has its entry; the run may have ended right before one.
  const long ticks = std::lround(last[1]);
  BOOST_TEST(contains(out, "n: " + std::to_string(ticks - 1) + " -> " + std::to_string(ticks)), ticks);
  BOOST_TEST(!contains(out, "n: " + std::to_string(ticks) + " -> "));
}

BOOST_AUTO_TEST_CASE(a_second_signal_ends_it_at_once) {
  Folder folder;
  with_clock(folder);
  // Nobody reads the pipe: the run waits in a write, and the first signal alone would not end it.
  BOOST_REQUIRE(mkfifo((folder.path / "pipe").c_str(), 0600) == 0);
  const int reader = open((folder.path / "pipe").c_str(), O_RDONLY | O_NONBLOCK);
  Child run(folder, with(endless, {"-o", "pipe"}));
  pollfd filled{reader, POLLIN, 0};
  BOOST_TEST(poll(&filled, 1, -1) == 1);
  usleep(1000);
  run.send(SIGINT);
  usleep(100'000);
  run.send(SIGINT);
  const Ended end = run.wait();
  BOOST_TEST(end.killed);
  BOOST_TEST(end.status == 130);
  close(reader);
}

BOOST_AUTO_TEST_CASE(what_is_ignored_stays_ignored) {
  Folder folder;
  Child run(with_clock(folder), with(endless, {"--time-limit", "1"}), [] { std::signal(SIGINT, SIG_IGN); });
  BOOST_TEST(run.wait_for("Ticks_res.csv", 60'000));
  run.send(SIGINT);
  BOOST_TEST(run.wait().status == 124);
}

BOOST_AUTO_TEST_CASE(a_limit_of_time_ends_a_run) {
  Folder folder;
  Child run(with_clock(folder), with(endless, {"--time-limit", "0.3", "-o", "x.csv"}));
  const Ended end = run.wait();
  BOOST_TEST(end.status == 124);
  BOOST_TEST(!end.killed);
  BOOST_TEST(contains(run.out(), "; interrupted at "));
  check_rows(read(folder.path / "x.csv"), 1);
  BOOST_TEST(folder.run("Ticks.mo --stop 0.01 --time-limit 1000").status == 0);
  BOOST_TEST(folder.run("Ticks.mo --time-limit 0").status == 1);
  BOOST_TEST(folder.run("Ticks.mo --time-limit -1").status == 1);
}

BOOST_AUTO_TEST_CASE(a_mat_file_is_whole_after_a_signal) {
  Folder folder;
  Child run(with_clock(folder), with(endless, {"-o", "x.mat"}));
  BOOST_TEST(run.wait_for("x.mat", 300'000));
  run.send(SIGINT);
  BOOST_TEST(run.wait().status == 130);
  const std::string bytes = read(folder.path / "x.mat");
  // data_2 comes last: 4 numbers a row, and as many rows as its header says.
  const std::size_t at = bytes.find(std::string("data_2\0", 7));
  BOOST_REQUIRE(at != std::string::npos);
  std::int32_t sizes[2];
  std::copy_n(bytes.data() + at - 16, sizeof sizes, reinterpret_cast<char*>(sizes));
  BOOST_TEST(sizes[0] == 4);
  BOOST_TEST(std::size_t(sizes[1]) * 4 * 8 == bytes.size() - at - 7);
  BOOST_TEST(contains(run.out(), "x.mat (" + std::to_string(sizes[1]) + " rows)"), run.out());
}

BOOST_AUTO_TEST_CASE(a_reader_that_goes_away_ends_the_run_quietly) {
  Folder folder;
  with_clock(folder);
  const std::string line = "cd '" + folder.path.string() + "' && bash -c \"'" MOSIM "' Ticks.mo --stop 10000 -o - --quiet 2>err.txt | head -3 >out.txt; echo \\${PIPESTATUS[0]} >status.txt\"";
  BOOST_TEST(std::system(line.c_str()) == 0);
  BOOST_TEST(read(folder.path / "out.txt") == "time,n,x,der(x)\n0,0,0,1\n0,1,0,1\n");
  BOOST_TEST(read(folder.path / "err.txt") == "");
  BOOST_TEST(read(folder.path / "status.txt") == "141\n");
}

BOOST_AUTO_TEST_CASE(a_full_disk_is_told_of_whatever_is_written) {
  Folder folder;
  with_clock(folder);
  const auto refused = [&](const std::string& arguments, const std::string& message) {
    const Ran r = folder.run(arguments);
    BOOST_TEST(r.status == 1, arguments << ": " << r.status);
    BOOST_TEST(contains(r.err, message), arguments << ": " << r.err);
    BOOST_TEST(contains(r.err, "No space left on device"), arguments << ": " << r.err);
  };
  refused("Ticks.mo -o /dev/full", "mosim: error: cannot write /dev/full");
  const auto unheard = [&](const std::vector<std::string>& arguments) {
    Child run(folder, arguments, [] { (void)dup2(open("/dev/full", O_WRONLY), 1); });
    BOOST_TEST(run.wait().status == 1, arguments.back());
    BOOST_TEST(contains(run.err(), "mosim: error: cannot write to standard output: No space left on device"), run.err());
  };
  unheard({"Ticks.mo", "-o", "x.csv", "--stop", "0.1", "--events"});
  unheard({"Ticks.mo", "-o", "x.csv", "--stop", "0.1"});
  unheard({"Ticks.mo", "--stop", "0.1", "-o", "-"});
  unheard({"Ticks.mo", "--check"});
  unheard({"Ticks.mo", "--emit", "flat"});
  unheard({"--help"});
  for (const char* file : {"log.json", "page.html", "picture.svg", "vars.csv"})
    fs::create_symlink("/dev/full", folder.path / file);
  refused("Ticks.mo -o x.csv --stop 0.1 --events log.json", "the event log: cannot write log.json");
  refused("Ticks.mo -o x.csv --stop 0.1 --plot-to page.html", "cannot write page.html");
  refused("Ticks.mo -o x.csv --stop 0.1 --plot-to picture.svg", "cannot write picture.svg");
  refused("Ticks.mo -o x.csv --stop 0.1 --describe vars.csv", "cannot write vars.csv");
}

BOOST_AUTO_TEST_CASE(a_full_file_system_keeps_what_there_is) {
  Folder folder;
  with_clock(folder);
  const fs::path disk = folder.path / "disk";
  fs::create_directory(disk);
  if (mount("none", disk.c_str(), "tmpfs", 0, "size=256k") != 0) {
    BOOST_TEST_MESSAGE("no file system can be mounted here");
    return;
  }
  for (const char* file : {"x.csv", "x.mat"}) {
    const Ran r = folder.run(std::string("Ticks.mo --stop 10000 -o disk/") + file);
    BOOST_TEST(r.status == 1);
    BOOST_TEST(contains(r.err, std::string("mosim: error: cannot write disk/") + file + ": No space left on device"), r.err);
    BOOST_TEST(contains(r.out, "; interrupted at "), r.out);
    const std::string written = read(disk / file);
    BOOST_TEST(written.size() > 200'000u);
    if (std::string(file) == "x.csv") {
      check_rows(written, 5000);
    } else {
      const std::size_t at = written.find(std::string("data_2\0", 7));
      std::int32_t columns = 0;
      std::copy_n(written.data() + at - 12, sizeof columns, reinterpret_cast<char*>(&columns));
      BOOST_TEST(std::size_t(columns) * 4 * 8 == written.size() - at - 7);
    }
    fs::remove(disk / file);
  }
  umount(disk.c_str());
}

BOOST_AUTO_TEST_CASE(an_output_that_cannot_be_written_is_found_before_the_run) {
  Folder folder;
  with_clock(folder);
  fs::create_directory(folder.path / "folder.csv");
  fs::create_directory(folder.path / "folder.json");
  // The model is not even read.
  for (const char* arguments : {"-o folder.csv", "-o none/x.csv", "-o x.csv --events none/log.json", "-o x.csv --events folder.json",
                                "-o x.csv --plot-to none/x.svg", "-o x.csv --describe none/x.csv", "-o x.csv --describe x.csv"}) {
    const Ran r = folder.run(std::string("NoSuchModel.mo ") + arguments);
    BOOST_TEST(r.status == 1, arguments);
    BOOST_TEST(!contains(r.err, "NoSuchModel"), r.err);
    BOOST_TEST(contains(r.err, "mosim: error: "), r.err);
    BOOST_TEST(!fs::exists(folder.path / "x.csv"), arguments);
  }
}

BOOST_AUTO_TEST_CASE(memory_does_not_grow_with_the_rows) {
  if (sanitized) return;
  Folder folder;
  with_clock(folder);
  // A million and one rows of the grid, and two for each of a thousand ticks.
  const auto limited = [] {
    const rlimit limit{200u << 20, 200u << 20};
    setrlimit(RLIMIT_AS, &limit);
  };
  for (const char* file : {"x.csv", "x.mat"}) {
    Child run(folder, {"Ticks.mo", "--stop", "1", "--intervals", "1000000", "-o", file}, limited);
    BOOST_TEST(run.wait().status == 0);
    BOOST_TEST(run.err() == "");
    BOOST_TEST(contains(run.out(), "(1001"), run.out());
    fs::remove(folder.path / file);
  }
  // A hundred thousand ticks, with their log and a picture of them.
  Child run(folder, {"Ticks.mo", "--stop", "100", "-o", "none", "--events", "log.json", "--plot-to", "x.html"}, limited);
  BOOST_TEST(run.wait().status == 0);
  BOOST_TEST(run.err() == "");
  BOOST_TEST(fs::file_size(folder.path / "log.json") > 50'000'000u);
  BOOST_TEST(fs::file_size(folder.path / "x.html") < 40'000'000u);
}

BOOST_AUTO_TEST_SUITE_END()
