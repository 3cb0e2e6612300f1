#pragma once

#include "streaming/conversation.hpp"
#include "tamis/core/row_source.hpp"

namespace tamis {

/// What memory is for while a table is streamed, settled before work begins.
struct MemoryPlan {
  Index limit = 0;         ///< bytes that the process may hold
  Index held = 0;          ///< bytes that it held before
  Index states = 0;        ///< the most that answers and what is kept of them take
  Index rows_at_once = 0;  ///< of a block, of which two are there: one is read, one is looked at
};

/// Has the conversation fit what there is, if it can, with more passes.
/// @param limit bytes that the process may hold
/// @param space where answers are; the plan sets its bytes
/// @throws InvalidArgument if it does not suffice, saying what does
MemoryPlan plan_memory(const RowSource& source, Conversation& conversation, Index limit,
                       AnswerSpace space = {});

/// Rows of a block, if so many fit: as many as are read and looked at fastest.
Index rows_of_blocks(const RowSource& source, const Conversation& conversation, Index fitting);

/// Bytes that a process may hold if nobody says how much: 80 % of what is there.
Index usual_memory();
/// Whether a table can be held as a whole, with what a method takes for it.
bool fits_in_memory(const RowSource& source, Index limit);
bool fits_in_memory(double bytes, Index limit);

/// "4G", "512M", "1.5G": a number of bytes with k, M, G or T behind it, powers of 1000.
/// @throws InvalidArgument for other texts; `who` and `name` are its first words
Index parse_bytes(std::string_view who, std::string_view name, std::string_view text);

/// "1.5 GB".
std::string bytes_text(Index bytes);

}  // namespace tamis
