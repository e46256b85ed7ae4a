#define BOOST_TEST_MODULE foreign
#include <boost/test/unit_test.hpp>
