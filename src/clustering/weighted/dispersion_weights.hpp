#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tamis/core/index.hpp"

namespace tamis {

/// @throws InvalidArgument for a beta in [0, 1], saying why
void check_beta(std::string_view method, double beta);

/// The weights that minimise sum_j w_j^beta D_j under sum_j w_j = 1: w_j is proportional to
/// D_j^(-1/(beta-1)) (thesis eq. 4.23, 4.28). A feature without dispersion has weight 0 and leaves
/// the sum; if there is no dispersion at all, the weights are uniform. Takes the logarithms of the
/// D_j (-infinity for 0), so that no range of dispersions overflows.
std::vector<double> dispersion_weights(std::span<const double> log_dispersions, double beta);

/// What a squared difference is multiplied with in a distance: w^beta; 0 for w = 0, whatever beta.
double distance_weight(double weight, double beta);

/// log(w^beta); -infinity for w = 0.
double log_distance_weight(double weight, double beta);

/// A warning if fewer than ten features (and fewer than half of those that could) carry 99 % of the
/// weight; else an empty text.
std::string few_features_warning(std::string_view method, std::span<const double> weights,
                                 double beta);

}  // namespace tamis
