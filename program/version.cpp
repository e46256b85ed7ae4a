#include "program/version.hpp"

namespace mosim {

const char* const version = MOSIM_VERSION;

}  // namespace mosim
