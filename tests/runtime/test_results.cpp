// Files: CSV and MATLAB level 4, read back by readers of their own. And texts, MLS 3.7.1.

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <unistd.h>

#include "models.hpp"
#include "runtime/results.hpp"
#include "runtime/text.hpp"

using namespace mosim::test;

namespace {

struct TemporaryFile {
  std::string path;
  TemporaryFile() {
    char name[] = "/tmp/mosim_test_XXXXXX";
    close(mkstemp(name));
    path = name;
  }
  ~TemporaryFile() { std::remove(path.c_str()); }
  std::string read() const {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
};

struct Matrix {
  std::int32_t rows = 0, columns = 0;
  std::vector<double> values;
  double at(std::int32_t row, std::int32_t column) const { return values[std::size_t(column * rows + row)]; }
  std::string text(std::int32_t column) const {
    std::string result;
    for (std::int32_t row = 0; row < rows; ++row) result += char(at(row, column));
    while (!result.empty() && result.back() == ' ') result.pop_back();
    return result;
  }
};

// The format as MathWorks documents it: type M O P T, rows, columns, imaginary, length of the name, name, data.
std::map<std::string, Matrix> read_mat4(const std::string& bytes) {
  std::map<std::string, Matrix> result;
  std::size_t at = 0;
  while (at + 20 <= bytes.size()) {
    std::int32_t header[5];
    std::memcpy(header, bytes.data() + at, 20);
    at += 20;
    const std::string name(bytes.data() + at);
    at += std::size_t(header[4]);
    Matrix m{header[1], header[2], {}};
    const std::size_t sizes[] = {8, 4, 4, 2, 2, 1};
    const std::size_t kind = std::size_t(header[0] / 10 % 10), size = sizes[kind];
    for (std::int32_t k = 0; k < m.rows * m.columns; ++k, at += size) {
      double value = 0;
      std::int32_t whole = 0;
      if (kind == 0) std::memcpy(&value, bytes.data() + at, 8);
      if (kind == 2) std::memcpy(&whole, bytes.data() + at, 4), value = whole;
      if (kind == 5) value = static_cast<unsigned char>(bytes[at]);
      m.values.push_back(value);
    }
    result[name] = m;
  }
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(results)

BOOST_AUTO_TEST_CASE(csv_reads_back) {
  Program p = stable_ball();
  p.variables[0].name = "a[1,2]";
  p.variables[1].name = "say \"v\"";
  Options o;
  o.stop = 1;
  o.intervals = 20;
  const Result r = simulate(p, o);
  const TemporaryFile file;
  BOOST_TEST(!write_csv(p, r, file.path));
  std::istringstream text(file.read());
  std::string line;
  std::getline(text, line);
  BOOST_TEST(line == "time,\"a[1,2]\",\"say \"\"v\"\"\",der(h),der(v),done");
  std::size_t k = 0;
  while (std::getline(text, line)) {
    std::istringstream cells(line);
    std::string cell;
    while (std::getline(cells, cell, ',')) {
      BOOST_REQUIRE(k < r.trajectory.values.size());
      BOOST_TEST(std::strtod(cell.c_str(), nullptr) == r.trajectory.values[k++]);
    }
  }
  BOOST_TEST(k == r.trajectory.values.size());
}

BOOST_AUTO_TEST_CASE(aliases_and_signs) {
  Builder b;
  const Slot x = b.slot(2), flag = b.slot(1), zero = b.slot(0);
  b.variable("x", x, Kind::algebraic);
  b.p.variables[b.variable("minus", x, Kind::algebraic)].negated = true;
  b.p.variables[b.variable("not", flag, Kind::discrete, Type::boolean)].negated = true;
  b.p.variables[b.variable("zero", zero, Kind::algebraic)].negated = true;
  Options o;
  o.intervals = 1;
  const Result r = simulate(b.p, o);
  const TemporaryFile file;
  BOOST_TEST(!write_csv(b.p, r, file.path));
  BOOST_TEST(file.read() == "time,x,minus,not,zero\n0,2,-2,0,0\n1,2,-2,0,0\n");
}

BOOST_AUTO_TEST_CASE(mat_reads_back) {
  Program p = stable_ball();
  Variable parameter;
  parameter.name = "e";
  parameter.description = "restitution";
  parameter.unit = "1";
  parameter.kind = Kind::parameter;
  parameter.slot = 11;  // -0.8 in this program
  parameter.negated = true;
  p.variables.push_back(parameter);
  Options o;
  o.stop = 1;
  const Result r = simulate(p, o);
  const TemporaryFile file;
  const auto error = write_mat(p, r, file.path);
  BOOST_REQUIRE_MESSAGE(!error, error.value_or(""));
  const auto mat = read_mat4(file.read());
  BOOST_REQUIRE(mat.size() == 6u);
  const Matrix &kind = mat.at("Aclass"), &name = mat.at("name"), &info = mat.at("dataInfo");
  BOOST_TEST(kind.rows == 4);
  std::string first;
  for (std::int32_t k = 0; k < kind.columns; ++k) first += char(kind.at(0, k));
  BOOST_TEST(first == "Atrajectory");
  BOOST_TEST(name.columns == 7);
  BOOST_TEST(name.text(0) == "time");
  BOOST_TEST(name.text(1) == "e");
  BOOST_TEST(name.text(2) == "h");
  BOOST_TEST(mat.at("description").text(1) == "restitution [1]");
  BOOST_TEST(info.rows == 4);
  BOOST_TEST(info.at(0, 1) == 1);
  BOOST_TEST(mat.at("data_1").at(std::int32_t(info.at(1, 1)) - 1, 0) == 0.8);
  BOOST_TEST(mat.at("data_1").at(0, 1) == 1.0);  // the stop time
  BOOST_TEST(info.at(0, 2) == 2);
  const Matrix& data = mat.at("data_2");
  BOOST_TEST(std::size_t(data.columns) == r.trajectory.rows());
  BOOST_TEST(data.values == r.trajectory.values, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(unwritable) {
  const Program p = Builder().p;
  const Result r = simulate(p, Options());
  BOOST_TEST(write_csv(p, r, "/nonexistent/folder/x.csv").has_value());
  BOOST_TEST(write_mat(p, r, "/nonexistent/folder/x.mat").has_value());
}

BOOST_AUTO_TEST_CASE(program_prints) {
  const std::string text = print(bouncing_ball());
  BOOST_TEST(text.find("der(h) := v") != std::string::npos);
  BOOST_TEST(text.find("relation 0: h < 0") != std::string::npos);
  BOOST_TEST(text.find("reinit 0: v") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(texts) {
  const auto real = [](double value, Format f = {}) { return format_value(value, Type::real, f, {}); };
  BOOST_TEST(real(12.3456) == "12.3456");
  BOOST_TEST(real(0.0123456) == "0.0123456");
  BOOST_TEST(real(12345600) == "1.23456e+07");
  BOOST_TEST(real(4) == "4");
  BOOST_TEST(real(1.0 / 3, {0, true, 3, ""}) == "0.333");
  BOOST_TEST(real(2.5, {6, true, 6, ""}) == "2.5   ");
  BOOST_TEST(real(2.5, {6, false, 6, ""}) == "   2.5");
  BOOST_TEST(real(2.5, {0, true, 6, "8.3f"}) == "   2.500");
  BOOST_TEST(real(2.5, {0, true, 6, "-8.1e"}) == "2.5e+00 ");
  BOOST_TEST(real(2.6, {0, true, 6, "d"}) == "3");
  BOOST_TEST(real(2.5, {0, true, 6, "n%s%s"}) == "2.5");   // not a conversion: never handed to printf
  BOOST_TEST(format_value(42, Type::integer, {}, {}) == "42");
  BOOST_TEST(format_value(42, Type::integer, {0, true, 6, "05d"}, {}) == "00042");
  BOOST_TEST(format_value(255, Type::integer, {0, true, 6, "X"}, {}) == "FF");
  BOOST_TEST(format_value(4, Type::integer, {0, true, 6, ".3f"}, {}) == "4.000");
  BOOST_TEST(format_value(1, Type::boolean, {}, {}) == "true");
  BOOST_TEST(format_value(2, Type::enumeration, {}, std::vector<std::string>{"red", "green"}) == "green");
}

BOOST_AUTO_TEST_SUITE_END()
