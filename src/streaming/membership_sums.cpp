#include "streaming/membership_sums.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "clustering/links.hpp"
#include "core/simd.hpp"
#include "prepare/subproblem.hpp"
#include "streaming/fixed_point_sums.hpp"
#include "streaming/run_places.hpp"

namespace tamis {
namespace {

/// Rows whose sums, each term below 2^51, 64 bits hold.
constexpr Index kRowsAtOnce = 4096;
/// Makes a whole number of a squared membership.
constexpr double kMassFactor = 0x1p50;
/// What that leaves of a number counts too, times this: rows far from a cluster weigh very little.
constexpr int kRestBits = 40;
constexpr double kRestFactor = 0x1p40;

/// The farthest that values of a column are from a centroid of any set, in its unit.
std::vector<double> reaches(const MembershipSumsState::Question& question,
                            const ColumnUnits& units) {
  const Index cols = units.cols();
  std::vector<double> farthest(static_cast<std::size_t>(cols), 0.0);
  for (const MembershipSumsState::Set& set : question.sets)
    for (Index e = 0; e < std::ssize(set.now->centroids); ++e) {
      const Index r = e % cols;
      const double center = set.now->centroids[e];
      const double width =
          std::max(question.ranges.largest()[r] - center, center - question.ranges.least()[r]);
      farthest[r] = std::max(farthest[r], width * units.scale[r]);
    }
  return farthest;
}

template <class Number>
void add_all(std::vector<Number>& to, const std::vector<Number>& from) {
  std::ranges::transform(to, from, to.begin(), std::plus{});
}

template <class Number>
void read_as_many(ByteReader& reader, std::vector<Number>& numbers) {
  const std::size_t size = numbers.size();
  numbers = reader.get_all<std::vector<Number>>();
  if (numbers.size() != size) ByteReader::refuse();
}

/// Numbers as whole ones, and what is left of them.
struct Parts {
  std::int64_t* wholes;
  std::int64_t* rests;

  void add(Index place, double number) const {
    const std::int64_t whole = FixedPoint::rounded(number);
    wholes[place] += whole;
    rests[place] += FixedPoint::rounded((number - static_cast<double>(whole)) * kRestFactor);
  }
};

/// Adds what a row differs from a centre, and the squares of it, times its weight.
void add_deviations(const double* row, const double* center, double weight, const double* factors,
                    const double* square_factors, Index cols, Parts sums, Parts squares) {
  for_this_cpu([=](auto) TAMIS_KERNEL {
    for (Index r = 0; r < cols; ++r) {
      const double difference = row[r] - center[r];
      const double weighted = weight * difference;
      sums.add(r, weighted * factors[r]);
      squares.add(r, weighted * difference * square_factors[r]);
    }
  });
}

}  // namespace

/// Of a few rows, in 64 bits: whole numbers, and the rests behind them.
struct MembershipSumsState::Part {
  Part(Index n_clusters, Index cols)
      : mass(static_cast<std::size_t>(2 * n_clusters)),
        first(static_cast<std::size_t>(2 * n_clusters * cols)),
        second(static_cast<std::size_t>(2 * cols)) {}

  static Parts parts(std::vector<std::int64_t>& numbers, Index place = 0) {
    return {numbers.data() + place, numbers.data() + std::ssize(numbers) / 2 + place};
  }

  std::vector<std::int64_t> mass;
  std::vector<std::int64_t> first;
  std::vector<std::int64_t> second;
  double largest_change = 0.0;
};

Pass MembershipSumsState::pass(const Question& question) {
  const ColumnUnits units = units_of(question.ranges);
  std::vector<double> first_factors;
  std::vector<double> second_factors;
  for (const double reach : reaches(question, units)) {
    first_factors.push_back(whole_number_factor(1.01 * reach));
    second_factors.push_back(whole_number_factor(1.03 * reach * reach));
  }
  ByteWriter writer;
  write(units, writer);
  writer.put(std::ssize(question.sets.front().now->centroids) / units.cols());
  writer.put(question.membership);
  writer.put_all(first_factors);
  writer.put_all(second_factors);
  writer.put_all(question.left_out);
  writer.put(std::ssize(question.sets));
  writer.put(question.beta);
  for (const Set& set : question.sets) {
    write(*set.now, writer);
    writer.put(set.before != nullptr);
    if (set.before != nullptr) write(*set.before, writer);
  }
  return {std::string(kKind), writer.take()};
}

MembershipSumsState::MembershipSumsState(const Pass& pass) {
  ByteReader reader(pass.broadcast);
  units_ = read_units(reader);
  n_clusters_ = reader.get<Index>();
  membership_ = reader.get<Membership>();
  first_factors_ = reader.get_all<std::vector<double>>();
  second_factors_ = reader.get_all<std::vector<double>>();
  left_out_ = reader.get_all<std::vector<Index>>();
  const auto n_sets = reader.get<Index>();
  const auto beta = reader.get<double>();
  for (Index s = 0; s < n_sets; ++s) {
    Asked& set = sets_.emplace_back(Asked{.now = read_centers(units_, beta, reader)});
    if (reader.get<bool>()) set.before = read_centers(units_, beta, reader);
  }
  mass_.resize(static_cast<std::size_t>(n_sets * n_clusters_));
  first_.resize(mass_.size() * units_.cols());
  second_.resize(static_cast<std::size_t>(n_sets * cols()));
  largest_changes_.resize(static_cast<std::size_t>(n_sets));
  places_ = RowPlaces(n_clusters_, n_sets);
}

MembershipSumsState::MembershipSumsState(const Pass& pass, std::span<const std::byte> bytes)
    : MembershipSumsState(pass) {
  ByteReader reader(bytes);
  for (auto* const list : {&mass_, &first_, &second_}) read_as_many(reader, *list);
  read_as_many(reader, largest_changes_);
  places_ = RowPlaces(n_clusters_, std::ssize(sets_), reader);
  reader.expect_end();
}

void MembershipSumsState::update(const MatrixView& block, Index first_row) {
  const std::vector<Index> rows =
      all_but(places_in_run(left_out_, first_row, block.rows()), block.rows());
  std::vector<std::vector<Index>> places(
      sets_.size(), std::vector<Index>(static_cast<std::size_t>(block.rows()), kNoCluster));
  for (Index s = 0; s < std::ssize(sets_); ++s)
    for (Index first = 0; first < std::ssize(rows); first += kRowsAtOnce)
      look_at(block,
              std::span(rows).subspan(first, std::min(kRowsAtOnce, std::ssize(rows) - first)), s,
              places[s]);
  places_.add(first_row, places);
}

void MembershipSumsState::look_at(const MatrixView& block, std::span<const Index> rows, Index set,
                                  std::vector<Index>& clusters) {
  const Asked& asked = sets_[set];
  const RowTasks tasks(std::ssize(rows), n_clusters_);
  std::vector<Part> parts(tasks.count(), Part(n_clusters_, cols()));
  for_each_group<double>(
      block, rows, units_, n_clusters_,
      [&](RowGroup<double>& group, Index first, Index count) {
        group.measure(asked.now);
        free_memberships(membership_, group.distances(), n_clusters_, kLanes<double>,
                         group.memberships());
        std::array<Index, kLanes<double>> best;
        square_memberships(group.memberships(), n_clusters_, group.weights(), best.data());
        for (Index l = 0; l < count; ++l) clusters[rows[first + l]] = best[l];
        add_group(group, asked, count, parts[first / tasks.grain()]);
      },
      [](RowGroup<double>&, Index) {});
  for (const Part& part : parts) add_part(part, set);
}

void MembershipSumsState::add_group(RowGroup<double>& group, const Asked& asked, Index count,
                                    Part& part) const {
  for (Index q = 0; q < n_clusters_; ++q)
    for (Index l = 0; l < count; ++l) {
      const double weight = group.weights()[q * kLanes<double> + l];
      if (weight == 0.0) continue;
      Part::parts(part.mass).add(q, weight * kMassFactor);
      add_deviations(group.row(l), asked.now.centers() + q * padded<double>(cols()), weight,
                     first_factors_.data(), second_factors_.data(), cols(),
                     Part::parts(part.first, q * cols()), Part::parts(part.second));
    }
  if (!asked.before) return;
  std::vector<double> earlier(static_cast<std::size_t>(n_clusters_ * kLanes<double>));
  group.measure(*asked.before);
  free_memberships(membership_, group.distances(), n_clusters_, kLanes<double>, earlier.data());
  part.largest_change = std::max(
      part.largest_change,
      largest_difference(earlier.data(), group.memberships(), n_clusters_, kLanes<double>, count));
}

void MembershipSumsState::add_part(const Part& part, Index set) {
  const auto add = [set](const std::vector<std::int64_t>& from, std::vector<Int128>& to) {
    const Index size = std::ssize(from) / 2;
    for (Index e = 0; e < size; ++e)
      to[set * size + e] += (Int128{from[e]} << kRestBits) + from[size + e];
  };
  add(part.mass, mass_);
  add(part.first, first_);
  add(part.second, second_);
  largest_changes_[set] = std::max(largest_changes_[set], part.largest_change);
}

void MembershipSumsState::merge(PassState& other) {
  auto& others = static_cast<MembershipSumsState&>(other);
  add_all(mass_, others.mass_);
  add_all(first_, others.first_);
  add_all(second_, others.second_);
  std::ranges::transform(largest_changes_, others.largest_changes_, largest_changes_.begin(),
                         [](double a, double b) { return std::max(a, b); });
  places_.merge(others.places_);
}

Bytes MembershipSumsState::bytes() const {
  ByteWriter writer;
  for (const auto* const list : {&mass_, &first_, &second_}) writer.put_all(*list);
  writer.put_all(largest_changes_);
  places_.write(writer);
  return writer.take();
}

FuzzyRun::FreeRows MembershipSumsState::free_rows(Index set) const {
  const auto number = [](Int128 sum, double factor) {
    return static_cast<double>(sum) / kRestFactor / factor;
  };
  FuzzyRun::FreeRows found{.sums = DeviationSums(n_clusters_, cols()),
                           .changes = {.largest = largest_changes_[set]}};
  const Index size = n_clusters_ * cols();
  for (Index q = 0; q < n_clusters_; ++q)
    found.sums.mass[q] = number(mass_[set * n_clusters_ + q], kMassFactor);
  for (Index e = 0; e < size; ++e)
    found.sums.first[e] = number(first_[set * size + e], first_factors_[e % cols()]);
  for (Index r = 0; r < cols(); ++r)
    found.sums.second[r] = number(second_[set * cols() + r], second_factors_[r]);
  return found;
}

}  // namespace tamis
