#pragma once

#include "report/html_report.hpp"
#include "report/page.hpp"

namespace tamis {

/// Accuracy against the number of features, one line per method.
Picture accuracy_picture(const ExperimentFacts& facts, const DataSetSummary& summary);

/// Average ranks over the data sets. Needs comparison.friedman.
Picture rank_picture(const Comparison& comparison);

/// How alike the features of different runs are, and what a ranking costs.
Picture stability_picture(const DataSetSummary& summary);
Picture time_picture(const DataSetSummary& summary);
bool has_stability(const DataSetSummary& summary);
bool has_times(const DataSetSummary& summary);

/// Every method of a data set in its views.
DataTable method_table(const std::vector<const DataSetSummary*>& views);

/// Who beats whom on how many data sets. Needs comparison.win_tie_loss.
Html versus_table(const Comparison& comparison);

}  // namespace tamis
