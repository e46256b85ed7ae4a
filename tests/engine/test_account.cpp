// What a result says of its run in words, and shows of it on a page.

#include <boost/test/unit_test.hpp>

#include "mosim/session.hpp"

using namespace mosim;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::shared_ptr<const Model> ball() {
  Session s;
  const auto classes = s.read(MODELS "/DiscreteBehavior/BouncingBall/BouncingBall.mo");
  return s.compile(classes.at(0));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(account)

BOOST_AUTO_TEST_CASE(the_report_tells_why_the_ball_falls) {
  Result r;
  {
    const auto model = ball();
    r = model->simulate({.stop = 10, .tolerance = 1e-8});
  }   // the result keeps what it speaks of
  const std::string report = r.report();
  BOOST_TEST(report.find("DiscreteBehavior.BouncingBall.BouncingBall - ") == 0u);
  BOOST_TEST(has(report, "simulated   0 to 10 s, tolerance 1e-08, BDF"));
  BOOST_TEST(has(report, "Zeno        h < 0  ("));
  BOOST_TEST(has(report, "BouncingBall.mo:18:8): the intervals between its events shrink by the ratio 0.8,"));
  BOOST_TEST(!has(report, "ms run"));
}

BOOST_AUTO_TEST_CASE(the_event_log) {
  const Result r = ball()->simulate({.stop = 1});
  const std::string log = r.event_log();
  BOOST_TEST(log.find("Events of DiscreteBehavior.BouncingBall.BouncingBall from 0 to 1 s") == 0u);
  BOOST_TEST(has(log, "h < 0 becomes true"));
}

BOOST_AUTO_TEST_CASE(the_page) {
  const Result r = ball()->simulate({.stop = 1, .results = std::vector<std::string>{"h"}});
  const std::string page = r.page({"h"});
  BOOST_TEST(has(page, "<title>DiscreteBehavior.BouncingBall.BouncingBall</title>"));
  BOOST_TEST(has(page, "model BouncingBall"));           // the source
  BOOST_TEST(has(page, "\"name\":\"h\""));
  BOOST_TEST(has(page, "\"name\":\"e\""));               // a parameter
  BOOST_TEST(!has(page, "\"name\":\"der(v)\""));         // was not recorded
  BOOST_TEST(has(page, "becomes"));                      // an event
  BOOST_CHECK_THROW((void)r.page({"nobody"}), std::invalid_argument);
  BOOST_TEST(r.page() == r.page());
}

BOOST_AUTO_TEST_CASE(a_run_that_failed) {
  Session s;
  s.read_text("m.mo", "model M Real x(start = 1, fixed = true); equation der(x) = -1; assert(x > 0.5, \"too small\"); end M;");
  const Result r = s.compile("M")->simulate({.stop = 1});
  BOOST_CHECK(r.ending == Ending::failed);
  BOOST_TEST(has(r.report(), "FAILED before 1 s"));
  BOOST_TEST(has(r.page(), "The run failed at"));
}

BOOST_AUTO_TEST_CASE(a_result_of_no_run) {
  BOOST_CHECK_THROW((void)Result{}.report(), std::invalid_argument);
  BOOST_CHECK_THROW((void)Result{}.event_log(), std::invalid_argument);
  BOOST_CHECK_THROW((void)Result{}.page(), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
