#define BOOST_TEST_MODULE verify
#include <boost/test/unit_test.hpp>
