#pragma once
// What was meant by arguments that are none of this command's.

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mosim::cli {

/// What is wrong with the arguments, and a remedy; empty if nothing is seen. Looks for: an option with one dash or
/// misspelt, blanks around the '=' of --set or between names, a decimal comma.
std::string mistaken_argument(const CLI::App& app, const std::vector<std::string>& arguments);

/// Words for a file that is not there, with the file beside it that was meant.
std::string missing_file(const std::string& path);

/// Words for a file that was read without errors and declares no class, where a model was looked for in it.
std::string file_without_class(const std::string& path);
/// The same for the last of the files that a command reads, with what to do.
std::string last_file_without_class(const std::string& path);

}  // namespace mosim::cli
