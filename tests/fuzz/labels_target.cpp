// A file of labels, for a table with sample ids and for one without.
#include "fuzz/target.hpp"
#include "tamis/io/labels.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tamis;
  const fuzz::InputFile file(fuzz::view_of(data, size));
  for (const auto& ids : {std::vector<std::string>{}, {"a", "b", "sample 3"}})
    fuzz::attempt([&] {
      const std::vector<std::string> texts = read_labels(file.path(), 3, ids).texts;
      fuzz::claim(texts.size() == 3, "every row has a text");
      const EncodedLabels encoded = encode_labels(texts);
      for (const Index label : encoded.labels)
        fuzz::claim(label == kUnlabeled || (label >= 0 && label < std::ssize(encoded.class_names)),
                    "every label is a class");
      for (const Note& note : encoded.notes) fuzz::check_message(note.text);
    });
  return 0;
}
