#include "methods/ridge_omp/level_ranking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/ties.hpp"
#include "methods/preconditions.hpp"
#include "methods/relevance/label_permutations.hpp"
#include "methods/ridge_omp/kernel_ridge.hpp"
#include "methods/ridge_omp/summed_evidence.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr Index kGrain = 64;

/// The products of correlations: those of columns of length 1.
class CorrelationProducts : public ColumnProducts {
 public:
  explicit CorrelationProducts(const Correlations& correlations) : correlations_(correlations) {}

  Buffer<double> of(std::span<const Index> columns, std::span<const Index> some) const override {
    const Index width = std::ssize(some);
    Buffer<double> products(std::ssize(columns) * width);
    for (Index c = 0; c < width; ++c) {
      const std::vector<double> of_one = correlations_.of(some[c], columns);
      for (Index s = 0; s < std::ssize(of_one); ++s) products[s * width + c] = of_one[s];
    }
    return products;
  }

 private:
  const Correlations& correlations_;
};

/// How many of the kept rows share the most frequent code of a column.
Index most_frequent(const Buffer<std::int16_t>& codes, Index rows, Index cols, Index column) {
  std::array<Index, 2 * kLargestCode + 1> counts{};
  for (Index s = 0; s < rows; ++s) ++counts[codes[s * cols + column] + kLargestCode];
  return *std::ranges::max_element(counts);
}

/// The kept rows as ranks of mean 0 and variance 1 over all rows.
RankedTable ranked_rows(const Buffer<std::int16_t>& codes, Index rows,
                        std::span<const CodeFacts> facts) {
  const Index cols = std::ssize(facts);
  Buffer<double> ranks(rows * cols, 0.0);
  std::vector<double> spread(cols);
  std::vector<Index> frequent(cols);
  parallel_for(cols, kGrain, [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      spread[r] = facts[r].spread;
      frequent[r] = most_frequent(codes, rows, cols, r);
      if (facts[r].deviation == 0.0) continue;
      for (Index s = 0; s < rows; ++s)
        ranks[r * rows + s] = (codes[s * cols + r] - facts[r].mean) / facts[r].deviation;
    }
  });
  return {rows, std::move(ranks), std::move(spread), std::move(frequent)};
}

void append_columns(const RowVectors& more, RowVectors& to) {
  if (more.width == 0) return;
  if (to.width == 0) {
    to = more;
    return;
  }
  RowVectors both{to.width + more.width, Buffer<double>(more.rows() * (to.width + more.width))};
  for (Index r = 0; r < more.rows(); ++r) {
    std::copy_n(to.row(r), to.width, both.row(r));
    std::copy_n(more.row(r), more.width, both.row(r) + to.width);
  }
  to = std::move(both);
}

RowVectors scaled(RowVectors vectors, double factor) {
  multiply_all(vectors, factor);
  return vectors;
}

void divide_columns(RowVectors& vectors, std::span<const double> by) {
  for (Index r = 0; r < vectors.rows(); ++r)
    for (Index c = 0; c < vectors.width; ++c)
      vectors.row(r)[c] = by[c] > 0.0 ? vectors.row(r)[c] / by[c] : 0.0;
}

/// The labeled rows, one block after the other, as targets of 0 and 1.
void add_classes(const LabeledRows& labeled, DecoySums& decoys) {
  const Index classes = std::ssize(labeled.sizes);
  RowVectors target{classes, {}};
  Index first = 0;
  const auto add = [&] {
    const Index count = target.rows();
    if (count > 0) decoys.update({target}, count, first);
    first += count;
    target.values.clear();
  };
  for (const std::int32_t class_of : labeled.class_of) {
    if (class_of < 0) continue;
    target.values.resize(target.values.size() + classes, 0.0);
    target.values[target.values.size() - classes + class_of] = 1.0;
    if (target.rows() == kDecoyRows) add();
  }
  add();
}

}  // namespace

LevelRanking::LevelRanking(Index rows, Index cols, const Knowledge& known,
                           const RidgeOmpOptions& options, std::uint64_t seed,
                           const MethodInfo& asker)
    : rows_(rows),
      cols_(cols),
      options_(options),
      asker_(asker),
      seed_(seed),
      has_classes_(rows_by_class(known).size() >= 2) {
  check_ranges(asker.name, options);
  divide({});
  diagnostics_ = first_diagnostics(known);
  evidence_of(known, rows, about_knowledge_);  // names rows as they are
  if (is_judged()) {
    check_decoys(asker.name, options.relevance.n_decoys);
    null_ = resolved_null(asker.name, options.relevance.null, known, rows);
  }
  if (has_classes_ && std::ssize(labeled_rows(known)) > std::max(cols, kLargestKernel)) {
    sum_labels(known);
    return;
  }
  code_rows_.kept = known_rows(known);
  kept_known_ = known_about(known, code_rows_.kept);
  Diagnostics said_already;
  if (!code_rows_.kept.empty())
    evidence_ = evidence_of(kept_known_, std::ssize(code_rows_.kept), said_already);
}

void LevelRanking::divide(const LevelDivision& division) {
  level_parts_ = even_parts(cols_, division.levels);
  product_parts_ = product_parts(cols_, division.products);
  correlations_ = Correlations(division.folder);
  if (has_label_sums() && !code_rows_.labeled.are_all())
    labeled_correlations_ = Correlations(division.folder);
}

std::vector<LevelRanking::Asks> LevelRanking::questions() const {
  std::vector<Asks> all{Asks::scan};
  all.insert(all.end(), level_rounds_ * level_parts_.size(), Asks::levels);
  all.insert(all.end(), product_parts_.size(), Asks::codes);
  if (has_classes_) all.push_back(Asks::shares);
  if (is_judged_by_table()) all.push_back(Asks::crossed);
  return all;
}

void LevelRanking::sum_labels(const Knowledge& known) {
  const auto classes = rows_by_class(known);
  code_rows_.labeled.class_of.assign(rows_, -1);
  for (std::size_t c = 0; c < classes.size(); ++c) {
    code_rows_.labeled.sizes.push_back(std::ssize(classes[c]));
    for (const Index row : classes[c])
      code_rows_.labeled.class_of[row] = static_cast<std::int32_t>(c);
  }
  code_rows_.kept = label_p_rows(known, seed_);
  kept_known_ = known_about(known, code_rows_.kept);
}

void LevelRanking::accept(const ColumnScan& scan) {
  std::vector<bool> varies;
  levels_.resize(cols_);
  for (Index r = 0; r < cols_; ++r) {
    varies.push_back(scan.column(r).least < scan.column(r).largest);
    levels_[r] = LevelTree(scan.column(r), rows_);
  }
  require_rankable(asker_, varies);
  varying_ = marked_columns(varies);
  if (needs_counts()) counts_.resize(cols_);
  facts_.resize(cols_);
  asks_ = Asks::levels;
}

bool LevelRanking::needs_counts() const {
  return is_judged() && (null_ == Null::table || has_label_sums());
}

void LevelRanking::accept(LevelCounts&& counts) {
  parallel_for(counts.cols(), kGrain, [&](Index begin, Index end) {
    for (Index s = begin; s < end; ++s)
      accept(std::move(counts.column(s)), counts.first_column() + s);
  });
  if (++part_ < level_parts_.size()) return;
  part_ = 0;
  const auto has_new = [](const LevelTree& tree) { return tree.new_slots() > 0; };
  if (std::ranges::none_of(levels_, has_new))
    finish_levels();
  else
    ++level_rounds_;
}

void LevelRanking::accept(std::vector<SlotCount> contents, Index column) {
  LevelTree& tree = levels_[column];
  if (tree.new_slots() == 0) return;  // its codes are known
  tree.accept(contents, rows_);
  if (tree.new_slots() > 0) return;
  std::vector<CodeCount> counts = tree.assign_codes(rows_);
  facts_[column] = facts_of(counts, rows_);
  if (needs_counts()) counts_[column] = std::move(counts);
}

void LevelRanking::finish_levels() {
  if (is_judged_by_table()) {
    plan_judging();
    counts_ = {};
  }  // else decoys are made of labeled rows: later, of sums or of the rows themselves
  asks_ = Asks::codes;
}

/// Folds, and the columns that decoys are made of: chance and the counts of codes decide.
void LevelRanking::plan_judging() {
  judging_.rows = rows_;
  judging_.fold_of =
      deal_folds(varying_, cols_, feature_groups_, options_.relevance.n_folds, seed_);
  crossed_question_.rows = rows_;
  crossed_question_.seed = seed_;
  crossed_question_.decoys = planned_decoys(
      judging_, facts_, [&](Index r) { return counts_[r]; }, options_.relevance.n_decoys, seed_);
}

void LevelRanking::accept(CodeSums&& sums) {
  correlations_.add(std::move(sums.gram()), facts_, rows_);
  keep_codes(sums);
  if (has_label_sums()) accept_part(sums.labeled(), sums.columns());
  if (++part_ < product_parts_.size()) return;
  part_ = 0;
  known_table_.emplace(ranked_rows(kept_codes_, std::ssize(code_rows_.kept), facts_));
  kept_codes_ = {};
  if (has_label_sums()) finish_label_sums();
  if (evidence_) columns_ = evidence_->of_columns(*known_table_);
  make_targets();
  ask_shares_or_more();
}

void LevelRanking::keep_codes(const CodeSums& sums) {
  const ColumnPart columns = sums.columns();
  const Index rows = std::ssize(sums.kept());
  kept_codes_.resize(rows * cols_);
  for (Index s = 0; s < rows; ++s)
    std::copy_n(&sums.codes()[s * columns.count()], columns.count(),
                &kept_codes_[s * cols_ + columns.first]);
}

void LevelRanking::accept_part(LabeledSums& sums, const ColumnPart& columns) {
  class_sums_.insert(class_sums_.end(), sums.class_sums.begin(), sums.class_sums.end());
  const LabeledRows& labeled = code_rows_.labeled;
  if (labeled.are_all()) return;
  for (Index r = columns.first; r < columns.end; ++r) {
    std::vector<CodeCount> counts = sums.counts_of(r - columns.first);
    labeled_facts_.push_back(facts_of(counts, labeled.count()));
    if (!counts_.empty()) counts_[r] = std::move(counts);
  }
  labeled_correlations_.add(std::move(sums.gram), labeled_facts_, labeled.count());
}

void LevelRanking::finish_label_sums() {
  const LabeledRows& labeled = code_rows_.labeled;
  const Index count = labeled.count();
  const Index classes = std::ssize(labeled.sizes);
  const std::vector<CodeFacts>& facts = labeled.are_all() ? facts_ : labeled_facts_;
  LabelSums evidence{.sizes = labeled.sizes,
                     .means = {classes, Buffer<double>(cols_ * classes, 0.0)},
                     .squares = std::vector(cols_, 0.0),
                     .correlations = labeled.are_all() ? &correlations_ : &labeled_correlations_};
  for (const Index r : varying_) {
    const double deviation = facts[r].deviation / facts_[r].deviation;
    evidence.squares[r] = static_cast<double>(count) * deviation * deviation;
    for (Index c = 0; c < classes; ++c)
      evidence.means.row(r)[c] = (static_cast<double>(class_sums_[r * classes + c]) /
                                      static_cast<double>(labeled.sizes[c]) -
                                  facts_[r].mean) /
                                 facts_[r].deviation;
  }
  evidence_ = evidence_of_label_sums(std::move(evidence));
  label_products_ = {.values = {labeled.sizes.begin(), labeled.sizes.end()},
                     .squares = std::vector<Int128>(classes * classes, 0),
                     .products = {class_sums_.begin(), class_sums_.end()}};
  for (Index c = 0; c < classes; ++c) label_products_.squares[c * classes + c] = labeled.sizes[c];
}

void LevelRanking::make_targets() {
  const auto make = [&](const RankedTable& known) {
    targets_.push_back(
        level_target(correlations_, known, evidence_.get(), columns_, options_.target));
  };
  make(*known_table_);
  if (!is_judged_by_table()) return;
  std::vector<std::vector<Index>> folds(*std::ranges::max_element(judging_.fold_of) + 1);
  for (const Index r : varying_) folds[judging_.fold_of[r]].push_back(r);
  for (const std::vector<Index>& fold : folds) make(known_table_->without(fold));
}

void LevelRanking::ask_shares_or_more() {
  share_targets_.resize(targets_.size());
  share_question_.temperature = options_.target.temperature;
  RowVectors scores;
  for (const LevelTarget& target : targets_) {
    share_question_.targets.push_back({.classes = target.class_scores.width});
    append_columns(target.class_scores, scores);
  }
  share_question_.weights = fixed_weights(scores, facts_);
  if (scores.width > 0)
    asks_ = Asks::shares;
  else
    ask_crossed();
}

void LevelRanking::accept(const ShareSums& sums) {
  Index first = 0;
  for (std::size_t g = 0; g < targets_.size(); ++g) {
    const Index count = targets_[g].class_scores.width;
    share_targets_[g] = share_target(sums, first, count, rows_);
    first += count;
  }
  const ShareTarget& shares = share_targets_.front();
  if (shares.says_something()) {
    const Index width = targets_.front().class_scores.width;
    share_products_ = {width, Buffer<double>(cols_ * width, 0.0)};
    const double root = std::sqrt(static_cast<double>(rows_));
    for (const Index r : varying_)
      for (Index c = 0; c < width; ++c)
        share_products_.row(r)[c] =
            shares.factors[c] *
            centred_sum(rows_, sums.products[r * width + c], facts_[r].sum, sums.sums[c]) /
            (facts_[r].deviation * root);
  }
  ask_crossed();
}

void LevelRanking::ask_crossed() {
  asks_ = Asks::nothing;
  if (!is_judged_by_table()) return;
  RowVectors coefficients;
  crossed_question_.targets.temperature = options_.target.temperature;
  for (std::size_t g = 1; g < targets_.size(); ++g) {
    const LevelTarget& target = targets_[g];
    const ShareTarget& shares = share_targets_[g];
    std::vector<double>& kept = judging_.deviations.emplace_back();
    RowTarget& asked = crossed_question_.targets.targets.emplace_back();
    const bool is_supervised = shares.says_something() || target.links.width > 0;
    const double share = is_supervised ? supervised_share(target.reliability) : 0.0;
    if (shares.says_something()) {
      asked.classes = target.class_scores.width;
      append_columns(target.class_scores, coefficients);
      for (Index c = 0; c < asked.classes; ++c) {
        crossed_question_.shares.push_back(shares.moments[c]);
        kept.push_back(std::sqrt(share) * shares.factors[c] * shares.moments[c].deviation);
      }
    }
    for (const auto& [linear, factor] :
         {std::pair{target.links, std::sqrt(share)}, {target.components, std::sqrt(1.0 - share)}}) {
      RowVectors unit = linear;
      const std::vector<double> deviation = deviations(correlations_, linear);
      divide_columns(unit, deviation);
      append_columns(unit, coefficients);
      asked.components += linear.width;
      for (const double value : deviation) kept.push_back(factor * value);
    }
  }
  crossed_question_.targets.weights = fixed_weights(coefficients, facts_);
  asks_ = Asks::crossed;
}

void LevelRanking::accept(const CrossedSums& sums) {
  crossed_sums_ = sums.targets;
  decoy_sums_ = sums.decoys.sums;
  asks_ = Asks::nothing;
}

std::unique_ptr<Judgement> LevelRanking::judgement(Run run) {
  run.seed = seed_;
  if (!is_judged()) return nullptr;
  if (null_ == Null::labels) return label_judgement(run);
  record_folds(run.trace, judging_.fold_of);
  return std::make_unique<LevelJudgement>(
      judging_,
      LevelJudgement::Sums{
          .targets = crossed_sums_, .decoys = crossed_question_.decoys, .of_decoys = decoy_sums_},
      correlations_, facts_, options_.relevance.fdr, label_p(*known_table_, kept_known_, seed_),
      run.trace);
}

std::unique_ptr<Judgement> LevelRanking::label_judgement(const Run& run) {
  if (has_label_sums()) return label_sum_judgement(run);
  return std::make_unique<TableJudgement>(
      *known_table_, targets_of_labels(kept_known_, *known_table_, varying_),
      label_p(*known_table_, kept_known_, seed_), options_.relevance, run);
}

/// The target, 0 and 1, is known without the table: so are its products with decoys.
std::unique_ptr<Judgement> LevelRanking::label_sum_judgement(const Run& run) {
  const LabeledRows& labeled = code_rows_.labeled;
  const std::vector<CodeFacts>& facts = labeled.are_all() ? facts_ : labeled_facts_;
  judging_ = {.null = Null::labels,
              .rows = labeled.count(),
              .fold_of = std::vector(cols_, kNoFold),
              .deviations = {{}}};
  for (const Index r : varying_) judging_.fold_of[r] = 0;
  for (const Index size : labeled.sizes)
    judging_.deviations[0].push_back(
        std::sqrt(1.0 - static_cast<double>(size) / static_cast<double>(judging_.rows)));
  const std::vector<DecoyGroup> groups = planned_decoys(
      judging_, facts, [&](Index r) { return counts_[r]; }, options_.relevance.n_decoys, seed_);
  DecoySums decoys(groups, {std::ssize(labeled.sizes)}, judging_.rows, seed_);
  add_classes(labeled, decoys);
  return std::make_unique<LevelJudgement>(
      judging_,
      LevelJudgement::Sums{
          .targets = std::span(&label_products_, 1), .decoys = groups, .of_decoys = decoys.sums},
      labeled.are_all() ? correlations_ : labeled_correlations_, facts, options_.relevance.fdr,
      label_p(*known_table_, kept_known_, seed_), run.trace);
}

RowVectors LevelRanking::target_products() const {
  const LevelTarget& target = targets_.front();
  const double root = std::sqrt(static_cast<double>(rows_));
  const double share = is_supervised() ? supervised_share(target.reliability) : 0.0;
  RowVectors products = scaled(share_products_, std::sqrt(share));
  append_columns(scaled(correlations_.times(target.links), root * std::sqrt(share)), products);
  append_columns(scaled(correlations_.times(target.components), root * std::sqrt(1.0 - share)),
                 products);
  return products;
}

void LevelRanking::note_knowledge(Diagnostics& diagnostics) const {
  const std::vector<std::string>& warnings = about_knowledge_.warnings;
  diagnostics.dropped_constraints += about_knowledge_.dropped_constraints;
  diagnostics.warnings.insert(diagnostics.warnings.end(), warnings.begin(), warnings.end());
}

double LevelRanking::nugget() const {
  return options_.nugget.value_or(is_supervised() ? 1.0 : 0.0);
}

Matching LevelRanking::match(std::vector<Index> columns, std::vector<double> weights,
                             const MatchingRules& rules, const Progress& progress) const {
  const RowVectors all_products = target_products();
  const CorrelationProducts products(correlations_);
  MatchingColumns candidates{.columns = std::move(columns),
                             .weights = std::move(weights),
                             .targets = {all_products.width, {}},
                             .products = &products,
                             .tie_tolerance = kTie};
  for (const Index column : candidates.columns) {
    candidates.lengths.push_back(facts_[column].spread == 0.0 ? 0.0 : 1.0);  // constant
    const double* const row = all_products.row(column);
    candidates.targets.values.insert(candidates.targets.values.end(), row,
                                     row + all_products.width);
  }
  return match_orthogonally(candidates, rules, progress);
}

Ranking LevelRanking::result(Run run, const std::vector<std::string>& feature_names) {
  run.seed = seed_;
  const std::unique_ptr<Judgement> judged = judgement(run);
  const double reliability = targets_.front().reliability;
  const std::vector<double> weights =
      is_supervised()
          ? trusted_weights(*known_table_, columns_, reliability)
          : std::vector<double>(known_table_->spread().begin(), known_table_->spread().end());
  std::vector<double> of_varying;
  for (const Index r : varying_) of_varying.push_back(weights[r]);
  const MatchingRules rules = matching_rules(options_, nugget(), varying_, judged.get());
  const Matching matching = match(varying_, std::move(of_varying), rules, run.progress);
  note_knowledge(diagnostics_);
  diagnostics_.figures.emplace_back("reliability", reliability);
  return ranking_of({.matching = matching,
                     .candidates = varying_,
                     .cols = cols_,
                     .tie_tolerance = kTie,
                     .nugget = rules.nugget,
                     .judgement = judged.get(),
                     .table = *known_table_,
                     .known = kept_known_,
                     .feature_names = feature_names},
                    options_, run, diagnostics_);
}

}  // namespace tamis
