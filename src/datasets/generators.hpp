#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tamis/core/knowledge.hpp"
#include "tamis/io/table.hpp"

/// Benchmark tables made by formula, whose relevant features are known. Row i depends on the seed
/// and on i alone, so that a longer table begins like a shorter one.
namespace tamis {

/// What a column tells of the class.
enum class Role { relevant, redundant, noise };

struct GeneratedTable {
  Table table = {};
  std::vector<Role> roles = {};     ///< one per column
  std::vector<Index> groups = {};   ///< one per column: those of one number go together, -1 alone;
                                    ///< empty: the generator does not say
  std::vector<Index> classes = {};  ///< one per row from 0, also where the table has no label
  std::vector<std::string> class_names = {};  ///< of class 0, 1, ...
  PairConstraints pairs = {};                 ///< a few that hold, if the generator makes any
};

struct CellsOptions {
  Index labels = 3;   ///< labeled cells of each type; all others have an empty label
  Index noise = 215;  ///< genes that have to do with nothing
};
/// A table as single-cell studies have it: cells with ids, four types of unequal size of which the
/// first few cells are labeled, and gene expression ln(1 + count / depth), to two decimals. Genes
/// have the names of known markers: six programs of five that go together tell the types, the first
/// gene of each (relevant) most clearly, the others (redundant) the same. Five genes of the cell
/// cycle go together too, but have nothing to do with the types; they and ZNF1, ZNF2, ... are
/// noise. Columns are shuffled. Ten must-links and ten cannot-links join cells without a label.
GeneratedTable make_cells(Index rows, std::uint64_t seed, const CellsOptions& options);

/// Breiman's waves: each class mixes two of three triangles h1(t) = max(6 - |t - 11|, 0),
/// h2(t) = h1(t - 4), h3(t) = h1(t + 4) over t = 1 .. 21, plus N(0, 1); 19 further features are
/// N(0, 1) alone. F2 .. F20 are relevant: every triangle is 0 at t = 1 and t = 21.
/// Breiman, Friedman, Olshen, Stone, "Classification and Regression Trees", 1984, section 2.6.2.
GeneratedTable make_wave(Index rows, std::uint64_t seed);

struct BlobsOptions {
  Index classes = 3;
  Index relevant = 5;
  Index redundant = 5;
  Index noise = 40;
  double spread = 1.0;  ///< standard deviation within a class; class centres are 2 apart
};
/// Classes of equal size. On each relevant feature the class centres are a random order of evenly
/// spaced places; a redundant feature is a relevant one, rescaled, with a tenth of the spread as
/// noise; the rest is N(0, spread^2).
GeneratedTable make_blobs(Index rows, std::uint64_t seed, const BlobsOptions& options);

/// 2^20 clusters; beyond, every row has its own.
inline constexpr Index kMostMadelonRelevant = 20;

struct MadelonOptions {
  Index relevant = 5;
  Index redundant = 15;
  Index noise = 480;
  double spread = 1.0;  ///< standard deviation around a vertex; the cube's side is 4
};
/// In the manner of the MADELON challenge (Guyon 2003): clusters on the vertices of a cube, half of
/// them at random in either class, so that no relevant feature tells alone; redundant features
/// are linear combinations of the relevant ones; the rest is N(0, 1); columns are shuffled.
/// @throws InvalidArgument for more than kMostMadelonRelevant relevant features
GeneratedTable make_madelon(Index rows, std::uint64_t seed, const MadelonOptions& options);

}  // namespace tamis
