#pragma once
// How a picture in a file looks.

#include <optional>
#include <string>

namespace mosim::cli {

struct PictureStyle {
  struct Size { int width, height; };   // pixels; in a PDF 96 of them are an inch
  std::string title;                    // empty: the model's name
  std::optional<Size> size;             // none: 960 wide (a PNG has twice the pixels), and as high as its panels need
  std::string font;                     // family; empty: sans-serif
  double font_size = 13;                // pixels of the labels
};

/// "1280x720". Between 100 and 10,000 pixels each; none if it is no such text.
std::optional<PictureStyle::Size> picture_size(const std::string& text);

/// "DejaVu Serif", "DejaVu Serif,20" or "20" into font and font_size (4 to 200). Returns what is wrong, if anything.
std::optional<std::string> set_font(PictureStyle& style, const std::string& text);

}  // namespace mosim::cli
