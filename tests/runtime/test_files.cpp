// Files of results that grow while a run goes on: whole at any time, also on a disk that is full. .mat is read back by libmatio.

#include <bit>
#include <boost/test/unit_test.hpp>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <sstream>

#include <matio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "models.hpp"
#include "runtime/results.hpp"

using namespace mosim::test;

namespace {

struct Place {
  std::string path;
  Place() {
    char name[] = "/tmp/mosim_test_XXXXXX";
    close(mkstemp(name));
    path = name;
  }
  ~Place() { std::remove(path.c_str()); }
  std::string read() const {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

struct Matrix {
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;
  double at(std::size_t row, std::size_t column) const { return values[column * rows + row]; }
  std::string text(std::size_t column) const {
    std::string result;
    for (std::size_t row = 0; row < rows; ++row) result += char(at(row, column));
    result.erase(result.find_last_not_of(' ') + 1);
    return result;
  }
};

std::map<std::string, Matrix> read_with_libmatio(const std::string& path) {
  std::map<std::string, Matrix> result;
  mat_t* const file = Mat_Open(path.c_str(), MAT_ACC_RDONLY);
  BOOST_REQUIRE(file != nullptr);
  while (matvar_t* const variable = Mat_VarReadNext(file)) {
    Matrix m{variable->dims[0], variable->dims[1], {}};
    for (std::size_t k = 0; k < m.rows * m.columns; ++k) {
      if (variable->data_type == MAT_T_DOUBLE) m.values.push_back(static_cast<const double*>(variable->data)[k]);
      if (variable->data_type == MAT_T_INT32) m.values.push_back(static_cast<const std::int32_t*>(variable->data)[k]);
      if (variable->data_type == MAT_T_UINT8) m.values.push_back(static_cast<const unsigned char*>(variable->data)[k]);
    }
    BOOST_TEST(m.values.size() == m.rows * m.columns, variable->name);
    result[variable->name] = std::move(m);
    Mat_VarFree(variable);
  }
  Mat_Close(file);
  return result;
}

/// x and its opposite, a Boolean and its complement, and parameters p and q = -p.
struct Model {
  Builder b;
  std::vector<double> memory;
  Contents contents;
  Model() {
    const Slot x = b.slot(0), flag = b.slot(0), p = b.slot(7);
    b.variable("x", x, Kind::algebraic);
    negate(b.variable("minus", x, Kind::algebraic));
    b.variable("same", x, Kind::algebraic);
    b.variable("flag", flag, Kind::discrete, Type::boolean);
    negate(b.variable("not", flag, Kind::discrete, Type::boolean));
    b.variable("p", p, Kind::parameter);
    negate(b.variable("q", p, Kind::parameter));
    memory = b.p.memory;
    contents = all_contents(b.p);
  }
  void negate(Index k) { b.p.variables[k].negated = true; }
  /// Row k at time k/100: x is sqrt(k).
  std::vector<double> row(std::size_t k) const {
    const double x = std::sqrt(double(k)), flag = double(k % 2);
    return {0.01 * double(k), x, 0 - x, x, flag, 1 - flag};
  }
};

bool take(ResultFile& file, const Model& m, std::size_t k) { return file.take(m.row(k), k / 3); }

/// The disk is full behind so many bytes of a file.
struct FullDisk {
  rlimit before{};
  explicit FullDisk(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit less{bytes, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &less);
  }
  ~FullDisk() { setrlimit(RLIMIT_FSIZE, &before); }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(files)

BOOST_AUTO_TEST_CASE(a_mat_file_shares_rows_between_names) {
  Model m;
  m.contents.hybrid_time = true;
  const Place place;
  const auto file = open_mat(m.b.p, m.contents, place.path);
  file->begin(m.memory);
  for (std::size_t k = 0; k < 10; ++k) BOOST_TEST(take(*file, m, k));
  file->finish(0.09);
  BOOST_TEST(!file->problem());
  const auto mat = read_with_libmatio(place.path);
  const Matrix &name = mat.at("name"), &info = mat.at("dataInfo"), &constants = mat.at("data_1"), &data = mat.at("data_2");
  BOOST_REQUIRE(name.columns == 9u);   // time, p, q, j, x, minus, same, flag, not
  BOOST_TEST(constants.rows == 2u);    // time, p
  BOOST_TEST(data.rows == 5u);         // time, j, x, flag, not
  BOOST_TEST(data.columns == 10u);
  std::map<std::string, std::vector<double>> values;
  for (std::size_t v = 0; v < name.columns; ++v) {
    const double index = info.at(1, v);
    const Matrix& table = info.at(0, v) == 1 ? constants : data;
    for (std::size_t k = 0; k < table.columns; ++k)
      values[name.text(v)].push_back((index < 0 ? -1 : 1) * table.at(std::size_t(std::abs(index)) - 1, k));
  }
  for (std::size_t k = 0; k < 10; ++k) {
    BOOST_TEST(values["time"][k] == 0.01 * double(k));
    BOOST_TEST(values["j"][k] == double(k / 3));
    BOOST_TEST(values["x"][k] == std::sqrt(double(k)));
    BOOST_TEST(values["minus"][k] == -std::sqrt(double(k)));
    BOOST_TEST(values["same"][k] == std::sqrt(double(k)));
    BOOST_TEST(values["flag"][k] == double(k % 2));
    BOOST_TEST(values["not"][k] == double(1 - k % 2));
  }
  BOOST_TEST(values["p"][0] == 7);
  BOOST_TEST(values["q"][1] == -7);
  BOOST_TEST(constants.at(0, 0) == 0);
  BOOST_TEST(constants.at(0, 1) == 0.09);
}

BOOST_AUTO_TEST_CASE(a_mat_file_can_be_read_while_it_grows) {
  const Model m;
  const Place place;
  const auto file = open_mat(m.b.p, m.contents, place.path);
  file->begin(m.memory);
  std::size_t k = 0, seen = 0;
  for (int look = 0; look < 4; ++look) {
    for (; k < 20'000u * std::size_t(look + 1); ++k) BOOST_REQUIRE(take(*file, m, k));
    const auto mat = read_with_libmatio(place.path);
    const Matrix& data = mat.at("data_2");
    BOOST_TEST(data.columns > seen);
    BOOST_TEST(data.columns + 5000 > k);   // no more is held back than a buffer takes
    seen = data.columns;
    for (std::size_t row = 0; row < seen; row += 997) BOOST_TEST(data.at(1, row) == std::sqrt(double(row)));
    BOOST_TEST(mat.at("data_1").at(0, 1) == data.at(0, seen - 1));
  }
  file->finish(0.01 * double(k - 1));
  BOOST_TEST(read_with_libmatio(place.path).at("data_2").columns == k);
}

BOOST_AUTO_TEST_CASE(a_mat_file_on_a_full_disk_ends_with_a_whole_row) {
  const Model m;
  const Place place;
  std::size_t k = 0;
  {
    const FullDisk disk(1'000'003);
    const auto file = open_mat(m.b.p, m.contents, place.path);
    file->begin(m.memory);
    while (k < 1'000'000 && take(*file, m, k)) ++k;
    BOOST_TEST(k < 50'000u);
    file->finish(0.01 * double(k));
    BOOST_TEST(file->problem().value_or("") == "cannot write " + place.path + ": File too large");
    BOOST_TEST(file->error() == EFBIG);
  }
  const Matrix data = read_with_libmatio(place.path).at("data_2");
  BOOST_TEST(data.columns + 5000 > k);
  BOOST_TEST(data.columns > 20'000u);
  for (std::size_t row = 0; row < data.columns; ++row) BOOST_REQUIRE(data.at(1, row) == std::sqrt(double(row)));
}

BOOST_AUTO_TEST_CASE(a_mat_file_needs_a_place_to_go_back) {
  const Model m;
  const auto file = open_mat(m.b.p, m.contents, "/dev/null");
  BOOST_TEST(file->problem().has_value());
  BOOST_TEST(!take(*file, m, 0));
  file->finish(0);
}

BOOST_AUTO_TEST_CASE(a_csv_file_on_a_full_disk_ends_with_a_whole_row) {
  const Model m;
  const Place place;
  std::size_t k = 0;
  {
    const FullDisk disk(1'000'003);
    const auto file = open_csv(m.b.p, m.contents, place.path);
    file->begin(m.memory);
    while (k < 1'000'000 && take(*file, m, k)) ++k;
    file->finish(0.01 * double(k));
    BOOST_TEST(file->problem().value_or("") == "cannot write " + place.path + ": File too large");
  }
  const std::string text = place.read();
  BOOST_TEST(text.size() > 990'000u);
  BOOST_TEST(text.back() == '\n');
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  BOOST_TEST(line == "time,x,minus,same,flag,not,p,q");
  for (std::size_t row = 0; std::getline(lines, line); ++row) {
    BOOST_REQUIRE(std::count(line.begin(), line.end(), ',') == 7);
    BOOST_REQUIRE(std::strtod(line.substr(line.find(',') + 1).c_str(), nullptr) == std::sqrt(double(row)));
    BOOST_REQUIRE(line.ends_with(",7,-7"));
  }
}

BOOST_AUTO_TEST_CASE(a_csv_file_grows) {
  const Model m;
  const Place place;
  const auto file = open_csv(m.b.p, m.contents, place.path);
  file->begin(m.memory);
  std::size_t k = 0;
  for (; k < 20'000; ++k) BOOST_REQUIRE(take(*file, m, k));
  const std::string text = place.read();
  BOOST_TEST(text.back() == '\n');
  BOOST_TEST(std::size_t(std::count(text.begin(), text.end(), '\n')) + 3000 > k);
  file->finish(200);
}

// Digits of one column serve others: where a row has what its names say, and where it has not.
BOOST_AUTO_TEST_CASE(a_csv_file_has_the_shortest_digits) {
  const Model m;
  const Place place;
  const auto file = open_csv(m.b.p, m.contents, place.path);
  file->begin(m.memory);
  const double extremes[] = {0, -0.0, 1, -1, 0.1, 1e5, 100000.5, 5e-324, -5e-324, -1.2345678901234567e-308, 1.7976931348623157e308, 2.5e-7, 1.0 / 3,
                             std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()};
  std::string expected = "time,x,minus,same,flag,not,p,q\n";
  const auto add = [&](std::vector<double> row) {
    BOOST_REQUIRE(file->take(row, 0));
    for (const double value : row) {
      char digits[64];
      expected += std::isnan(value) ? "nan" : std::string(digits, std::to_chars(digits, digits + 64, value).ptr);
      expected += ',';
    }
    expected += "7,-7\n";
  };
  for (const double x : extremes) {
    add({x, x, 0 - x, x, 1, 0});
    add({x, x, -x, -x, x, -x});
    for (const double y : extremes) add({y, x, y, -y, x, y});
  }
  std::uint64_t bits = 1;
  for (int k = 0; k < 20'000; ++k) {
    const double x = std::bit_cast<double>(bits = bits * 6364136223846793005u + 1442695040888963407u);
    add({double(k), x, 0 - x, x, double(k % 2), double(1 - k % 2)});
  }
  file->finish(0);
  const std::string text = place.read();
  const auto [at, there] = std::mismatch(text.begin(), text.end(), expected.begin(), expected.end());
  BOOST_TEST((at == text.end() && there == expected.end()), "..." << std::string(at, std::min(at + 60, text.end())) << " is not " << std::string(there, std::min(there + 60, expected.end())));
}

BOOST_AUTO_TEST_CASE(files_are_the_same_in_the_background) {
  Model m;
  m.contents.hybrid_time = true;
  for (const auto open : {open_csv, open_mat}) {
    const Place a, b;
    const auto plain = open(m.b.p, m.contents, a.path), other = in_background(open(m.b.p, m.contents, b.path));
    const auto each = [&](const auto& act) {
      for (const auto file : {plain.get(), other.get()}) act(*file);
    };
    each([&](ResultFile& file) { file.begin(m.memory); });
    for (std::size_t k = 0; k < 50'000; ++k) {
      each([&](ResultFile& file) { BOOST_REQUIRE(take(file, m, k)); });
      if (k != 1000 && k != 40'000) continue;
      each([](ResultFile& file) { file.flush(); });
      BOOST_TEST((a.read() == b.read()));
    }
    each([](ResultFile& file) {
      file.finish(500);
      BOOST_TEST(!file.problem());
      BOOST_TEST(file.error() == 0);
    });
    BOOST_TEST((a.read() == b.read()));
  }
}

// What was not finished is written, too.
BOOST_AUTO_TEST_CASE(a_file_in_the_background_that_is_given_up) {
  const Model m;
  const Place place;
  {
    const auto file = in_background(open_csv(m.b.p, m.contents, place.path));
    file->begin(m.memory);
    for (std::size_t k = 0; k < 30'000; ++k) BOOST_REQUIRE(take(*file, m, k));
  }
  const std::string text = place.read();
  BOOST_TEST(std::count(text.begin(), text.end(), '\n') == 30'001);
}

BOOST_AUTO_TEST_CASE(a_file_in_the_background_on_a_full_disk) {
  const Model m;
  const Place place;
  {
    const FullDisk disk(1'000'003);
    const auto file = in_background(open_csv(m.b.p, m.contents, place.path));
    file->begin(m.memory);
    std::size_t k = 0;
    while (k < 1'000'000 && take(*file, m, k)) ++k;
    BOOST_TEST(k < 100'000u);   // it is told
    BOOST_TEST(file->error() == EFBIG);
    file->finish(0.01 * double(k));
    BOOST_TEST(file->problem().value_or("") == "cannot write " + place.path + ": File too large");
    BOOST_TEST(!take(*file, m, k));
  }
  const std::string text = place.read();
  BOOST_TEST(text.size() > 990'000u);
  BOOST_TEST(text.back() == '\n');
}

BOOST_AUTO_TEST_CASE(no_rows_make_a_file_all_the_same) {
  const Model m;
  const Place csv, mat;
  const auto a = open_csv(m.b.p, m.contents, csv.path), b = open_mat(m.b.p, m.contents, mat.path);
  a->finish(0);
  b->finish(0);
  BOOST_TEST(csv.read() == "time,x,minus,same,flag,not\n");
  const auto read = read_with_libmatio(mat.path);
  BOOST_TEST(read.at("name").columns == 6u);
  BOOST_TEST(read.at("data_1").at(0, 0) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
