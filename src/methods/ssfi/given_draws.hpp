#pragma once

#include "methods/ssfi/tree_committee.hpp"
#include "tamis/methods/ssfi.hpp"

namespace tamis {

/// ssfi whose members draw what they are told. Options say rounds and sample alone.
Ranking ssfi_with_draws(const Problem& problem, const SsfiOptions& options, const TreeDraws& draws,
                        const Run& run, Diagnostics diagnostics = {});

}  // namespace tamis
