#pragma once

#include "streaming/checkpoint.hpp"
#include "streaming/conversation.hpp"
#include "tamis/core/row_source.hpp"

namespace tamis {

/// Leads a conversation with one source in this process: reads it once for each pass, a block of
/// rows ahead of the one that is looked at. Blocks of any size give the same bits.
/// @param checkpoint where the conversation is kept meanwhile, and taken up again; nullptr: nowhere
/// @throws IoError if the source cannot be read or is not what it was, Interrupted by run.progress
void lead(Conversation& conversation, RowSource& source, Index rows_at_once, const Run& run,
          Checkpoint* checkpoint = nullptr);

/// The same, and what comes of it.
template <class Conversation>
auto converse(Conversation& conversation, RowSource& source, Index rows_at_once, const Run& run,
              Checkpoint* checkpoint = nullptr) {
  lead(conversation, source, rows_at_once, run, checkpoint);
  return conversation.result(run);
}

/// One pass of it. @param stage what progress calls it
std::unique_ptr<PassState> read_all(const Pass& pass, RowSource& source, Index rows_at_once,
                                    const Run& run, const std::string& stage);

/// What a run of rows answers: the part of a process that is one of many.
/// @throws as converse, but for interrupts
std::unique_ptr<PassState> read_run(const Pass& pass, RowSource& source, Index first, Index count,
                                    Index rows_at_once);

}  // namespace tamis
