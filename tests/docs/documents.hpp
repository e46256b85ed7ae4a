#pragma once
// Documents with commands in them: a block fenced as ```console holds lines that begin with "$ ", each followed by what
// the command prints. A line "..." in that stands for any number of lines, " ..." at a line's end for the rest of it.

#include <string>
#include <vector>

namespace mosim::tests {

struct Command {
  std::string line;                    // without "$ "
  std::vector<std::string> output;
  std::size_t number = 0;              // of its line in the document, from 1
};

std::vector<Command> commands_in(const std::string& document);

/// Whether lines are as expected, "..." included.
bool matches(const std::vector<std::string>& expected, const std::vector<std::string>& found);

/// The targets of links and pictures in a document, those on the web left out.
std::vector<std::string> local_links(const std::string& document);

}  // namespace mosim::tests
