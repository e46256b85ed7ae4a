// Files, directories, lines of text, matrices in files, the process: what they do to the world, looked at with C++'s own means.

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include <unistd.h>

#include "calls.hpp"

using namespace calls;

namespace {

void run(std::string_view name, const std::vector<Argument>& arguments) { call(name, arguments, {}); }

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// The lines from the first on, until the end of the file is told.
std::vector<std::string> lines(native::Environment& environment, const std::string& path) {
  std::vector<std::string> result;
  for (double k = 1; k < 100; ++k) {
    std::vector<std::string> line(1);
    double end = -1;
    const std::string_view name = path;
    const std::vector<native::In> in{{{}, {&name, 1}, nullptr}, {{&k, 1}, {}, nullptr}};
    std::vector<native::Out> out{{{}, &line, nullptr}, {{&end, 1}, nullptr, nullptr}};
    native::find("ModelicaInternal_readLine")->function(in, out, environment);
    if (end == 1) {
      BOOST_TEST(line[0] == "");
      return result;
    }
    result.push_back(line[0]);
  }
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(streams)

BOOST_AUTO_TEST_CASE(lines_end_with_lf_or_crlf_or_the_file) {
  const Folder folder;
  using Lines = std::vector<std::string>;
  native::Environment environment;
  for (const auto& [text, expected] : {std::pair{"", Lines{}}, std::pair{"a", Lines{"a"}}, std::pair{"a\n", Lines{"a"}}, std::pair{"a\r\nb", Lines{"a", "b"}},
                                       std::pair{"a\n\n", Lines{"a", ""}}, std::pair{"\n", Lines{""}}, std::pair{"a\rb", Lines{"a\rb"}}}) {
    const std::string file = folder.file("f.txt", text);
    BOOST_TEST(number("ModelicaInternal_countLines", {file}) == static_cast<double>(expected.size()));
    BOOST_TEST((lines(environment, file) == expected));
    Lines read(expected.size());
    native::Out out{{}, &read, nullptr};
    call("ModelicaInternal_readFile", {file, static_cast<double>(expected.size())}, {&out, 1});
    BOOST_TEST((read == expected));
  }
}

BOOST_AUTO_TEST_CASE(a_line_may_be_asked_for_again_and_after_a_change) {
  const Folder folder;
  const std::string file = folder.file("f.txt", "one\ntwo\n");
  native::Environment environment;
  const auto line = [&](double k) {
    std::vector<std::string> text(1);
    double end = 0;
    const std::string_view name = file;
    const std::vector<native::In> in{{{}, {&name, 1}, nullptr}, {{&k, 1}, {}, nullptr}};
    std::vector<native::Out> out{{{}, &text, nullptr}, {{&end, 1}, nullptr, nullptr}};
    native::find("ModelicaInternal_readLine")->function(in, out, environment);
    return end == 1 ? "end" : text[0];
  };
  BOOST_TEST(line(2) == "two");
  BOOST_TEST(line(1) == "one");
  BOOST_TEST(line(3) == "end");
  const std::string_view texts[] = {"three", file};
  const std::vector<native::In> in{{{}, {&texts[0], 1}, nullptr}, {{}, {&texts[1], 1}, nullptr}};
  BOOST_TEST(line(1) == "one");
  native::find("ModelicaInternal_print")->function(in, {}, environment);
  BOOST_TEST(line(3) == "three");
  BOOST_TEST(contents(file) == "one\ntwo\nthree\n");
  BOOST_TEST(error([&] { line(0); }) == "line 0 of " + file + " is asked for: lines are counted from 1");
}

BOOST_AUTO_TEST_CASE(printing) {
  const Folder folder;
  Said said;
  call("ModelicaInternal_print", {"hello", ""}, {}, &said);
  BOOST_TEST(said.printed == "hello\n");
  run("ModelicaInternal_print", {"hello", folder.path + "/new.txt"});
  BOOST_TEST(contents(folder.path + "/new.txt") == "hello\n");
  BOOST_TEST(error([&] { run("ModelicaInternal_print", {"x", folder.path}); }) == "cannot print into " + folder.path + ": it is not a regular file");
  BOOST_TEST(error([&] { run("ModelicaInternal_print", {"x", "/dev/full"}); }) == "cannot print into /dev/full: it is not a regular file");
  BOOST_TEST(error([&] { run("ModelicaInternal_print", {"x", folder.path + "/no/f"}); }) == "cannot print into " + folder.path + "/no/f: No such file or directory");
  BOOST_TEST(error([] { run("ModelicaError", {"so it is"}); }) == "so it is");
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_read_is_told) {
  const Folder folder;
  const std::string none = folder.path + "/none";
  for (const char* name : {"ModelicaInternal_countLines"}) {
    BOOST_TEST(error([&] { number(name, {none}); }) == "there is no file " + none);
    BOOST_TEST(error([&] { number(name, {folder.path}); }) == folder.path + " is not a regular file");
    BOOST_TEST(error([&] { number(name, {"/dev/zero"}); }) == "/dev/zero is not a regular file");
  }
}

BOOST_AUTO_TEST_CASE(files_and_directories) {
  const Folder folder;
  const std::string a = folder.file("a", "1"), b = folder.path + "/b", d = folder.path + "/d";
  const auto type = [](const std::string& name) { return number("ModelicaInternal_stat", {name}); };
  BOOST_TEST(type(a) == 2);
  BOOST_TEST(type(b) == 1);
  BOOST_TEST(type(folder.path) == 3);
  BOOST_TEST(type("/dev/null") == 4);
  run("ModelicaInternal_copyFile", {a, b});
  BOOST_TEST(contents(b) == "1");
  BOOST_TEST(error([&] { run("ModelicaInternal_copyFile", {a, b}); }) == "cannot copy " + a + " to " + b + ": " + b + " exists");
  run("ModelicaInternal_removeFile", {a});
  BOOST_TEST(type(a) == 1);
  BOOST_TEST(error([&] { run("ModelicaInternal_removeFile", {a}); }) == "cannot remove the file " + a + ": it does not exist");
  BOOST_TEST(error([&] { run("ModelicaInternal_removeFile", {folder.path}); }) == "cannot remove " + folder.path + ": it is not a regular file");
  run("ModelicaInternal_rename", {b, a});
  BOOST_TEST(type(b) == 1);
  BOOST_TEST(contents(a) == "1");
  run("ModelicaInternal_mkdir", {d});
  BOOST_TEST(type(d) == 3);
  BOOST_TEST(error([&] { run("ModelicaInternal_mkdir", {d}); }) == "cannot make the directory " + d + ": it exists");
  BOOST_TEST(error([&] { run("ModelicaInternal_rename", {a, d}); }) == "cannot rename " + a + " to " + d + ": " + d + " exists");
  BOOST_TEST(number("ModelicaInternal_getNumberOfFiles", {folder.path}) == 2);
  std::vector<std::string> names(2);
  native::Out out{{}, &names, nullptr};
  call("ModelicaInternal_readDirectory", {folder.path, 2}, {&out, 1});
  BOOST_TEST((names == std::vector<std::string>{"a", "d"}));
  BOOST_TEST(error([&] { run("ModelicaInternal_rmdir", {folder.path}); }) == "cannot remove the directory " + folder.path + ": Directory not empty");
  BOOST_TEST(error([&] { run("ModelicaInternal_rmdir", {a}); }) == "cannot remove the directory " + a + ": there is no such directory");
  run("ModelicaInternal_rmdir", {d});
  BOOST_TEST(type(d) == 1);
}

BOOST_AUTO_TEST_CASE(names_and_the_process) {
  const Folder folder;
  const std::string here = std::filesystem::current_path().string();
  const auto full = [](const std::string& name) { return text("ModelicaInternal_fullPathName", {name}); };
  BOOST_TEST(text("ModelicaInternal_getcwd", {0}) == here);
  BOOST_TEST(full("none") == here + "/none");
  BOOST_TEST(full("x/../none") == here + "/none");
  BOOST_TEST(full("/") == "/");
  BOOST_TEST(full("/none/") == "/none/");
  const std::string name = text("ModelicaInternal_temporaryFileName", {});
  BOOST_TEST(std::filesystem::path(name).is_absolute());
  BOOST_TEST(!std::filesystem::exists(name));
  run("ModelicaInternal_chdir", {folder.path});
  BOOST_TEST(std::filesystem::equivalent(".", folder.path));
  std::filesystem::current_path(here);
  BOOST_TEST(error([&] { run("ModelicaInternal_chdir", {folder.path + "/none"}); }) ==
             "cannot make " + folder.path + "/none the work directory: No such file or directory");
  const auto variable = [](const char* name) {
    std::vector<std::string> content(1);
    double exists = -1;
    native::Out out[] = {{{}, &content, nullptr}, {{&exists, 1}, nullptr, nullptr}};
    call("ModelicaInternal_getenv", {name, 0}, out);
    return content[0] + (exists == 1 ? " is there" : " is not");
  };
  unsetenv("MOSIM_TEST");
  BOOST_TEST(variable("MOSIM_TEST") == " is not");
  run("ModelicaInternal_setenv", {"MOSIM_TEST", "x", 0});
  BOOST_TEST(variable("MOSIM_TEST") == "x is there");
  unsetenv("MOSIM_TEST");
  BOOST_TEST(error([] { run("ModelicaInternal_setenv", {"a=b", "x", 0}); }) == "\"a=b\" cannot be the name of an environment variable");
  BOOST_TEST(number("ModelicaInternal_getpid", {}) == getpid());
  std::vector<double> parts(7, -1);
  std::vector<native::Out> out;
  for (double& part : parts) out.push_back({{&part, 1}, nullptr, nullptr});
  call("ModelicaInternal_getTime", {}, out);
  const double most[] = {999, 60, 59, 23, 31, 12, 1e4};
  for (std::size_t i = 0; i < 7; ++i) BOOST_TEST((parts[i] >= 0 && parts[i] <= most[i]));
  BOOST_TEST(parts[6] >= 2015);
  // Other programs are not run.
  BOOST_TEST(!native::find("system"));
}

BOOST_AUTO_TEST_CASE(matrices_are_written_and_read_again) {
  const Folder folder;
  const std::vector<double> a{1, 2, 3, 4, 5, 6}, b{-1, 1e300};
  for (const char* format : {"4", "6", "7", "7.3"}) {
    const std::string file = folder.path + "/f" + format + ".mat";
    BOOST_TEST(number("ModelicaIO_writeRealMatrix", {file, "a", a, 2, 3, 0, format}) == 1);
    BOOST_TEST(number("ModelicaIO_writeRealMatrix", {file, "b", b, 2, 1, 1, format}) == 1);
    BOOST_TEST((numbers("ModelicaIO_readMatrixSizes", {file, "a"}, 2) == std::vector<double>{2, 3}));
    BOOST_TEST((numbers("ModelicaIO_readMatrixSizes", {file, "b"}, 2) == std::vector<double>{2, 1}));
    BOOST_TEST((numbers("ModelicaIO_readRealMatrix", {file, "a", 2, 3, 0}, 6) == a));
    BOOST_TEST((numbers("ModelicaIO_readRealMatrix", {file, "b", 2, 1, 0}, 2) == b));
    BOOST_TEST(error([&] { numbers("ModelicaIO_readRealMatrix", {file, "a", 3, 2, 0}, 6); }) == "\"a\" in file " + file + " is 2 x 3, but 3 x 2 is asked for");
    // Without append the file begins anew.
    BOOST_TEST(number("ModelicaIO_writeRealMatrix", {file, "c", b, 1, 2, 0, format}) == 1);
    BOOST_TEST(error([&] { numbers("ModelicaIO_readMatrixSizes", {file, "a"}, 2); }) == "file " + file + " holds no matrix \"a\"; it holds c");
  }
  // One of the same name is replaced where the format allows it.
  const std::string file = folder.path + "/r.mat";
  BOOST_TEST(number("ModelicaIO_writeRealMatrix", {file, "a", a, 2, 3, 0, "7"}) == 1);
  BOOST_TEST(number("ModelicaIO_writeRealMatrix", {file, "b", b, 2, 1, 1, "7"}) == 1);
  BOOST_TEST(number("ModelicaIO_writeRealMatrix", {file, "a", b, 1, 2, 1, "7"}) == 1);
  BOOST_TEST((numbers("ModelicaIO_readRealMatrix", {file, "a", 1, 2, 0}, 2) == b));
  BOOST_TEST((numbers("ModelicaIO_readRealMatrix", {file, "b", 2, 1, 0}, 2) == b));
}

BOOST_AUTO_TEST_CASE(a_matrix_that_cannot_be_written_is_told) {
  const Folder folder;
  Said said;
  double success = -1;
  native::Out out{{&success, 1}, nullptr, nullptr};
  call("ModelicaIO_writeRealMatrix", {folder.path + "/no/f.mat", "a", std::vector<double>{1}, 1, 1, 0, "4"}, {&out, 1}, &said);
  BOOST_TEST(success == 0);
  BOOST_TEST(said.printed == "cannot make the file " + folder.path + "/no/f.mat\n");
  BOOST_TEST(error([&] { number("ModelicaIO_writeRealMatrix", {folder.path + "/f.mat", "a", std::vector<double>{1}, 1, 1, 0, "5"}); }) ==
             "\"5\" is no format of MATLAB's files: it is one of \"4\", \"6\", \"7\" and \"7.3\"");
  BOOST_TEST(error([&] { number("ModelicaIO_writeRealMatrix", {"/dev/full", "a", std::vector<double>{1}, 1, 1, 0, "4"}); }) ==
             "cannot write /dev/full: it is not a regular file");
}

BOOST_AUTO_TEST_SUITE_END()
