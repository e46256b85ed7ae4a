#pragma once
// What is said of a wrong call.

#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <string>

namespace mosim::tests {

template <class F>
std::string refused(F call) {
  try {
    call();
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "nothing was refused";
}

}  // namespace mosim::tests
