#define BOOST_TEST_MODULE parser
#include <boost/test/unit_test.hpp>
