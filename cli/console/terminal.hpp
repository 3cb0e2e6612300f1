#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/console/command.hpp"
#include "tamis/core/remedy.hpp"

namespace tamis::cli {

/// What one of the standard streams can show.
struct Screen {
  bool is_terminal = false;
  bool has_color = false;
  int width = 80;
};
Screen screen_of(int descriptor, const Arguments& arguments);

/// The text in an SGR style such as "1" (bold) or "38;5;45", if the screen shows colours.
std::string styled(const Screen& screen, std::string_view style, std::string_view text);

/// Number of characters of UTF-8 text; and the text cut or filled to exactly that many.
std::size_t display_width(std::string_view text);
std::string fitted(std::string_view text, std::size_t width);

/// `share` in [0, 1] of `width` cells in eighths of a cell.
std::string unicode_bar(double share, int width);

/// Breaks text into lines of at most `width` characters, each but the first indented.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width);

/// Words for people, on stderr.
class Voice {
 public:
  explicit Voice(const Arguments& arguments);

  void say(std::string_view line) const;   ///< unless -q
  void note(std::string_view text) const;  ///< unless -q
  /// Notes about a file, unless -q.
  void notes(const std::string& file, const std::vector<Note>& notes) const;
  void warn(std::string_view text) const;    ///< unless -q; the same text only once
  void detail(std::string_view line) const;  ///< with -v only
  /// Every warning so far, said or not.
  const std::set<std::string, std::less<>>& warnings() const { return warned_; }
  const Screen& screen() const { return screen_; }
  bool is_quiet() const { return is_quiet_; }

 private:
  Screen screen_;
  bool is_quiet_;
  bool is_verbose_;
  mutable std::set<std::string, std::less<>> warned_ = {};
};

/// Writes to stderr and ignores failure: there is nobody left to tell.
void write_error(std::string_view text);

}  // namespace tamis::cli
