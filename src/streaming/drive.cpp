#include "streaming/drive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <future>

#include "tamis/core/error.hpp"

namespace tamis {
namespace {

void check_unchanged(const RowSource& source, const std::string& fingerprint) {
  const std::string now = source.fingerprint();
  if (now != fingerprint)
    throw IoError(fmt::format("the table was changed while it was read: it was {}, and is {}",
                              fingerprint, now));
}

/// Calls look(block, first_row) for each block from a row on, while the next one is read.
template <class Look>
void for_each_block(RowSource& source, Index first, Index end, Index rows_at_once,
                    const Look& look) {
  OwnedTable blocks[2];
  const auto read = [&](Index row, OwnedTable& block) {
    source.read(row, std::min(rows_at_once, end - row), block);
  };
  std::future<void> reading;
  if (first < end) reading = std::async(std::launch::async, read, first, std::ref(blocks[0]));
  for (int turn = 0; first < end; turn = 1 - turn, first += rows_at_once) {
    reading.get();
    if (first + rows_at_once < end)
      reading =
          std::async(std::launch::async, read, first + rows_at_once, std::ref(blocks[1 - turn]));
    look(view_of(blocks[turn]), first);
  }
}

/// Adds all rows from one on to a state.
void read_rest(PassState& state, RowSource& source, Index first, Index rows_at_once, const Run& run,
               const std::string& stage, const std::function<void(Index)>& done) {
  Progress::Stage progress(run.progress, stage, source.rows());
  if (first > 0) progress.advance(first);
  const auto look = [&](const MatrixView& block, Index row) {
    state.update(block, row);
    progress.advance(block.rows());
    done(row + block.rows());
  };
  for_each_block(source, first, source.rows(), rows_at_once, look);
}

}  // namespace

std::unique_ptr<PassState> read_all(const Pass& pass, RowSource& source, Index rows_at_once,
                                    const Run& run, const std::string& stage) {
  const std::string fingerprint = source.fingerprint();
  auto state = state_of(pass);
  read_rest(*state, source, 0, rows_at_once, run, stage, [](Index) {});
  check_unchanged(source, fingerprint);
  return state;
}

std::unique_ptr<PassState> read_run(const Pass& pass, RowSource& source, Index first, Index count,
                                    Index rows_at_once) {
  const std::string fingerprint = source.fingerprint();
  auto state = state_of(pass);
  for_each_block(source, first, first + count, rows_at_once,
                 [&](const MatrixView& block, Index row) { state->update(block, row); });
  check_unchanged(source, fingerprint);
  return state;
}

void lead(Conversation& conversation, RowSource& source, Index rows_at_once, const Run& run,
          Checkpoint* checkpoint) {
  const std::string fingerprint = source.fingerprint();
  std::size_t number = 0;
  conversation.report_to(run);
  while (auto pass = conversation.next_pass()) {
    ++number;
    const std::size_t total = conversation.passes().size();
    Checkpoint::Answer answer = checkpoint ? checkpoint->answer(number, *pass)
                                           : Checkpoint::Answer{.state = state_of(*pass)};
    pass->broadcast = {};  // the state has what it needs of it
    const std::string stage =
        fmt::format("pass {} of {}{} ({})", number, total,
                    conversation.is_open_ended() ? " or more" : "", pass->kind);
    read_rest(*answer.state, source, answer.rows, rows_at_once, run, stage, [&](Index rows) {
      if (checkpoint && rows < source.rows()) checkpoint->keep_if_due(number, rows, *answer.state);
    });
    check_unchanged(source, fingerprint);
    if (checkpoint && answer.rows < source.rows())
      checkpoint->keep(number, source.rows(), *answer.state);
    conversation.accept(std::move(answer.state));
  }
}

}  // namespace tamis
