#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/commands/load.hpp"
#include "core/counted.hpp"
#include "results/ranking_result.hpp"
#include "tamis/core/options.hpp"

/// What every command that computes says of its run.
namespace tamis::cli {

/// A word as a shell takes it: in quotes if it needs them.
std::string shell_word(const std::string& word);

/// "iris.csv: 150 rows x 4 features, 9 labeled in 3 classes, ..."
void describe_data(const ProblemFacts& facts, const Voice& voice);

/// The command line as typed, in words that a shell takes.
std::string typed_command(const Arguments& arguments);

/// The command line with the given values and the seed written out where they were not given; for
/// people who asked for details.
void describe_command(const Arguments& arguments, const NamedValues& values, const Voice& voice);

/// Time and memory, likewise.
void describe_cost(double seconds, const Voice& voice);

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace tamis::cli
