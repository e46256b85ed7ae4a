#pragma once
// The files that make the page, compiled in (see page_files.cmake).

#include <string_view>

namespace mosim::report {

std::string_view page_template();   // with @title@, @style@, @library@, @model@, @data@ and @script@ to be filled in
std::string_view page_style();
std::string_view page_script();
std::string_view page_library();    // dygraphs and its synchronizer, with their licence
std::string_view page_library_style();

}  // namespace mosim::report
