#include "tamis/methods/fw_semifs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "methods/fw_semifs/forward_selection.hpp"
#include "methods/fw_semifs/given_samples.hpp"
#include "methods/preconditions.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr double kHighestCost = 1e13;

Index sample_size(const FwSemifsOptions& options, Index n_unlabeled) {
  return std::lround(options.sampling_rate / 100.0 * static_cast<double>(n_unlabeled));
}

/// @throws DataError if it would take days
void check_cost(const Problem& problem, const FwSemifsOptions& options) {
  const Index n_unlabeled = std::ssize(unlabeled_rows(problem));
  if (n_unlabeled == 0) return;
  const Index rows = problem.rows() - n_unlabeled + sample_size(options, n_unlabeled);
  const Index iterations =
      std::min(options.max_iter, std::min(options.size, problem.cols()) - options.start);
  if (iterations <= 0) return;
  const double cost = static_cast<double>(iterations) *
                      static_cast<double>(options.sampling_times) *
                      static_cast<double>(options.step) * std::pow(static_cast<double>(rows), 2) *
                      static_cast<double>(problem.cols());
  if (cost > kHighestCost)
    throw DataError(fmt::format(
        "fw_semifs: {} iterations x {} samples x {} features x {}^2 rows x {} columns = {:.2g} "
        "comparisons are more than {:.0e}; lower size, sampling_times, step or sampling_rate, or "
        "give fewer columns",
        iterations, options.sampling_times, options.step, rows, problem.cols(), cost,
        kHighestCost));
}

class Search {
 public:
  Search(const Problem& problem, const FwSemifsOptions& options)
      : problem_(problem),
        options_(options),
        unlabeled_(unlabeled_rows(problem)),
        taken_(problem.cols(), kUndefined),
        numbers_(problem.rows(), -1) {
    const std::vector<bool> varies = rankable_columns(options.info, problem);
    for (Index r = 0; r < problem.cols(); ++r)
      if (varies[r]) {
        candidates_.push_back(r);
        taken_[r] = 0.0;
      }
    for (const std::vector<Index>& rows : rows_by_class(problem.known)) {
      for (const Index row : rows) numbers_[row] = n_classes_;
      ++n_classes_;
    }
    labeled_ = taught(labeled_rows(problem.known));
    path_ = chosen_on(labeled_, std::min(options.start, options.size));
  }

  const std::vector<Index>& path() const { return path_; }
  /// How often samples took each column; undefined for constant ones.
  const std::vector<double>& taken() const { return taken_; }
  bool is_done() const {
    return unlabeled_.empty() || path_.size() == candidates_.size() ||
           std::ssize(path_) >= options_.size;
  }

  /// One iteration; returns whether a column was added.
  bool extend(const std::function<std::vector<Index>(Index draw)>& sample) {
    const std::vector<Index> predicted =
        predicted_numbers(problem_.matrix, labeled_, path_, unlabeled_, options_.classifier);
    for (std::size_t s = 0; s < unlabeled_.size(); ++s) numbers_[unlabeled_[s]] = predicted[s];
    std::vector<Index> times(problem_.cols(), 0);
    for (Index draw = 0; draw < options_.sampling_times; ++draw) {
      std::vector<Index> rows = sample(draw);
      rows.insert(rows.end(), labeled_.rows.begin(), labeled_.rows.end());
      std::ranges::sort(rows);
      for (const Index column : chosen_on(taught(std::move(rows)), options_.step)) ++times[column];
    }
    for (const Index column : candidates_) taken_[column] += static_cast<double>(times[column]);
    for (const Index column : path_) times[column] = 0;
    const auto most = std::ranges::max_element(times);
    if (*most == 0) return false;
    path_.push_back(most - times.begin());
    return true;
  }

 private:
  TaughtRows taught(std::vector<Index> rows) const {
    TaughtRows result{.rows = std::move(rows), .numbers = {}, .n_classes = n_classes_};
    for (const Index row : result.rows) result.numbers.push_back(numbers_[row]);
    return result;
  }
  std::vector<Index> chosen_on(const TaughtRows& rows, Index count) const {
    return forward_selection(*leave_one_out(problem_.matrix, rows, options_.classifier),
                             candidates_, count, options_.floating, options_.stop_early);
  }

  const Problem& problem_;
  const FwSemifsOptions& options_;
  std::vector<Index> unlabeled_;
  std::vector<Index> candidates_;
  std::vector<double> taken_;
  std::vector<Index> numbers_;  // of the class of each row, known or predicted last
  Index n_classes_ = 0;
  TaughtRows labeled_;
  std::vector<Index> path_;
};

}  // namespace

Ranking fw_semifs_on_samples(const Problem& problem, const FwSemifsOptions& options,
                             const SampleDraws& draws, const Run& run) {
  Search search(problem, options);
  const Index at_start = std::ssize(search.path());
  Progress::Stage stage(run.progress, "choosing features", options.size);
  stage.advance(at_start);
  Diagnostics diagnostics;
  for (Index t = 0; t < options.max_iter && !search.is_done(); ++t) {
    const bool has_grown = search.extend([&](Index draw) {
      stage.advance(0);  // whoever listens may want to stop
      std::vector<Index> rows = draws(t, draw);
      run.trace.record(
          TraceEvent{"sample"}.with("iteration", t).with("draw", draw).with("rows", rows));
      return rows;
    });
    stage.advance(has_grown ? 1 : 0);
    ++diagnostics.iterations;
  }
  if (unlabeled_rows(problem).empty())
    diagnostics.warnings.push_back(
        fmt::format("fw_semifs got no unlabeled rows: it chose {} feature{} on the labeled ones, "
                    "and the others follow by column; raise start to choose more",
                    at_start, at_start == 1 ? "" : "s"));
  SelectionPath path{search.path(), std::vector<double>(search.path().size(), kUndefined)};
  return rank_path(std::move(path), search.taken(), Better::higher, std::move(diagnostics),
                   "fw_semifs: no column has a place");
}

Ranking fw_semifs(const Problem& problem, const FwSemifsOptions& options, const Run& run) {
  check_ranges(options.info.name, options);
  check_needs(options.info, problem);
  check_cost(problem, options);
  const std::vector<Index> unlabeled = unlabeled_rows(problem);
  const Index n_unlabeled = std::ssize(unlabeled);
  const auto draw_rows = [&](Index iteration, Index draw) {
    const Index stream = iteration * options.sampling_times + draw;
    RandomStream random(run.seed, static_cast<std::uint64_t>(stream));
    std::vector<Index> rows = random.sample(n_unlabeled, sample_size(options, n_unlabeled));
    for (Index& row : rows) row = unlabeled[row];
    return rows;
  };
  return fw_semifs_on_samples(problem, options, draw_rows, run);
}

}  // namespace tamis
