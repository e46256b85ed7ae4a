#define BOOST_TEST_MODULE semantics
#include <boost/test/unit_test.hpp>
