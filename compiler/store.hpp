#pragma once
// Objects that stay where they are while others are added, many to a block of memory: std::deque has one or two of such a size in each.

#include <boost/container/deque.hpp>

namespace mosim::compiler {

template <class T>
using Store = boost::container::deque<T, void, boost::container::deque_options_t<boost::container::block_size<32u>>>;

}  // namespace mosim::compiler
