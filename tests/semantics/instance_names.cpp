// getInstanceName: the name of the model that is simulated, without the packages that it stands in, and the instance's (the example of
// MLS 3.7.4, MyLib.Vehicle: "Vehicle.engine.controller").

#include <boost/test/unit_test.hpp>

#include "compiler/compile.hpp"
#include "support.hpp"

using namespace mosim;

BOOST_AUTO_TEST_SUITE(instance_names)

BOOST_AUTO_TEST_CASE(of_a_model_in_a_package) {
  const std::string controller = "model Controller parameter String name = getInstanceName(); equation assert(name == \"%\", name); end Controller; ";
  const auto with = [&](std::string expected) {
    std::string text = controller;
    return text.replace(text.find('%'), 1, expected);
  };
  for (const auto& [vehicle, expected] : {std::pair{"Vehicle", "Vehicle.engine.controller"}, std::pair{"'a.b'", "'a.b'.engine.controller"}}) {
    compiler::Reading reading(compiler::Bundled::without);
    reading.library.read_text("test.mo", "package MyLib model " + std::string(vehicle) + " Engine engine; end " + vehicle + "; model Engine Controller controller; end Engine; " + with(expected) + "end MyLib;");
    compiler::Compilation compilation(reading, {"MyLib." + std::string(vehicle), {}});
    BOOST_REQUIRE_MESSAGE(compilation.program(), reading.said());
    const runtime::Result result = runtime::simulate(*compilation.program(), {});
    BOOST_TEST((result.ending != runtime::Ending::failed), expected);
  }
}

BOOST_AUTO_TEST_SUITE_END()
