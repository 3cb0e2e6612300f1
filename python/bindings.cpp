#include "python/bindings.hpp"

#include <fmt/format.h>

#include "constraints/closure.hpp"
#include "constraints/coherence.hpp"
#include "core/option_texts.hpp"
#include "datasets/generators.hpp"
#include "io/categories.hpp"
#include "io/delimited.hpp"
#include "plan/ranking_plan.hpp"
#include "python/prepared_ranking.hpp"
#include "tamis/registry/methods.hpp"

/// tamis._core: the library as plain functions over arrays. What users see is written in Python.
namespace tamis::python {
namespace {

using python::dict_of;

std::vector<std::tuple<Index, Index, double>> plain(const std::vector<RowPair>& pairs) {
  std::vector<std::tuple<Index, Index, double>> list;
  for (const RowPair& pair : pairs) list.emplace_back(pair.first, pair.second, pair.weight);
  return list;
}

nb::dict dict_of(const NamedValues& values) {
  nb::dict dict;
  for (const auto& [name, value] : values) dict[name.c_str()] = value;
  return dict;
}

nb::dict dict_of(const Method& method) {
  nb::list options;
  for (const OptionInfo& option : method.options) options.append(dict_of(option));
  nb::dict dict;
  dict["name"] = method.info.name;
  dict["title"] = method.info.title;
  dict["kind"] = name_of(method.info.supervision);
  dict["needs"] = needs_of(method.info);
  dict["needs_classes"] = method.info.needs == Needs::classes;
  dict["needs_knowledge"] = method.info.needs != Needs::nothing;
  dict["selects_subset"] = method.info.selects_subset;
  dict["measures_distances"] = method.info.measures_distances;
  dict["counts_features"] = method.info.counts_features;
  dict["takes_values"] = method.info.takes_values;
  dict["draws"] = method.info.draws;
  dict["default"] = method.info.name == kAutomaticMethod;
  dict["reference"] = method.info.reference;
  dict["paper"] = dict_of(values_of(method, method.info.paper));
  dict["options"] = options;
  return dict;
}

nb::list list_methods() {
  nb::list list;
  for (const Method& method : methods()) list.append(dict_of(method));
  return list;
}

KeptRanking rank(const RankingPlan& plan, const Table& table, const Given& known,
                 std::vector<std::string> class_names, const Preparation& preparation,
                 std::uint64_t seed, int threads, const nb::object& progress) {
  Problem problem = problem_of(table, known);
  problem.known.class_names = std::move(class_names);
  const Run run = interruptible_run(seed, progress);
  return computed(threads, [&] { return rank_prepared(plan, problem, preparation, run); });
}

auto close_pairs(std::vector<std::string> ids, const Pairs& must_link, const Pairs& cannot_link,
                 const Column<double>& must_link_weights,
                 const Column<double>& cannot_link_weights) {
  const auto rows = static_cast<Index>(ids.size());
  const PairConstraints closed =
      closure({.must_link = pairs_of(must_link, must_link_weights),
               .cannot_link = pairs_of(cannot_link, cannot_link_weights)},
              rows, {.sample_ids = std::move(ids)});
  return std::pair(plain(closed.must_link), plain(closed.cannot_link));
}

auto measure_coherence(const Table& table, const Pairs& must_link, const Pairs& cannot_link,
                       Index max_pairs, std::uint64_t seed) {
  const auto musts = pairs_of(must_link);
  const auto cannots = pairs_of(cannot_link);
  const Run run = interruptible_run(seed);
  Coherence measured =
      computed(0, [&] { return coherence(table.view(), musts, cannots, max_pairs, run); });
  return nb::make_tuple(measured.of_set, array_of(std::move(measured.must_link)),
                        array_of(std::move(measured.cannot_link)), measured.standard_error);
}

/// Values, classes from 0 (-1 where the table does not tell), names of columns and of rows (maybe
/// none), and pairs as the package has them.
nb::tuple plain(const GeneratedTable& generated) {
  const auto& data = std::get<DenseTable<double>>(generated.table.data);
  std::vector<Index> labels = generated.classes;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (generated.table.label_texts[i].empty()) labels[i] = kUnlabeled;
  return nb::make_tuple(
      array_of(std::vector<double>(data.values.data(), data.values.data() + data.rows * data.cols)),
      array_of(std::move(labels)), generated.table.feature_names, generated.table.sample_ids,
      plain(generated.pairs.must_link), plain(generated.pairs.cannot_link));
}

/// The message, and what to do about it in the words of this package: its arguments.
std::string in_python(const Error& error) {
  const std::string message = error.what();
  switch (error.remedy().action) {
    case Remedy::Action::give_labels:
      return message + "; pass classes as y";
    case Remedy::Action::give_labels_or_pairs:
      return message + "; pass labels of at least two rows as y, or constraints";
    case Remedy::Action::take_method_for_values:
      return fmt::format("{}; {} take one, or cut it into classes", message, methods_for_values());
    case Remedy::Action::leave_out:
      return message + "; if so, drop the column";
    case Remedy::Action::sample_rows:
      return message + "; rank a sample of the rows: all known ones and some others";
    case Remedy::Action::treat_missing_of_sample:
      return message + "; fill them in first, or rank a sample of the rows with missing='median'";
    case Remedy::Action::trust_file:
      return message + "; trusted=True reads it all the same";
    default:
      return message;  // of the program's own flags
  }
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const InvalidArgument& error) {
    PyErr_SetString(PyExc_ValueError, in_python(error).c_str());
  } catch (const DataError& error) {
    PyErr_SetString(PyExc_ValueError, in_python(error).c_str());
  } catch (const IoError& error) {
    PyErr_SetString(PyExc_OSError, in_python(error).c_str());
  }
}

/// Columns of texts as columns of numbers: these in an array, their names, and for which of the
/// texts each stands.
nb::tuple encode(std::vector<std::string> names, std::vector<std::vector<std::string>> texts,
                 const std::string& kind_word) {
  Encode kind = Encode::refuse;
  detail::parse_into(kind, "rank", "encode", "", kind_word);
  std::vector<TextFeature> features;
  for (std::size_t s = 0; s < names.size(); ++s)
    features.push_back({.place = fmt::format("column {} of X", names[s]),
                        .name = names[s],
                        .seen = text_column(texts[s], static_cast<Index>(s)),
                        .texts = std::move(texts[s])});
  EncodedTexts encoded = encode_features(features, kind);
  return nb::make_tuple(encoded.values, encoded.names, encoded.groups);
}

void bind_tables(nb::module_& module) {
  nb::class_<Table>(module, "Table")
      .def(nb::init<Dense<double>>(), "x"_a.noconvert())
      .def(nb::init<Dense<float>>(), "x"_a.noconvert())
      .def(nb::init<Column<Index>, Column<ColumnIndex>, Column<double>, Index>(),
           "offsets"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(), "cols"_a)
      .def(nb::init<Column<Index>, Column<ColumnIndex>, Column<float>, Index>(),
           "offsets"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(), "cols"_a);
  nb::class_<Given>(module, "Knowledge")
      .def(
          nb::init<std::vector<std::string>, std::vector<std::string>, std::optional<Column<Index>>,
                   std::optional<Column<double>>, Pairs, Pairs, Column<double>, Column<double>>(),
          "feature_names"_a, "sample_ids"_a, "labels"_a.none(), "values"_a.none(), "must_link"_a,
          "cannot_link"_a, "must_link_weights"_a, "cannot_link_weights"_a);
  module.def("encode", &encode, "names"_a, "texts"_a, "kind"_a);
  module.def("means_unlabeled", &means_unlabeled, "text"_a);
  module.def("reads_like_unknown", &reads_like_unknown, "text"_a);
  module.def("is_canonical", &is_canonical<ColumnIndex>, "offsets"_a, "columns"_a.noconvert(),
             "values"_a, "cols"_a);
  module.def("is_canonical", &is_canonical<Index>, "offsets"_a, "columns"_a.noconvert(), "values"_a,
             "cols"_a);
}

using Top =
    std::variant<Index, std::string>;         ///< a number of features, or "5%", "auto", "relevant"
using Diversify = std::variant<bool, Index>;  ///< whether, or among how many candidates

RankingPlan plan_of(const std::string& method, const OptionTexts& options,
                    const std::optional<Top>& top, const std::optional<OptionTexts>& bagging,
                    const Diversify& diversify, const std::string& settings) {
  RankingPlan plan{.method = &find_method(method), .options = options};
  detail::parse_into(plan.settings, "rank", "settings", "", settings);
  if (top && std::holds_alternative<Index>(*top))
    plan.wanted.count = std::get<Index>(*top);
  else if (top && std::get<std::string>(*top).ends_with('%'))
    plan.wanted.percent = parse_percent("rank", "top", std::get<std::string>(*top));
  else if (top)
    detail::parse_into(plan.wanted.judged.emplace(), "rank", "top", "",
                       std::get<std::string>(*top));
  if (bagging) plan.bagging = parse_options<BaggingOptions>("bagging", *bagging);
  if (diversify != Diversify(false)) plan.diversify.emplace();
  if (const Index* const candidates = std::get_if<Index>(&diversify))
    plan.diversify->n_candidates = *candidates;
  return completed(std::move(plan));
}

Preparation preparation_of(const std::string& missing) {
  Preparation preparation;
  detail::parse_into(preparation.missing, "rank", "missing", "", missing);
  return preparation;
}

void bind_plans(nb::module_& module) {
  nb::class_<Preparation>(module, "Preparation").def_rw("groups", &Preparation::groups);
  module.def("preparation", &preparation_of, "missing"_a);
  nb::class_<RankingPlan>(module, "Plan")
      .def_prop_ro("method", [](const RankingPlan& plan) { return plan.name(); })
      .def_prop_ro("draws", &RankingPlan::draws)
      .def_prop_ro("draws_in_runs", &RankingPlan::draws_in_runs);
  module.def("plan", &plan_of, "method"_a, "options"_a, "top"_a.none() = nb::none(),
             "bagging"_a.none() = nb::none(), "diversify"_a = false, "settings"_a = "default");
  module.def(
      "paper",
      [](const std::string& name) {
        const Method& method = find_method(name);
        return dict_of(values_of(method, RankingPlan{.method = &method}.paper()));
      },
      "method"_a);
}

void bind_generators(nb::module_& module) {
  module.def(
      "cells",
      [](Index rows, std::uint64_t seed, Index labels, Index noise) {
        return plain(make_cells(rows, seed, {labels, noise}));
      },
      "rows"_a, "seed"_a, "labels"_a, "noise"_a);
  module.def(
      "wave", [](Index rows, std::uint64_t seed) { return plain(make_wave(rows, seed)); }, "rows"_a,
      "seed"_a);
  module.def(
      "blobs",
      [](Index rows, std::uint64_t seed, Index classes, Index relevant, Index redundant,
         Index noise, double spread) {
        return plain(make_blobs(rows, seed, {classes, relevant, redundant, noise, spread}));
      },
      "rows"_a, "seed"_a, "classes"_a, "relevant"_a, "redundant"_a, "noise"_a, "spread"_a);
  module.def(
      "madelon",
      [](Index rows, std::uint64_t seed, Index relevant, Index redundant, Index noise,
         double spread) {
        return plain(make_madelon(rows, seed, {relevant, redundant, noise, spread}));
      },
      "rows"_a, "seed"_a, "relevant"_a, "redundant"_a, "noise"_a, "spread"_a);
  module.attr("MOST_MADELON_RELEVANT") = kMostMadelonRelevant;
}

}  // namespace
}  // namespace tamis::python

NB_MODULE(_core, module) {
  using namespace tamis;
  using namespace tamis::python;
  module.attr("__version__") = TAMIS_VERSION;
  nb::register_exception_translator(translate);
  bind_tables(module);
  bind_generators(module);
  bind_clustering(module);
  bind_evaluation(module);
  bind_projection(module);
  bind_report(module);
  bind_streaming(module);
  module.def("methods", &list_methods);
  bind_plans(module);
  module.def("rank", &rank, "plan"_a, "table"_a, "known"_a, "class_names"_a, "preparation"_a,
             "seed"_a, "threads"_a, "progress"_a.none() = nb::none());
  module.def("close_pairs", &close_pairs, "ids"_a, "must_link"_a, "cannot_link"_a,
             "must_link_weights"_a, "cannot_link_weights"_a);
  module.def("coherence", &measure_coherence, "table"_a, "must_link"_a, "cannot_link"_a,
             "max_pairs"_a, "seed"_a);
}
