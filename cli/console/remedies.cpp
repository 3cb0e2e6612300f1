#include "cli/console/remedies.hpp"

#include <fmt/format.h>

#include "tamis/registry/methods.hpp"

namespace tamis::cli {
namespace {

std::string in_flags(const Remedy& remedy) {
  using enum Remedy::Action;
  switch (remedy.action) {
    case none:
      return "";
    case give_labels:
      return "name the column that holds them (--label-column) or give a file of them (--labels)";
    case give_labels_or_pairs:
      return "give labels of at least two rows (--label-column, --labels) or a file of pairs "
             "(--constraints)";
    case drop_column:
      return fmt::format("rename one, or leave one out with --drop {}", remedy.subject);
    case leave_out:
      return fmt::format("if so, use --drop {}", remedy.subject);
    case leave_out_instead:
      return fmt::format("--drop {} leaves {} out", remedy.subject,
                         remedy.subject.find(',') == std::string::npos ? "the column" : "them");
    case keep_column:
      return fmt::format("--keep {} makes it a feature", remedy.subject);
    case give_column_a_role:
      return fmt::format(
          "use --label-column {0} or --id-column {0} if the column holds labels or ids, --encode "
          "onehot if its texts are categories, else --drop {0}",
          remedy.subject);
    case give_columns_roles:
      return fmt::format(
          "use --encode onehot if their texts are categories, --drop {} to leave them out, and "
          "--label-column or --id-column for one that holds labels or ids",
          remedy.subject);
    case say_decimal:
      return "say --decimal , or --decimal .";
    case treat_missing:
      return "--missing median, mean or nearest fills them in, --missing rows or columns leaves "
             "these rows or columns out";
    case treat_missing_of_sample:
      return "a table that is read in runs of rows is not filled in: do it first, or have tamis "
             "rank "
             "take a sample of its rows (--sample-rows N --missing median)";
    case turn_table:
      return "--transpose makes columns of its rows";
    case name_label_column:
      return "name the one that holds the labels with --label-column";
    case choose_table:
      return "choose the table with --table NAME";
    case choose_labels:
      return "choose the labels with --matlab-labels NAME";
    case name_unlabeled:
      return fmt::format("--unlabeled {} takes such rows as unlabeled", remedy.subject);
    case make_classes:
      return "tamis rank and select predict numbers, of a column by --target in place of "
             "--label-column, of any labels by --regression; or put them into a few classes first, "
             "or name another column";
    case take_method_for_values:
      return fmt::format(
          "{} take one; or put its numbers into a few classes and name these with "
          "--label-column",
          methods_for_values());
    case sample_rows:
      return "--sample-rows N takes all known rows and N others";
    case trust_file:
      return "--trusted reads it all the same";
  }
  return "";
}

}  // namespace

std::string with_remedy(std::string text, const Remedy& remedy) {
  if (const std::string words = in_flags(remedy); !words.empty()) text += "; " + words;
  return text;
}

}  // namespace tamis::cli
