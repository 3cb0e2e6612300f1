#include "tamis/methods/sselect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/shared_information.hpp"
#include "graphs/graph.hpp"
#include "methods/preconditions.hpp"
#include "methods/sselect/cut_value.hpp"
#include "prepare/condense.hpp"
#include "prepare/subproblem.hpp"
#include "tamis/core/parallel.hpp"
#include "tamis/methods/laplacian_score.hpp"

namespace tamis {
namespace {

constexpr std::string_view kWhyAllUndefined =
    "sselect: every column is constant over the rows that are joined with a positive weight; raise "
    "bandwidth or n_neighbors";

/// The two halves of the score, one value per column each.
struct Terms {
  std::vector<double> graph;
  std::vector<double> labels;

  Ranking combine(double eta, Diagnostics diagnostics = {}) const {
    std::vector<double> scores(graph.size());
    for (std::size_t r = 0; r < scores.size(); ++r)
      scores[r] = eta * graph[r] + (1.0 - eta) * labels[r];
    return rank_features(std::move(scores), Better::lower, std::move(diagnostics),
                         kWhyAllUndefined);
  }
};

/// Mutual information as a share of what there could be; 0 if an entropy is 0.
double normalized(const SharedInformation& shared, NmiNormalization normalization) {
  const auto [one, other, mutual] = shared;
  if (one == 0.0 || other == 0.0) return 0.0;
  const double unit =
      normalization == NmiNormalization::max ? std::max(one, other) : std::sqrt(one * other);
  return std::clamp(mutual / unit, 0.0, 1.0);
}

/// 1 - NMI of the side of its mean on which a feature puts a labeled row, and the row's class.
std::vector<double> label_terms(const Problem& problem, const std::vector<double>& means,
                                NmiNormalization normalization) {
  constexpr Index kColumnsAtOnce = 32;
  const std::vector<std::vector<Index>> classes = rows_by_class(problem.known);
  const Index n_classes = std::ssize(classes);
  std::vector<double> terms(problem.cols(), 1.0);
  if (n_classes < 2) return terms;
  std::vector<Index> rows;
  std::vector<Index> class_of;
  for (Index c = 0; c < n_classes; ++c) {
    rows.insert(rows.end(), classes[c].begin(), classes[c].end());
    class_of.resize(rows.size(), c);
  }
  parallel_for(problem.cols(), kColumnsAtOnce, [&](Index begin, Index end) {
    const Index width = end - begin;
    std::vector<double> block(rows.size() * width);
    copy_columns(problem.matrix, rows, begin, width, block.data());
    for (Index r = begin; r < end; ++r) {
      std::vector<Index> table(2 * n_classes, 0);
      for (Index s = 0; s < std::ssize(rows); ++s) {
        const bool above = block[s * width + (r - begin)] >= means[r];
        ++table[(above ? n_classes : 0) + class_of[s]];
      }
      terms[r] = 1.0 - normalized(shared_information(SharedCounts::from_table(table, n_classes)),
                                  normalization);
    }
  });
  return terms;
}

std::optional<double> cut_value_on(const Problem& problem, const std::vector<Index>& columns,
                                   const GraphOptions& options, const Progress& progress) {
  const OwnedTable restricted = gathered(problem.matrix, all_indices(problem.rows()), columns);
  Diagnostics unused;
  return cut_value(similarity_graph(view_of(restricted), options, {}, progress, unused));
}

std::vector<Index> best_columns(const Ranking& ranking, Index count) {
  const Index defined = std::ssize(ranking.order) - std::ssize(ranking.diagnostics.undefined);
  std::vector<Index> columns(ranking.order.begin(),
                             ranking.order.begin() + std::min(count, defined));
  std::ranges::sort(columns);
  return columns;
}

/// Algorithm 3 of the paper: the eta whose best features have the smallest cut value; ties to the
/// smaller eta.
double choose_eta(const Problem& problem, const SselectOptions& options, const Terms& terms,
                  const Progress& progress, Diagnostics& diagnostics) {
  std::map<std::vector<Index>, std::optional<double>> cut_of;
  double best_eta = 0.1;
  double smallest_cut = std::numeric_limits<double>::infinity();
  for (int tenths = 1; tenths <= 9; ++tenths) {
    const double eta = tenths / 10.0;
    const auto columns = best_columns(terms.combine(eta), options.auto_top);
    if (!cut_of.contains(columns))
      cut_of[columns] = cut_value_on(problem, columns, options.graph, progress);
    const std::optional<double> cut = cut_of[columns];
    if (!cut) {
      diagnostics.converged = false;
      diagnostics.warnings.push_back(
          fmt::format("eta = {} was left out: its eigenvalue did not converge", eta));
    } else if (*cut < smallest_cut) {
      smallest_cut = *cut;
      best_eta = eta;
    }
  }
  if (smallest_cut == 0.0)
    diagnostics.warnings.push_back(fmt::format(
        "eta = {} was chosen because its best features leave the neighbour graph in several "
        "pieces (cut value 0): n_neighbors or bandwidth may be too small to judge eta",
        best_eta));
  diagnostics.figures.emplace_back("cut_value", smallest_cut);
  return best_eta;
}

}  // namespace

Ranking sselect(const Problem& given, const SselectOptions& options, const Run& run) {
  check_ranges(options.info.name, options);
  check_needs(options.info, given);
  rankable_columns(options.info, given);
  Diagnostics diagnostics;
  const auto condensed = condense(given, options.condense, run, diagnostics);
  const Problem& problem = condensed ? condensed->problem() : given;
  if (rows_by_class(problem.known).size() < 2)
    diagnostics.warnings.emplace_back(
        "sselect got labels of fewer than two classes: the graph alone ranks the features");
  const Graph graph =
      similarity_graph(problem.matrix, options.graph, {}, run.progress, diagnostics);
  const LaplacianTerms laplacian = laplacian_terms(problem.matrix, graph);
  const Terms terms{laplacian.scores, label_terms(problem, laplacian.means, options.normalization)};
  const double eta =
      options.eta ? *options.eta : choose_eta(problem, options, terms, run.progress, diagnostics);
  diagnostics.figures.emplace_back("eta", eta);
  Ranking ranking = terms.combine(eta, std::move(diagnostics));
  ranking.terms = {{{"laplacian_score", terms.graph}, {"one_minus_nmi", terms.labels}}};
  return ranking;
}

}  // namespace tamis
