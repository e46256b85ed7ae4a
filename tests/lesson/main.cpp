#define BOOST_TEST_MODULE lesson
#include <boost/test/unit_test.hpp>
