// What the documents say that a command prints, it prints.

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/docs/documents.hpp"

namespace fs = std::filesystem;
using namespace mosim::tests;

namespace {

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) lines.push_back(text.substr(begin, end - begin));
  if (begin < text.size()) lines.push_back(text.substr(begin));
  return lines;
}

/// Programs in docs/examples, as they are built.
const char* const examples[] = {"bouncing.cpp", "filter.cpp", "graded.cpp", "heater.cpp", "impacts.c", "rebounds.cpp", "toys.cpp"};

/// A folder in which `mosim` and `models/` are what the documents mean by them.
struct Desk {
  fs::path path;
  Desk() {
    std::string name = (fs::temp_directory_path() / "mosim_docs_XXXXXX").string();
    if (!mkdtemp(name.data())) std::abort();
    path = name;
    for (const char* folder : {"models", "docs"}) fs::create_symlink(fs::path(ROOT) / folder, path / folder);
    fs::create_directory(path / "bin");
    fs::create_symlink(MOSIM, path / "bin" / "mosim");
    for (const fs::path example : examples) fs::create_symlink(fs::path(EXAMPLES) / example.stem(), path / "bin" / example.stem());
  }
  ~Desk() { fs::remove_all(path); }
  Desk(const Desk&) = delete;
  std::vector<std::string> run(const std::string& command) const {
    const std::string whole = "cd '" + path.string() + "' && PATH=\"$PWD/bin:$PATH\" COLUMNS=100 LC_ALL=C.UTF-8 && export PATH COLUMNS LC_ALL && (" +
                              command + ") >out.txt 2>&1 </dev/null";
    BOOST_TEST_REQUIRE(std::system(whole.c_str()) != -1);
    return lines_of(read(path / "out.txt"));
  }
};

const std::vector<std::string> documents{"README.md", "docs/events.md", "docs/library.md", "docs/studies.md", "docs/exercises.md"};

}  // namespace

BOOST_AUTO_TEST_CASE(dots_stand_for_lines) {
  BOOST_TEST(matches({"a", "...", "d"}, {"a", "b", "c", "d"}));
  BOOST_TEST(matches({"a", "..."}, {"a"}));
  BOOST_TEST(!matches({"a", "...", "d"}, {"a", "b"}));
  BOOST_TEST(!matches({"a"}, {"a", "b"}));
  BOOST_TEST(matches({"a ..."}, {"a b"}));
  BOOST_TEST(matches({"0.77 ..."}, {"0.7794 s"}));
  BOOST_TEST(!matches({"a ..."}, {"b"}));
}

BOOST_DATA_TEST_CASE(commands_print_what_is_said, boost::unit_test::data::make(documents), document) {
  const Desk desk;
  const std::vector<Command> commands = commands_in(read(fs::path(ROOT) / document));
  BOOST_TEST(!commands.empty());
  for (const Command& command : commands) {
    const std::vector<std::string> found = desk.run(command.line);
    std::string text;
    for (const std::string& line : found) text += line + "\n";
    BOOST_TEST(matches(command.output, found), document << ":" << command.number << ": " << command.line << "\nprints\n" << text);
  }
}

BOOST_DATA_TEST_CASE(links_lead_somewhere, boost::unit_test::data::make(documents), document) {
  const fs::path folder = (fs::path(ROOT) / document).parent_path();
  for (const std::string& link : local_links(read(fs::path(ROOT) / document)))
    BOOST_TEST(fs::exists(folder / link), document << ": " << link);
}

// Its solutions are answers, and what it begins with is none.
BOOST_AUTO_TEST_CASE(the_course_asks_what_can_be_answered) {
  const std::vector<std::string> found = Desk().run("mosim course docs/course.md --check");
  BOOST_TEST(matches({"docs/course.md is a course: 10 steps, 10 questions."}, found), (found.empty() ? "nothing" : found.front()));
}

BOOST_AUTO_TEST_CASE(examples_are_what_is_shown) {
  const std::string document = read(fs::path(ROOT) / "docs" / "library.md") + read(fs::path(ROOT) / "docs" / "studies.md") + read(fs::path(ROOT) / "docs" / "exercises.md");
  for (const fs::path example : examples) {
    const std::string text = read(fs::path(ROOT) / "docs" / "examples" / example), language = example.extension().string().substr(1);
    BOOST_TEST(!text.empty());
    BOOST_TEST(document.find("```" + language + "\n" + text + "```\n") != std::string::npos, example);
  }
}
