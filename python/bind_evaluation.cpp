#include <sstream>

#include "core/peak_memory.hpp"
#include "evaluation/experiment.hpp"
#include "evaluation/results_log.hpp"
#include "evaluation/run_notes.hpp"
#include "evaluation/summary.hpp"
#include "python/bindings.hpp"
#include "registry/method_call.hpp"
#include "report/html_report.hpp"

namespace tamis::python {
namespace {

/// As a results file has it.
std::string text_of(const ExperimentResults& results) {
  std::string text = to_json_line(results.facts);
  for (const RunResult& run : results.runs) text += to_json_line(run);
  return text;
}

ExperimentResults results_of(const std::string& text) {
  std::istringstream stream(text);
  return read_results(stream, "results").results;
}

/// An array that Python owns.
template <class T>
nb::object copied(const DenseView<T>& x) {
  DenseTable<double> table{.rows = x.rows(), .cols = x.cols()};
  table.values.resize(x.rows() * x.cols());
  copy_columns(x, all_indices(x.rows()), 0, x.cols(), table.values.data());
  return array_of(std::move(table));
}

/// What scipy.sparse.csr_array takes: values, columns and offsets; and the number of columns.
template <class T>
nb::object copied(const CsrView<T>& x) {
  CsrTable<double> table;
  for (Index i = 0; i < x.rows(); ++i) {
    table.columns.insert(table.columns.end(), x.row_columns(i).begin(), x.row_columns(i).end());
    table.values.insert(table.values.end(), x.row_values(i).begin(), x.row_values(i).end());
    table.offsets.push_back(std::ssize(table.columns));
  }
  return nb::make_tuple(array_of(std::move(table.values)), array_of(std::move(table.columns)),
                        array_of(std::move(table.offsets)), x.cols());
}

/// What a Python exception says, as the last line of its traceback does.
std::string words_of(const nb::python_error& error) {
  return nb::cast<std::string>(error.type().attr("__name__")) + ": " +
         nb::cast<std::string>(nb::str(error.value()));
}

/// A function of Python as a method. It gets the table, one label per row and the seed, and returns
/// a score for each column, the higher the better. Exceptions end here: what they hold must not
/// outlive the interpreter's lock.
Ranker ranker_by(const nb::callable& function) {
  return [function](const Problem& problem, const Run& run) {
    std::vector<double> scores;
    {
      const nb::gil_scoped_acquire locked;
      try {
        const nb::object table = problem.matrix.visit([](const auto& x) { return copied(x); });
        const nb::object found = function(table, array_of(problem.known.labels), run.seed);
        const auto column = nb::cast<Column<double>>(found);
        scores.assign(column.data(), column.data() + column.size());
      } catch (nb::python_error& error) {
        if (error.matches(PyExc_KeyboardInterrupt)) throw Interrupted("interrupted");
        throw DataError(words_of(error));
      }
    }
    return rank_features(std::move(scores), Better::higher, {}, "it gave no feature a score");
  };
}

/// Methods of the user's own, by the names under which they compete.
using OwnMethods = std::map<std::string, nb::callable>;

/// What a call means, unless it is the name of one of these: they have no options, and need
/// classes.
CallReaders readers_with(const OwnMethods& own) {
  const auto is_own = [&own](const std::string& call) { return own.contains(call); };
  return {.ranker_of =
              [&own, is_own](const std::string& call) {
                return is_own(call) ? ranker_by(own.at(call)) : ranker_of(call);
              },
          .projector_of =
              [is_own](const std::string& call) {
                return is_own(call) ? Projector() : projector_of(call);
              },
          .options_of =
              [is_own](const std::string& call) {
                return is_own(call) ? NamedValues() : options_of(call);
              },
          .needs_classes =
              [is_own](const std::string& call) { return is_own(call) || needs_classes(call); },
          .first_ranking_of =
              [is_own](const std::string& call) {
                return is_own(call) ? std::string() : first_ranking_of(call);
              },
          .with_options =
              [is_own](const std::string& call, std::span<const OptionSetting> settings) {
                return is_own(call) ? call : with_options(call, settings);
              }};
}

/// An experiment on tables that Python holds.
class TableExperiment {
 public:
  TableExperiment(std::vector<std::string> methods, const OwnMethods& own, std::string protocol,
                  OptionTexts settings, std::uint64_t seed)
      : experiment_(experiment_of({.methods = std::move(methods),
                                   .protocol = std::move(protocol),
                                   .settings = std::move(settings),
                                   .seed = seed},
                                  readers_with(own))),
        progress_(interruptible()) {}

  void add(const std::string& name, const Table& table, const Given& known,
           std::vector<std::string> class_names) {
    Problem problem = problem_of(table, known);
    problem.known.class_names = std::move(class_names);
    computed(0, [&] { check_problem(problem); });
    tables_.push_back(table);
    experiment_.data_sets.push_back(
        {.name = name, .file = name, .problem = std::move(problem), .progress = progress_});
  }

  /// The results as text, what to warn of, and why runs failed, if some did.
  auto run(const std::string& command, const std::string& output, int threads) const {
    std::string text;
    std::vector<std::string> warnings;
    std::optional<std::string> failures;
    computed(threads, [&] {
      ExperimentFacts facts = facts_of(experiment_);
      facts.version = TAMIS_VERSION;
      facts.command = command;
      ResultsLog log(output, std::move(facts), {.other_file = "pass another output"});
      const std::vector<RunResult> earlier = log.results().runs;
      run_experiment(experiment_, earlier,
                     {.done = [&](const RunResult& result) { log.add(result); },
                      .warn = [&](const std::string& warning) { warnings.push_back(warning); },
                      .peak_memory = peak_memory_bytes,
                      .progress = progress_});
      for (std::string& warning : warning_notes(log.results()))
        warnings.push_back(std::move(warning));
      failures = failure_note(log.results());
      text = text_of(log.results());
    });
    return std::tuple(text, warnings, failures);
  }

 private:
  Experiment experiment_;
  Progress progress_;
  std::vector<Table> tables_;  // which the data sets look into
};

/// The results of a file as text, and whether its last line was cut off.
auto read_file(const std::string& path) {
  return computed(0, [&] {
    const ResultsFile file = read_results(path);
    return std::pair(text_of(file.results), file.incomplete_from.has_value());
  });
}

std::string summary_of(const std::string& text) {
  return computed(0, [&] {
    const ExperimentResults results = results_of(text);
    return to_json_line(results.facts, summarize(results));
  });
}

std::string page_of(const std::string& text) {
  return computed(0, [&] {
    const ExperimentResults results = results_of(text);
    return html_report(results, summarize(results));
  });
}

}  // namespace

void bind_evaluation(nb::module_& module) {
  nb::class_<TableExperiment>(module, "Experiment")
      .def(nb::init<std::vector<std::string>, const OwnMethods&, std::string, OptionTexts,
                    std::uint64_t>(),
           "methods"_a, "own"_a, "protocol"_a, "settings"_a, "seed"_a)
      .def("add", &TableExperiment::add, "name"_a, "table"_a, "known"_a, "class_names"_a)
      .def("run", &TableExperiment::run, "command"_a, "output"_a, "threads"_a);
  module.def("method_calls", &method_calls, "pieces"_a);
  module.def("read_results", &read_file, "path"_a);
  module.def("summary", &summary_of, "results"_a);
  module.def("experiment_page", &page_of, "results"_a);
}

}  // namespace tamis::python
