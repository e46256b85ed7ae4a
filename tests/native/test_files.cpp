// Tables in files: the text format, comma-separated values, MATLAB's; and each mistake in them by what is said about it.

#include <matio.h>

#include <sstream>

#include "calls.hpp"

using namespace calls;

namespace {

std::unique_ptr<native::Object> table(const std::string& file, const std::string& name, Said* said = nullptr, const std::string& delimiter = ",", int header = 0) {
  return object("ModelicaStandardTables_CombiTable1D_init3",
                {file, name, std::vector<double>{}, 0, 2, std::vector<double>{2}, 1, 1, 2, said ? 1 : 0, delimiter, header}, said);
}

double at(const std::unique_ptr<native::Object>& table, double u) { return number("ModelicaStandardTables_CombiTable1D_getValue", {table, 1, u}); }

std::string problem(const std::string& file, const std::string& name = "tab", const std::string& delimiter = ",", int header = 0) {
  const std::string said = error([&] { table(file, name, nullptr, delimiter, header); });
  const std::size_t at = said.find(file);  // without the folder
  return at == std::string::npos ? said : said.substr(0, at) + "FILE" + said.substr(at + file.size());
}

struct Numbers {
  std::size_t rows, columns;
  std::vector<double> by_column;
};

void write_mat(const std::string& path, mat_ft version, const Numbers& numbers, const char* name = "tab", bool complex = false) {
  mat_t* const file = Mat_CreateVer(path.c_str(), nullptr, version);
  BOOST_REQUIRE(file);
  std::size_t sizes[2] = {numbers.rows, numbers.columns};
  std::vector<double> copy = numbers.by_column;
  mat_complex_split_t both{copy.data(), copy.data()};
  matvar_t* const variable = Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, sizes, complex ? static_cast<void*>(&both) : copy.data(), complex ? MAT_F_COMPLEX : 0);
  Mat_VarWrite(file, variable, version == MAT_FT_MAT5 ? MAT_COMPRESSION_ZLIB : MAT_COMPRESSION_NONE);
  Mat_VarFree(variable);
  Mat_Close(file);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(files)

BOOST_AUTO_TEST_CASE(the_documented_text_file) {
  const Folder folder;
  const std::string file = folder.file("tables.txt",
                                       "#1\ndouble tab1(5,2)   # comment line\n  0   0\n  1   1\n  2   4\n  3   9\n  4  16\n"
                                       "double tab2(5,2)   # another comment line\n  0   0\n  2   2\n  4   8\n  6  18\n  8  32\n");
  BOOST_TEST(at(table(file, "tab1"), 2.5) == 6.5);
  BOOST_TEST(at(table(file, "tab2"), 5) == 13);
  Said said;
  table(file, "tab2", &said);
  BOOST_TEST(said.printed == "Loading table \"tab2\" from file \"" + file + "\"\n");
}

BOOST_AUTO_TEST_CASE(separators_comments_and_line_ends_are_free) {
  const Folder folder;
  const std::string file = folder.file("t", "\xEF\xBB\xBF#1 version\r\n# caf\xC3\xA9\r\nfloat\ttab ( 3 , 2 )#x\r\n+0,-1.5;\t1\r\n# double tab(9,9)\r\n.5e1 2.,# 7\r\n+2.e1");
  const auto it = table(file, "tab");
  BOOST_TEST(at(it, 0) == -1.5);
  BOOST_TEST(at(it, 1) == 5);
  BOOST_TEST(at(it, 2) == 20);
  BOOST_TEST(at(table(folder.file("small", "#1\ndouble tab(2,2) 0 1e-320 1 1e-400"), "tab"), 0) == 1e-320);
}

BOOST_AUTO_TEST_CASE(each_mistake_in_a_text_file_has_its_place) {
  const Folder folder;
  const auto of = [&](const char* contents) { return problem(folder.file("t.txt", contents)); };
  BOOST_TEST(problem(folder.path + "/none.txt") == "there is no file FILE");
  BOOST_TEST(problem(folder.path) == "FILE is not a regular file");
  BOOST_TEST(of("") == "FILE:1:1: a file of tables in text form begins with #1");
  BOOST_TEST(of("#2\n") == "FILE:1:1: a file of tables in text form begins with #1");
  BOOST_TEST(of("#1\n") == "file FILE holds no table \"tab\", nor any other");
  BOOST_TEST(of("#1\ndouble a(1,2) 1 2\ndouble b(1,2)\n 3 4\n") == "file FILE holds no table \"tab\"; it holds a, b");
  BOOST_TEST(of("#1\n\n  1 2\n") == "FILE:3:3: a table begins with its type, as in double name(4,2)");
  BOOST_TEST(of("#1\ndouble (2,2)\n") == "FILE:2:8: the name of a table is missing: a table begins with, for example, double name(4,2)");
  BOOST_TEST(of("#1\ndouble tab 2,2\n") == "FILE:2:12: ( is missing behind the table's name: its size is given as in double name(4,2)");
  BOOST_TEST(of("#1\ndouble tab(2;2)\n") == "FILE:2:13: a comma is missing between the two sizes of table \"tab\"");
  BOOST_TEST(of("#1\ndouble tab(2,x)\n") == "FILE:2:14: a size is missing: a table begins with, for example, double name(4,2)");
  BOOST_TEST(of("#1\ndouble tab(2,2\n") == "FILE:2:15: ) is missing behind the sizes of table \"tab\"");
  BOOST_TEST(of("#1\ndouble tab(2,2)\n0 1\n1 x2\n") == "FILE:4:3: \"x2\" is no number: table \"tab\" is 2 x 2, and only numbers belong there");
  BOOST_TEST(of("#1\ndouble tab(2,2)\n0 1\n1 2x\n") == "FILE:4:3: \"2x\" is no number: table \"tab\" is 2 x 2, and only numbers belong there");
  BOOST_TEST(of("#1\ndouble tab(2,2)\n0 nan\n1 2\n") == "FILE:3:3: \"nan\" is no number: table \"tab\" is 2 x 2, and only numbers belong there");
  BOOST_TEST(of("#1\ndouble tab(2,2)\n0 1\n1 1e999\n") == "FILE:4:3: the number is too large for a Real");
  BOOST_TEST(of("#1\ndouble tab(3,2)\n0 1\n1 2\n2") ==
             "FILE:5:2: table \"tab\" is 3 x 2 and needs 6 numbers, but only 5 are there (2 full rows)");
  BOOST_TEST(of("#1\ndouble tab(3,2)\n0 1\ndouble b(1,2) 1 2") ==
             "FILE:4:1: table \"tab\" is 3 x 2 and needs 6 numbers, but only 2 are there (1 full rows)");
  BOOST_TEST(of("#1\ndouble tab(999999999999,999999999999)\n0 1\n") == "FILE:2:37: the sizes of table \"tab\" are too large");
  BOOST_TEST(of("#1\ndouble tab(999999999999,2)\n0 1\n") ==
             "FILE:4:1: table \"tab\" is 999999999999 x 2 and needs 1999999999998 numbers, but only 2 are there (1 full rows)");
  BOOST_TEST(of("#1\ndouble tab(2,2)\n0 1\n1 2\n3 4\n") == "FILE:5:1: table \"tab\" is 2 x 2, but more follows: mend the size, or begin a comment with #");
  BOOST_TEST(of("#1\ndouble tab(2,2)\n1 1\n1 2\n") ==
             "table \"tab\" in FILE: the abscissas in the first column have to increase, but row 1 has 1 and row 2 has 1");
  BOOST_TEST(of("#1\ndouble tab(0,2)\n") == "table \"tab\" in FILE is empty: 0 x 2");
  BOOST_TEST(of("#1\ndouble tab(0,0)\n") == "table \"tab\" in FILE is empty: 0 x 0");
}

BOOST_AUTO_TEST_CASE(comma_separated_values) {
  const Folder folder;
  BOOST_TEST(at(table(folder.file("a.csv", "t,y\n0,1\n2,5\n"), "Values", nullptr, ",", 1), 1) == 3);
  BOOST_TEST(at(table(folder.file("b.CSV", "0 ; 1\r\n\r\n 2;5 \r\n"), "Values", nullptr, ";"), 1) == 3);
  BOOST_TEST(at(table(folder.file("c.csv", "0\t1\n2\t5"), "Values", nullptr, "\t"), 1) == 3);
  BOOST_TEST(at(table(folder.file("d.csv", "  0   1\n2 5  \n"), "Values", nullptr, " "), 1) == 3);
  const auto of = [&](const char* contents, int header = 0, const char* delimiter = ",") {
    return problem(folder.file("t.csv", contents), "Values", delimiter, header);
  };
  BOOST_TEST(of("t,y\n0,1\n") == "FILE:1:1: \"t\" is no number: only numbers may stand behind the header lines, of which there should be 0");
  BOOST_TEST(of("0,1\n2,\n") == "FILE:2:3: nothing stands here: only numbers may stand behind the header lines, of which there should be 0");
  BOOST_TEST(of("0,1\n2,5,7\n") == "FILE:2:6: this line has 3 numbers, but the lines before it have 2");
  BOOST_TEST(of("0 1\n") == "FILE:1:3: the delimiter \",\" is missing");
  BOOST_TEST(of("0;1\n") == "FILE:1:1: \"0;1\" is no number: only numbers may stand behind the header lines, of which there should be 0");
  BOOST_TEST(of("a\n", 2) == "file FILE ends within its header lines, of which there should be 2");
  BOOST_TEST(of("\n\n") == "file FILE holds no numbers");
  BOOST_TEST(of("0,1\n", 0, "") == "the delimiter of FILE has to be one character, but it is \"\"");
}

BOOST_AUTO_TEST_CASE(matlab_files_of_each_version) {
  const Folder folder;
  for (const mat_ft version : {MAT_FT_MAT4, MAT_FT_MAT5, MAT_FT_MAT73}) {
    const std::string file = folder.path + "/t" + std::to_string(version) + ".mat";
    write_mat(file, version, {3, 2, {0, 1, 2, 10, 20, 50}});
    const auto it = table(file, "tab");
    BOOST_TEST(at(it, 0.5) == 15);
    BOOST_TEST(at(it, 1.5) == 35);
    BOOST_TEST(problem(file, "other") == "file FILE holds no matrix \"other\"; it holds tab");
    BOOST_TEST(problem(file, "tab.x") == "\"tab\" in file FILE is no structure, so it has no field \"x\"");
  }
  write_mat(folder.path + "/c.mat", MAT_FT_MAT5, {2, 2, {0, 1, 2, 3}}, "tab", true);
  BOOST_TEST(problem(folder.path + "/c.mat") == "\"tab\" in file FILE holds complex numbers");
  BOOST_TEST(problem(folder.path + "/none.mat") == "there is no file FILE");
  BOOST_TEST(problem(folder.file("text.mat", "#1\ndouble tab(2,2) 0 1 1 2 and some more text, so that it is longer than any head of such a file\n")) ==
             "cannot read FILE: it is no file of MATLAB (.mat)");
}

BOOST_AUTO_TEST_CASE(a_damaged_matlab_file_ends_no_run) {
  // Each byte of the head and the directory in turn: a matrix of the given size comes out, or an error.
  const Folder folder;
  for (const mat_ft version : {MAT_FT_MAT4, MAT_FT_MAT5, MAT_FT_MAT73}) {
    const std::string file = folder.path + "/whole.mat", broken = folder.path + "/broken.mat";
    write_mat(file, version, {3, 2, {0, 1, 2, 10, 20, 50}});
    std::ostringstream all;
    all << std::ifstream(file, std::ios::binary).rdbuf();
    std::string bytes = all.str();
    std::size_t errors = 0;
    const std::size_t step = bytes.size() < 400 ? 1 : bytes.size() / 150;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
      const char was = bytes[at];
      bytes[at] = static_cast<char>(~was);
      folder.file("broken.mat", bytes);
      bytes[at] = was;
      errors += error([&] { table(broken, "tab"); }) != "no error";
      folder.file("broken.mat", bytes.substr(0, at));
      BOOST_TEST(error([&] { numbers("ModelicaIO_readMatrixSizes", {broken, "tab"}, 2); }) != "");
    }
    BOOST_TEST(errors > 0);
  }
}

BOOST_AUTO_TEST_SUITE_END()
