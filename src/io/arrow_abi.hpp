#pragma once

#include <cstddef>
#include <cstdint>

// What the program and libtamis_arrow.so, which holds Arrow and Parquet, say to each other: plain
// C, so that either may be compiled by anything. Tables go over as Arrow's C data interface, whose
// specification gives the first three structs to be copied as they are.
// NOLINTBEGIN: names and types are Arrow's
extern "C" {

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};

#endif
#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};

#endif

/// A file that is open.
struct TamisArrowFile;

/// Where a function that fails says why.
struct TamisArrowMessage {
  char text[512];
};

/// A table to be written. Its functions do not throw.
struct TamisArrowTable {
  int64_t rows;
  int64_t columns;
  int is_single;  ///< numbers are float, else double
  void* context;  ///< what the functions are called with
  const char* (*name)(void* context, int64_t column);
  /// Whether a column holds texts; all others hold numbers.
  int (*holds_texts)(void* context, int64_t column);
  /// One of its texts; nullptr if it is missing.
  const char* (*text)(void* context, int64_t column, int64_t row, int64_t* length);
  /// Some rows of all columns of numbers, one column after the other.
  void (*numbers)(void* context, int64_t first, int64_t count, void* out);
};

/// What the library does. A function that returns an int returns 0, or something else with a
/// message if it fails.
struct TamisArrowLibrary {
  const char* version;  ///< of Arrow
  /// A Parquet file, or an Arrow IPC file or stream, by its first bytes. While it is read, at most
  /// so many bytes are held. Returns nullptr if it fails.
  struct TamisArrowFile* (*open)(const char* path, int64_t most_bytes,
                                 struct TamisArrowMessage* message);
  void (*close)(struct TamisArrowFile*);
  int64_t (*rows)(const struct TamisArrowFile*);
  int (*schema)(const struct TamisArrowFile*, struct ArrowSchema* out,
                struct TamisArrowMessage* message);
  /// Some columns, ascending, from the first row to the last, as structs that have them as
  /// children. What comes is checked: all buffers are as long as they should be.
  int (*columns)(struct TamisArrowFile*, const int* columns, int64_t count,
                 struct ArrowArrayStream* out, struct TamisArrowMessage* message);
  /// Writes a Parquet file.
  int (*write)(const char* path, const struct TamisArrowTable* table,
               struct TamisArrowMessage* message);
};

/// The one symbol that the library has. Its number is that of this interface.
typedef const struct TamisArrowLibrary* (*TamisArrowEntry)(void);
#define TAMIS_ARROW_ENTRY tamis_arrow_2
#define TAMIS_ARROW_ENTRY_NAME "tamis_arrow_2"
}
// NOLINTEND
