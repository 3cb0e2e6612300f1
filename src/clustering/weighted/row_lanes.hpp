#pragma once

#include <span>

#include "core/simd.hpp"

/// Kernels on kLanes rows at once. Each lane does the same
/// operations in the same order, so that a row's result does not depend on its neighbours, nor on
/// the machine.
namespace tamis {

/// Columns that a row has in memory: a multiple of the lanes, the rest filled with zeros.
template <class T>
constexpr Index padded(Index cols) {
  return (cols + kLanes<T> - 1) / kLanes<T> * kLanes<T>;
}

/// out[l * padded(n) + r] = rows[l][r] * scale[r] - shift[r]; `scale` holds powers of two, so that
/// only the difference is rounded.
void shift_and_scale(std::span<const float* const> rows, const float* scale, const float* shift,
                     Index n, float* out);
void shift_and_scale(std::span<const double* const> rows, const float* scale, const float* shift,
                     Index n, float* out);
void shift_and_scale(std::span<const float* const> rows, const double* scale, const double* shift,
                     Index n, double* out);
void shift_and_scale(std::span<const double* const> rows, const double* scale, const double* shift,
                     Index n, double* out);

/// kLanes rows, one after the other and each padded(cols) wide, become columns of kLanes numbers;
/// column r is multiplied by factors[r], if there are any.
void transpose_lanes(const float* rows, Index cols, const float* factors, float* columns);
void transpose_lanes(const double* rows, Index cols, const double* factors, double* columns);

/// distances[q * kLanes + l] = sum_r f_qr (x_lr - c_qr)^2 for rows l given as columns; centers and
/// factors are padded(cols) apart; no factors are factors of 1. Sums in double; float32 adds up 16
/// products first.
void weighted_distances(const float* columns, Index cols, Index n_centers, const float* centers,
                        const float* factors, double* distances);
void weighted_distances(const double* columns, Index cols, Index n_centers, const double* centers,
                        const double* factors, double* distances);

/// With e = x_lr - c_qr and the row weights v = weights[q * kLanes + l]:
///   first[q * padded(cols) + r] += sum_l v e,   second[r] += sum_q sum_l v e^2
/// for rows l given one after the other. Sums in double; float32 adds up those of a few clusters
/// first.
void add_deviations(const float* rows, Index cols, Index n_centers, const float* centers,
                    const float* weights, double* first, double* second);
void add_deviations(const double* rows, Index cols, Index n_centers, const double* centers,
                    const double* weights, double* first, double* second);

/// memberships[q * lanes + l] = (1 / d_ql) / sum_p (1 / d_pl) for distances d; returns the smallest
/// distance, as those near 0 need more care.
double inverse_shares(const double* distances, Index n_centers, Index lanes, double* memberships);

/// The nearest center of each of a few rows, ties to the lower; and its distance and the next one.
struct LaneNearest {
  Index nearest[kLanes<float>];
  double distance[kLanes<float>];
  double runner_up[kLanes<float>];  ///< infinite for a single center
};
void nearest_of_lanes(const double* distances, Index n_centers, Index lanes, LaneNearest& out);

/// With e = (x[r] - reference[r]) * scale[r]: first[r] += e, second[r] += e^2, for each of the rows
/// x, one after the other.
void add_row_deviations(std::span<const float* const> rows, const double* reference,
                        const double* scale, Index n, double* first, double* second);
void add_row_deviations(std::span<const double* const> rows, const double* reference,
                        const double* scale, Index n, double* first, double* second);

/// Squares memberships (clusters x lanes), and finds the cluster of the largest one of each lane,
/// ties to the lower.
void square_memberships(const double* memberships, Index n_centers, float* squares, Index* best);
void square_memberships(const double* memberships, Index n_centers, double* squares, Index* best);

}  // namespace tamis
