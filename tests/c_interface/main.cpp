#define BOOST_TEST_MODULE c_interface
#include <boost/test/unit_test.hpp>
