#include <cstdio>
#include <tamis/tamis.hpp>

// Ranks the columns of the file given, and prints their names, best first.
int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const tamis::Table table = tamis::read_table(argv[1]);
  const tamis::EncodedLabels classes = tamis::encode_labels(table.label_texts);
  const tamis::Problem problem{
      .matrix = table.view(),
      .feature_names = table.feature_names,
      .known = {.labels = classes.labels, .class_names = classes.class_names}};
  const tamis::Ranking ranking = tamis::find_method("constraint_score").rank(problem, {}, {});
  for (const tamis::Index r : ranking.order) std::puts(table.feature_names[r].c_str());
}
