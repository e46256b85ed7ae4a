// What a file brings back is the program that was written.

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <set>

#include "compiler/compile.hpp"
#include "program/flaws.hpp"
#include "runtime/opcode.hpp"
#include "tests/program/support.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

namespace fs = std::filesystem;

/// Same bytes again, and the same run.
void check(const runtime::Program& program) {
  const auto flaw = program::find_flaw(program);
  BOOST_TEST(!flaw, (flaw ? *flaw : ""));
  const std::string bytes = bytes_of(program);
  const auto found = read(bytes);
  const auto* model = std::get_if<program::Model>(&found);
  BOOST_REQUIRE_MESSAGE(model, cause(bytes));
  BOOST_TEST((bytes_of(model->program) == bytes));
  runtime::Options options;
  options.stop = program.experiment.stop.value_or(1);
  options.intervals = 100;
  BOOST_TEST((outcome(model->program, options) == outcome(program, options)));
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_model_of_the_book_comes_back) {
  std::size_t models = 0;
  std::set<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(MODELS))
    if (entry.path().extension() == ".mo" && entry.path().string().find("/Modelica/") == std::string::npos) files.insert(entry.path());
  for (const fs::path& file : files) {
    compiler::Reading reading;
    const auto classes = reading.library.read(file.string());
    if (classes.empty()) continue;
    compiler::Request request;
    request.model = reading.name_of(classes.back());
    compiler::Compilation compilation(reading, std::move(request));
    if (!compilation.program()) continue;   // a package
    BOOST_TEST_CONTEXT(file) check(*compilation.program());
    ++models;
  }
  BOOST_TEST(models >= 50u);
}

BOOST_AUTO_TEST_CASE(small_models_with_a_bit_of_everything_come_back) {
  for (const Small& small : small_models())
    BOOST_TEST_CONTEXT(small.name) check(compile(small));
}

BOOST_AUTO_TEST_CASE(tables_of_all_kinds_are_among_the_small_models) {
  std::set<runtime::Opcode> opcodes;
  std::set<std::string> tables;
  for (const Small& small : small_models()) {
    const runtime::Program p = compile(small);
    for (const auto& i : p.code) opcodes.insert(i.op);
    const auto has = [&](const char* name, bool there) {
      if (there) tables.insert(name);
    };
    has("clocks", !p.clocks.empty()), has("samples", !p.samples.empty()), has("reinits", !p.reinits.empty()), has("delays", !p.delays.empty());
    has("spatial distributions", !p.spatial_distributions.empty()), has("blocks", !p.blocks.empty()), has("mixed", !p.mixed.empty()), has("state sets", !p.state_sets.empty());
    has("texts", !p.texts.empty()), has("functions", !p.functions.empty()), has("externals", !p.externals.empty()), has("arrays", p.arrays > 0);
    has("transitions", !p.transitions.empty()), has("bounds", !p.bounds.empty()), has("whens", !p.whens.empty());
  }
  BOOST_TEST(tables.size() == 15u);
  using runtime::Opcode;
  for (const Opcode op : {Opcode::text, Opcode::precedes, Opcode::load, Opcode::store, Opcode::create, Opcode::item, Opcode::put, Opcode::assign_array, Opcode::loop,
                          Opcode::call, Opcode::external, Opcode::return_, Opcode::relation, Opcode::time_relation, Opcode::event_function, Opcode::quiet_relation,
                          Opcode::delay, Opcode::spatial_distribution, Opcode::solve, Opcode::settle, Opcode::reinit, Opcode::check, Opcode::terminate, Opcode::body, Opcode::kernel})
    BOOST_TEST(opcodes.contains(op), runtime::facts(op).name);
}

BOOST_AUTO_TEST_CASE(the_texts_come_along) {
  const program::Model model{compile(small_models().front()), {{"test.mo", "model M end M;"}, {"b.mo", ""}}};
  const auto found = read(program::write(model.program, model.sources));
  BOOST_REQUIRE(std::holds_alternative<program::Model>(found));
  const auto& sources = std::get<program::Model>(found).sources;
  BOOST_REQUIRE(sources.size() == 2u);
  BOOST_TEST(sources[0].path == "test.mo");
  BOOST_TEST(sources[0].text == "model M end M;");
  BOOST_TEST(sources[1].path == "b.mo");
}

// Thousands of variables of an enumeration share its literals, in the file as well.
BOOST_AUTO_TEST_CASE(literals_are_there_once) {
  runtime::Program program = compile("model M end M;");
  const runtime::Literals literals(std::vector<std::string>{"a_literal_of_some_length", "b"});
  const std::size_t before = bytes_of(program).size();
  for (int k = 0; k < 100; ++k) {
    runtime::Variable v;
    v.literals = literals;
    program.variables.push_back(v);
  }
  const std::string bytes = bytes_of(program);
  BOOST_TEST(bytes.find("a_literal_of_some_length") != std::string::npos);
  BOOST_TEST(bytes.find("a_literal_of_some_length") == bytes.rfind("a_literal_of_some_length"));
  BOOST_TEST(bytes.size() - before < 100u * 110);
  const auto found = read(bytes);
  BOOST_REQUIRE(std::holds_alternative<program::Model>(found));
  const auto& variables = std::get<program::Model>(found).program.variables;
  BOOST_TEST(&variables.back().literals.list() == &variables[variables.size() - 2].literals.list());
  BOOST_TEST((variables.back().literals == literals));
}
