#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/console/command.hpp"
#include "cli/console/display_text.hpp"
#include "tamis/core/printable.hpp"
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

/// As wide as lines of words should be: as the screen, unless that is too wide for reading.
std::size_t prose_width(const Screen& screen);

/// A line of words, broken between them on a terminal, which would break words; whole elsewhere.
std::string for_screen(std::string_view line, const Screen& screen);

/// Words for people, on stderr.
class Voice {
 public:
  explicit Voice(const Arguments& arguments);

  void say(std::string_view line) const;   ///< unless -q
  void note(std::string_view text) const;  ///< unless -q
  /// Notes about a file, unless -q.
  void notes(const std::string& file, const std::vector<Note>& notes) const;
  void warn(std::string_view text) const;    ///< unless -q; the same text only once
  void detail(std::string_view line) const;  ///< with -v only; never broken, to be copied
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
