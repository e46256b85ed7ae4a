#define BOOST_TEST_MODULE errors
#include <boost/test/unit_test.hpp>
