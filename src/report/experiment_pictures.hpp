#pragma once

#include "report/html_report.hpp"
#include "report/page.hpp"

namespace tamis {

/// Name of the CSV file with what a picture shows of a data set.
std::string csv_name(std::string_view what, const DataSetSummary& summary);

/// Accuracy against the number of features, one line per method.
Picture accuracy_picture(const ExperimentFacts& facts, const DataSetSummary& summary);

/// The same of how well k-means finds the classes of the test rows. Needs has_clusters.
Picture cluster_picture(const DataSetSummary& summary);
bool has_clusters(const DataSetSummary& summary);

/// Accuracy against what methods were told, the number of constraints or else of labels. The
/// summaries are those of one data set and view.
Picture supervision_picture(const ExperimentFacts& facts,
                            const std::vector<const DataSetSummary*>& summaries);

/// Accuracy against the value of an option in which some methods differ and in no other, one line
/// for each such family of methods; a picture for each option. Families have three values at least.
std::vector<Picture> option_pictures(const ExperimentFacts& facts, const DataSetSummary& summary);

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
