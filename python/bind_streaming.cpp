#include <fmt/format.h>
#include <nanobind/stl/unique_ptr.h>

#include <filesystem>

#include "constraints/constraint_set.hpp"
#include "core/peak_memory.hpp"
#include "evaluation/data_set_facts.hpp"
#include "io/memory_rows.hpp"
#include "io/random_access_file.hpp"
#include "io/rehearsal.hpp"
#include "io/spill.hpp"
#include "python/kept_ranking.hpp"
#include "python/python_rows.hpp"
#include "streaming/checkpoint_facts.hpp"
#include "streaming/drive.hpp"
#include "streaming/memory_plan.hpp"
#include "streaming/streamed_clustering.hpp"
#include "streaming/streamed_ranking.hpp"
#include "streaming/whole_file.hpp"

namespace tamis::python {
namespace {

/// A table of which runs of rows are read, and what its file says besides.
struct Source {
  explicit Source(TableStream&& table)
      : rows(std::move(table.rows)),
        feature_names(std::move(table.feature_names)),
        sample_ids(std::move(table.sample_ids)),
        label_texts(std::move(table.label_texts)),
        format(table.format.name) {}
  explicit Source(nb::object source) : rows(std::make_unique<PythonRows>(std::move(source))) {}

  std::unique_ptr<RowSource> rows;
  std::vector<std::string> feature_names = {};
  std::vector<std::string> sample_ids = {};
  std::vector<std::string> label_texts = {};
  std::string format = "array";
  bool travels = true;  ///< whether another process that opens the same file reads the same rows
};

/// Nothing, if the format of the file has no runs of rows.
std::optional<Source> open_rows(const std::string& path, bool is_trusted) {
  const nb::gil_scoped_release unlocked;
  if (std::filesystem::is_directory(path)) return std::nullopt;
  if (auto table = open_table_stream(path, {.is_trusted = is_trusted}))
    return Source(std::move(*table));
  return std::nullopt;
}

/// A file of any format: in runs of rows if it has them, or from a temporary file of its numbers;
/// else all of it is in memory then.
/// @param is_forced whether runs of rows are wanted even if all of it fits
/// @param folder for the temporary file; none: there may be none
Source open_file(const std::string& path, bool is_trusted, Index memory, bool is_forced,
                 const std::optional<std::string>& folder) {
  const nb::gil_scoped_release unlocked;
  const ReadOptions options{.is_trusted = is_trusted};
  const auto here = [](TableStream&& table) {
    Source source(std::move(table));
    source.travels = false;
    return source;
  };
  const bool is_file = file_size_of(path) > 0;
  const bool can_be_spilled = is_file && can_spill(path, options);
  if (folder && can_be_spilled && (is_forced || !fits_for_sure(path, memory)))
    return here(spill_table(path, options, *folder, piece_within(memory)));
  if (is_file && !can_be_spilled)  // else all of a text would be read to find that out
    if (auto table = open_table_stream(path, options)) return Source(std::move(*table));
  refuse_too_large(path, memory,
                   can_be_spilled
                       ? "spill=FOLDER makes such a file of it first, in a folder with as much "
                         "room as its numbers take"
                       : "convert it, for instance with numpy.lib.format.open_memmap, a part at a "
                         "time");
  return here(stream_of(read_table(path, options), is_file ? file_fingerprint(path) : path));
}

/// @throws InvalidArgument as plan_memory
Index planned_rows(Conversation& conversation, const Source& source, Index limit,
                   const AnswerSpace& space) {
  try {
    return plan_memory(*source.rows, conversation, limit, space).rows_at_once;
  } catch (const InvalidArgument& error) {
    if (!conversation.wants_folder()) throw;
    throw InvalidArgument(
        fmt::format("{}; spill=FOLDER does with less: what is known of pairs of columns goes to a "
                    "temporary file there",
                    error.what()));
  }
}

/// All that this process is there for: reads an HDF5 file for nothing, within its limits.
void rehearse(const std::string& path) {
  const auto limits = limits_of_hdf5(path, ContentHeld::whole);
  if (!limits) return;
  const MemoryLimit memory(limits->bytes);
  limit_rehearsal(limits->seconds);
  if (!rehearse_rows(path, {})) read_table(path);
}

/// As many arrays as its storage has: the values; or offsets, columns and values.
nb::tuple arrays_of(OwnedTable&& block) {
  return std::visit(
      []<class Stored>(Stored&& table) {
        if constexpr (requires { table.offsets; }) {
          return nb::make_tuple(array_of(std::move(table.offsets)),
                                array_of(std::move(table.columns)),
                                array_of(std::move(table.values)));
        } else {
          return nb::make_tuple(array_of(std::move(table)));
        }
      },
      std::move(block));
}

nb::tuple read(Source& source, Index first, Index count) {
  OwnedTable block;
  computed(0, [&] { source.rows->read(first, count, block); });
  return arrays_of(std::move(block));
}

nb::object array_of(Bytes bytes) {
  auto* const held = new Bytes(std::move(bytes));
  const nb::capsule owner(held, [](void* p) noexcept { delete static_cast<Bytes*>(p); });
  return nb::cast(
      nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<1>>(held->data(), {held->size()}, owner));
}

std::span<const std::byte> bytes_of(const Column<std::uint8_t>& array) {
  return std::as_bytes(span_of(array));
}

Pass pass_of(std::string kind, const Column<std::uint8_t>& broadcast) {
  const auto bytes = bytes_of(broadcast);
  return {.kind = std::move(kind), .broadcast = {bytes.begin(), bytes.end()}};
}

StreamedProblem problem_of(const Source& source, const Given& given) {
  return {.rows = source.rows->rows(),
          .cols = source.rows->cols(),
          .is_single = source.rows->is_single(),
          .is_sparse = source.rows->is_sparse(),
          .feature_names = given.feature_names,
          .known = knowledge_of(given)};
}

/// A conversation that ends with a ranking, and what is to be said of it.
class RankingTalk {
 public:
  RankingTalk(const RankingPlan& plan, const Source& source, const Given& given,
              std::vector<std::string> class_names, std::uint64_t seed)
      : problem_(problem_of(source, given)), seed_(seed), format_(source.format) {
    problem_.known.class_names = std::move(class_names);
    const RankingPlan wanted = for_features(plan, problem_.cols);
    conversation_ = streamed_ranking(wanted, problem_, seed_);
    plan_ = streamed_plan(wanted).plan;
  }

  Conversation& conversation() { return *conversation_; }
  std::uint64_t seed() const { return seed_; }

  Checkpoint checkpoint(std::string folder, const Source& source) const {
    Checkpoint::Facts facts =
        checkpoint_facts(TAMIS_VERSION, plan_, problem_, source.rows->fingerprint(), seed_);
    facts.push_back(fact_of_passes(*conversation_));
    return Checkpoint(std::move(folder), std::move(facts));
  }

  KeptRanking result(const Run& run, int threads) {
    return computed(threads, [&] { return kept(conversation_->result(run)); });
  }

 private:
  KeptRanking kept(Ranking ranking) const {
    const ConstraintSet pairs(problem_.known, problem_.rows);
    const Knowledge& known = problem_.known;
    KeptRanking kept = kept_ranking(plan_, seed_,
                                    {.format = format_,
                                     .rows = problem_.rows,
                                     .features = problem_.cols,
                                     .labeled = std::ssize(labeled_rows(known)),
                                     .classes = std::ssize(rows_by_class(known)),
                                     .must_link = pairs.n_must_link(),
                                     .cannot_link = pairs.n_cannot_link(),
                                     .sparse = problem_.is_sparse,
                                     .precision = problem_.is_single ? "single" : "double"},
                                    problem_.feature_names, std::move(ranking), started_);
    kept.class_counts = data_set_facts("", "", known).classes;
    return kept;
  }

  RankingPlan plan_ = {};
  StreamedProblem problem_;
  std::uint64_t seed_;
  std::string format_;
  Clock::time_point started_ = Clock::now();
  std::unique_ptr<RankingConversation> conversation_;
};

/// One that ends with clusters of rows.
class ClusteringTalk {
 public:
  ClusteringTalk(const std::string& method, OptionTexts options, const Source& source,
                 const Given& known, const std::optional<Dense<double>>& start, std::uint64_t seed)
      : method_(find_clustering(method)),
        options_(std::move(options)),
        problem_(problem_of(source, known)),
        seed_(seed) {
    if (!method_.info.streams)
      throw InvalidArgument(fmt::format(
          "{} looks at all rows at once, and X is read in runs of rows: cluster a sample of them, "
          "or condense the table first (tamis condense)",
          method));
    if (start)
      given_.start = {.centroids = {start->data(), start->data() + start->size()}, .weights = {}};
    conversation_ = streamed_clustering(method, options_, problem_, given_, seed_);
  }

  Conversation& conversation() { return *conversation_; }
  std::uint64_t seed() const { return seed_; }

  Checkpoint checkpoint(std::string folder, const Source& source) const {
    NamedValues choices{{"method", std::string(method_.info.name)}};
    for (auto& choice : method_.resolve(options_)) choices.push_back(std::move(choice));
    if (given_.start) choices.emplace_back("start (init)", digest(given_.start->centroids));
    Checkpoint::Facts facts =
        checkpoint_facts(TAMIS_VERSION, problem_, source.rows->fingerprint(), seed_, choices);
    facts.push_back(fact_of_passes(*conversation_));
    return Checkpoint(std::move(folder), std::move(facts));
  }

  nb::object result(const Run& run, int threads) {
    ClusteringRun done = computed(threads, [&] {
      return method_.completed(conversation_->result(run), options_, problem_.cols);
    });
    done.map = conversation_->map();
    return dict_of(done, problem_.cols);
  }

 private:
  const ClusteringMethod& method_;
  OptionTexts options_;
  StreamedProblem problem_;
  std::uint64_t seed_;
  ClusterGiven given_ = {};
  std::unique_ptr<ClusteringConversation> conversation_;
};

nb::list plain(const std::vector<PassPlan>& passes) {
  nb::list list;
  for (const PassPlan& pass : passes) list.append(nb::make_tuple(pass.kind, pass.bytes));
  return list;
}

void bind_sources(nb::module_& module) {
  nb::class_<Source>(module, "RowSource")
      .def(nb::init<nb::object>(), "source"_a)
      .def_prop_ro(
          "shape",
          [](const Source& source) { return std::pair(source.rows->rows(), source.rows->cols()); })
      .def_prop_ro("is_single", [](const Source& source) { return source.rows->is_single(); })
      .def_prop_ro("is_sparse", [](const Source& source) { return source.rows->is_sparse(); })
      .def_prop_ro("bytes_per_row",
                   [](const Source& source) { return source.rows->bytes_per_row(); })
      .def_prop_ro("rows_at_once", [](const Source& source) { return source.rows->rows_at_once(); })
      .def_prop_ro("reading_bytes_per_row",
                   [](const Source& source) { return source.rows->reading_bytes_per_row(); })
      .def_ro("feature_names", &Source::feature_names)
      .def_ro("sample_ids", &Source::sample_ids)
      .def_ro("label_texts", &Source::label_texts)
      .def_ro("travels", &Source::travels)
      .def("fingerprint", [](const Source& source) { return source.rows->fingerprint(); })
      .def(
          "fits",
          [](const Source& source, Index limit) { return fits_in_memory(*source.rows, limit); },
          "limit"_a)
      .def("read", &read, "first"_a, "count"_a);
  module.def("open_rows", &open_rows, "path"_a, "is_trusted"_a);
  module.def("open_file", &open_file, "path"_a, "is_trusted"_a, "memory"_a, "is_forced"_a,
             "folder"_a.none());
  module.def("is_hdf5", [](const std::string& path) {
    return limits_of_hdf5(path, ContentHeld::whole).has_value();
  });
  module.def("rehearse", &rehearse, "path"_a);
  module.def("refuse_damaged_hdf5", &refuse_damaged_hdf5, "path"_a);
  module.def("file_fingerprint", &file_fingerprint, "path"_a);
  module.def("usual_memory", &usual_memory);
  module.def("held_memory", &held_memory_bytes);
  module.def("bytes_text", &bytes_text, "bytes"_a);
  module.def("parse_bytes", &parse_bytes, "who"_a, "name"_a, "text"_a);
}

void bind_passes(nb::module_& module) {
  nb::class_<Pass>(module, "Pass")
      .def(
          "__init__",
          [](Pass* pass, std::string kind, const Column<std::uint8_t>& broadcast) {
            new (pass) Pass(pass_of(std::move(kind), broadcast));
          },
          "kind"_a, "broadcast"_a)
      .def_ro("kind", &Pass::kind)
      .def_prop_ro("broadcast", [](const Pass& pass) { return array_of(pass.broadcast); });
  nb::class_<PassState>(module, "PassState")
      .def(
          "update",
          [](PassState& state, const Table& block, Index first_row, int threads) {
            computed(threads, [&] { state.update(block.view(), first_row); });
          },
          "block"_a, "first_row"_a, "threads"_a = 0)
      .def("merge", &PassState::merge, "other"_a, nb::call_guard<nb::gil_scoped_release>())
      .def("bytes", [](const PassState& state) {
        return array_of(computed(0, [&] { return state.bytes(); }));
      });
  module.def(
      "state_of", [](const Pass& pass) { return state_of(pass); }, "pass_"_a);
  module.def(
      "state_of",
      [](const Pass& pass, const Column<std::uint8_t>& bytes) {
        return computed(0, [&] { return state_of(pass, bytes_of(bytes)); });
      },
      "pass_"_a, "bytes"_a);
  module.def(
      "read_run",
      [](const Pass& pass, Source& source, Index first, Index count, Index rows_at_once,
         int threads) {
        return computed(threads,
                        [&] { return read_run(pass, *source.rows, first, count, rows_at_once); });
      },
      "pass_"_a, "source"_a, "first"_a, "count"_a, "rows_at_once"_a, "threads"_a);
}

void bind_checkpoints(nb::module_& module) {
  nb::class_<Checkpoint>(module, "Checkpoint")
      .def(
          "answer",
          [](const Checkpoint& checkpoint, std::size_t number, const Pass& pass) {
            Checkpoint::Answer answer = checkpoint.answer(number, pass);
            return nb::make_tuple(std::move(answer.state), answer.rows);
          },
          "number"_a, "pass_"_a)
      .def("keep", &Checkpoint::keep, "number"_a, "rows"_a, "state"_a)
      .def("keep_if_due", &Checkpoint::keep_if_due, "number"_a, "rows"_a, "state"_a)
      .def_prop_ro("rows_found", &Checkpoint::rows_found)
      .def("remove", &Checkpoint::remove);
}

/// Leads it in this process.
template <class Talk>
auto converse(Talk& talk, Source& source, Index rows_at_once, Checkpoint* checkpoint,
              const nb::object& progress, int threads) {
  const Run run = interruptible_run(talk.seed(), progress);
  computed(threads,
           [&] { lead(talk.conversation(), *source.rows, rows_at_once, run, checkpoint); });
  return talk.result(run, threads);
}

template <class Talk>
nb::class_<Talk> bind_talk(nb::module_& module, const char* name) {
  return nb::class_<Talk>(module, name)
      .def("passes", [](Talk& talk) { return plain(talk.conversation().passes()); })
      .def_prop_ro("is_open_ended", [](Talk& talk) { return talk.conversation().is_open_ended(); })
      .def_prop_ro("result_bytes", [](Talk& talk) { return talk.conversation().result_bytes(); })
      .def(
          "rows_at_once",
          [](Talk& talk, const Source& source, Index limit, bool is_kept,
             std::optional<std::string> folder) {
            return planned_rows(talk.conversation(), source, limit,
                                {.is_kept = is_kept, .folder = std::move(folder)});
          },
          "source"_a, "limit"_a, "is_kept"_a, "folder"_a.none())
      .def(
          "rows_of_blocks",
          [](Talk& talk, const Source& source, Index fitting) {
            return rows_of_blocks(*source.rows, talk.conversation(), fitting);
          },
          "source"_a, "fitting"_a)
      .def(
          "fit_workers",
          [](Talk& talk, Index bytes) {
            talk.conversation().fit({.bytes = bytes, .is_all = false});
          },
          "bytes"_a)
      .def(
          "report_to",
          [](Talk& talk, const nb::object& progress) {
            talk.conversation().report_to(interruptible_run(talk.seed(), progress));
          },
          "progress"_a.none(), nb::keep_alive<1, 2>())
      .def("checkpoint", &Talk::checkpoint, "folder"_a, "source"_a)
      .def("next_pass",
           [](Talk& talk) { return computed(0, [&] { return talk.conversation().next_pass(); }); })
      .def(
          "accept",
          [](Talk& talk, std::unique_ptr<PassState> state) {
            computed(0, [&] { talk.conversation().accept(std::move(state)); });
          },
          "state"_a)
      .def(
          "result",
          [](Talk& talk, int threads, const nb::object& progress) {
            return talk.result(interruptible_run(talk.seed(), progress), threads);
          },
          "threads"_a, "progress"_a = nb::none())
      .def("converse", &converse<Talk>, "source"_a, "rows_at_once"_a, "checkpoint"_a.none(),
           "progress"_a.none(), "threads"_a);
}

void bind_conversations(nb::module_& module) {
  bind_talk<RankingTalk>(module, "RankingConversation")
      .def(nb::init<const RankingPlan&, const Source&, const Given&, std::vector<std::string>,
                    std::uint64_t>(),
           "plan"_a, "source"_a, "known"_a, "class_names"_a, "seed"_a);
  bind_talk<ClusteringTalk>(module, "ClusteringConversation")
      .def(nb::init<const std::string&, OptionTexts, const Source&, const Given&,
                    const std::optional<Dense<double>>&, std::uint64_t>(),
           "method"_a, "options"_a, "source"_a, "known"_a, "start"_a.none(), "seed"_a);
}

}  // namespace

void bind_streaming(nb::module_& module) {
  bind_sources(module);
  bind_passes(module);
  bind_checkpoints(module);
  bind_conversations(module);
}

}  // namespace tamis::python
