#pragma once

#include <string>

namespace tamis {

/// What people can do about a message. The library knows neither flags nor arguments: the program
/// and the bindings say it in their own words, behind the message.
struct Remedy {
  enum class Action {
    none,
    give_labels,
    give_labels_or_pairs,
    drop_column,              ///< the subject, or rename it
    leave_out,                ///< the subject, if it is what the message takes it for
    leave_out_instead,        ///< the subject, one column or several between commas
    keep_column,              ///< the subject, as a feature
    give_column_a_role,       ///< the subject holds labels or ids, or is to be left out
    give_columns_roles,       ///< the same of several, between commas
    say_decimal,              ///< which sign it is
    treat_missing,            ///< fill what is missing, or leave out its rows or columns
    treat_missing_of_sample,  ///< likewise, of a part of the rows that fits into memory
    turn_table,               ///< rows become columns
    name_label_column,        ///< of a file of labels that has several
    choose_table,             ///< of the variables of a file
    choose_labels,            ///< likewise
    name_unlabeled,           ///< the subject, or whatever labels mean "not known"
    make_classes,             ///< of numbers that are no classes, or take them as a numeric target
    take_method_for_values,   ///< a method that takes a numeric target, or make classes of it
    sample_rows,              ///< of a table that is too large
    trust_file,               ///< if its content may be so much more than the file
  };
  Action action = Action::none;
  std::string subject = {};  ///< a column, by its name or number; a label
};

/// Something to know about a result, or about how a file was understood.
struct Note {
  std::string text;
  Remedy remedy = {};
  bool is_warning = false;  ///< the result may be wrong because of it
};

}  // namespace tamis
