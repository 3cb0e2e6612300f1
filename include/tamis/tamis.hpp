#pragma once

/// Everything that a user of the library includes. A table and what is known about its rows make a
/// problem, a method ranks its features:
///
///   #include <cstdio>
///   #include <tamis/tamis.hpp>
///
///   int main() {
///     const tamis::Table table = tamis::read_table("cells.csv");
///     const tamis::EncodedLabels classes = tamis::encode_labels(table.label_texts);
///     const tamis::Problem problem{.matrix = table.view(),
///                                  .feature_names = table.feature_names,
///                                  .known = {.labels = classes.labels}};
///     tamis::check_problem(problem);
///     const tamis::Ranking ranking = tamis::cls(problem, {.graph = {.n_neighbors = 5}});
///     std::puts(table.feature_names[ranking.order.front()].c_str());
///   }
///
/// A method can also be chosen by its name, with options as texts: see registry/methods.hpp. What
/// is known may be pairs of rows instead of classes, or both: see core/knowledge.hpp. A seed, a
/// sink for progress and a trace go beside the problem: see core/run.hpp.

#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"
#include "tamis/core/problem.hpp"
#include "tamis/core/ranking.hpp"
#include "tamis/core/run.hpp"
#include "tamis/core/table.hpp"
#include "tamis/io/labels.hpp"
#include "tamis/io/open.hpp"
#include "tamis/io/pairs.hpp"
#include "tamis/methods/arom_svm.hpp"
#include "tamis/methods/bcs.hpp"
#include "tamis/methods/cls.hpp"
#include "tamis/methods/constraint_score.hpp"
#include "tamis/methods/csfs.hpp"
#include "tamis/methods/csfsr.hpp"
#include "tamis/methods/ens_cls.hpp"
#include "tamis/methods/fcbf.hpp"
#include "tamis/methods/fisher_score.hpp"
#include "tamis/methods/fs_manifold.hpp"
#include "tamis/methods/fw_semifs.hpp"
#include "tamis/methods/information_gain.hpp"
#include "tamis/methods/l2gfs.hpp"
#include "tamis/methods/laplacian_score.hpp"
#include "tamis/methods/lsdf.hpp"
#include "tamis/methods/mrmr.hpp"
#include "tamis/methods/relieff.hpp"
#include "tamis/methods/ridge_omp.hpp"
#include "tamis/methods/sbcs.hpp"
#include "tamis/methods/sc4.hpp"
#include "tamis/methods/spec.hpp"
#include "tamis/methods/spfs.hpp"
#include "tamis/methods/sselect.hpp"
#include "tamis/methods/ssfi.hpp"
#include "tamis/methods/variance.hpp"
#include "tamis/methods/wckm.hpp"
#include "tamis/projections/cfld.hpp"
#include "tamis/projections/pca.hpp"
#include "tamis/projections/rca.hpp"
#include "tamis/projections/ssdr.hpp"
#include "tamis/registry/clusterings.hpp"
#include "tamis/registry/methods.hpp"
#include "tamis/registry/projections.hpp"
