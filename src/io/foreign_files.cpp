#include "io/foreign_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "io/zip_archive.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

using namespace std::string_view_literals;

constexpr auto kThroughPython =
    "read it in Python and give the table to tamis.rank, or save it as CSV"sv;
// {0} is the file.
constexpr auto kFeatherThroughPython =
    "in Python, tamis.rank(\"{0}\") reads it, and pandas.read_feather(\"{0}\").to_csv("
    "\"table.csv\", index=False) makes CSV of it"sv;
constexpr auto kSaveFromR = "in R, save the table with write.csv"sv;
constexpr auto kUnpack = "unpack it, and give the table that is in it"sv;
constexpr auto kNumbersOnly = "a table of numbers is needed, as CSV for instance"sv;

struct ForeignFile {
  std::string_view magic;  ///< long enough that no header of a text table begins so
  std::string_view what;
  std::string_view remedy;  ///< with {0} in the place of the file
  std::size_t offset = 0;   ///< of the magic
};

// A table, one kind to a line.
// clang-format off
constexpr auto kForeign = std::to_array<ForeignFile>({
    {"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv, "an Excel 97 file (.xls), or another one of old Office",
     "save it as .xlsx or .csv"},
    {"FEA1\0\0\0\0"sv, "a Feather file of the first version", kFeatherThroughPython},
    {"Obj\x01"sv, "an Avro file", kThroughPython},
    {"\x80\x02"sv, "a pickle of Python", kThroughPython},
    {"\x80\x03"sv, "a pickle of Python", kThroughPython},
    {"\x80\x04\x95"sv, "a pickle of Python", kThroughPython},
    {"\x80\x05\x95"sv, "a pickle of Python", kThroughPython},
    {"RDX2\nX\n\0"sv, "a file of R (.RData)", kSaveFromR},
    {"RDX3\nX\n\0"sv, "a file of R (.RData)", kSaveFromR},
    {"RDA2\nA\n2\n"sv, "a file of R (.RData)", kSaveFromR},
    {"RDA3\nA\n3\n"sv, "a file of R (.RData)", kSaveFromR},
    {"X\n\0\0\0\x02"sv, "a file of R (.rds)", kSaveFromR},
    {"X\n\0\0\0\x03"sv, "a file of R (.rds)", kSaveFromR},
    {"SQLite format 3\0"sv, "an SQLite database", "export the table as CSV"},
    {"$FL2@(#)"sv, "a file of SPSS", "save it as .csv"},
    {"$FL3@(#)"sv, "a file of SPSS", "save it as .csv"},
    {"<stata_dta>"sv, "a file of Stata", "save it as .csv"},
    {"\0\0\0\0\0\0\0\0\0\0\0\0\xC2\xEA\x81\x60"sv, "a file of SAS", "save it as .csv"},
    {"CDF\x01"sv, "a netCDF file", kThroughPython},
    {"CDF\x02"sv, "a netCDF file", kThroughPython},
    {"CDF\x05"sv, "a netCDF file", kThroughPython},
    {"mimetypeapplication/vnd.oasis.opendocument.spreadsheet"sv,
     "an OpenDocument spreadsheet (.ods)", "save it as .xlsx or .csv", 30},
    {"PK\x05\x06"sv, "an empty ZIP archive", kUnpack},
    {"7z\xBC\xAF\x27\x1C"sv, "a 7z archive", kUnpack},
    {"Rar!\x1A\x07"sv, "a RAR archive", kUnpack},
    {"ustar"sv, "a tar archive", kUnpack, 257},
    {"\x04\x22\x4D\x18"sv, "an lz4-compressed file", kUnpack},
    {"\x1F\x9D"sv, "a file compressed by compress (.Z)", kUnpack},
    {"%PDF-"sv, "a PDF document", kNumbersOnly},
    {"%!PS"sv, "a PostScript document", kNumbersOnly},
    {"{\\rtf"sv, "an RTF document", kNumbersOnly},
    {"\x89PNG\r\n\x1A\n"sv, "a PNG picture", kNumbersOnly},
    {"\xFF\xD8\xFF"sv, "a JPEG picture", kNumbersOnly},
    {"GIF87a"sv, "a GIF picture", kNumbersOnly},
    {"GIF89a"sv, "a GIF picture", kNumbersOnly},
    {"II*\0"sv, "a TIFF picture", kNumbersOnly},
    {"MM\0*"sv, "a TIFF picture", kNumbersOnly},
    {"\x7F"
     "ELF"sv,
     "a program", kNumbersOnly},
    {"version https://git-lfs.github.com/"sv, "a pointer of Git LFS, not the file itself",
     "fetch the file with git lfs pull"},
    {"<!DOCTYPE html"sv, "a web page",
     "download the file itself, which a link on the page may lead to"},
    {"<!doctype html"sv, "a web page",
     "download the file itself, which a link on the page may lead to"},
    {"<html"sv, "a web page", "download the file itself, which a link on the page may lead to"},
    {"<?xml"sv, "an XML document", kNumbersOnly},
});
// clang-format on

/// Archives by a file in them.
constexpr auto kArchives = std::to_array<ForeignFile>({
    {"xl/workbook.bin"sv, "a binary workbook of Excel (.xlsb)", "save it as .xlsx or .csv"},
    {"word/document.xml"sv, "a Word document", kNumbersOnly},
    {"ppt/presentation.xml"sv, "a PowerPoint presentation", kNumbersOnly},
});

[[noreturn]] void refuse_archive(ByteSource& source) {
  constexpr std::size_t kNamesShown = 3;
  const ZipArchive archive(source, /*is_trusted=*/false);
  for (const ForeignFile& kind : kArchives)
    if (archive.find(kind.magic) != nullptr)
      throw DataError(fmt::format("{}: is {}; {}", source.name(), kind.what, kind.remedy));
  std::string names;
  for (std::size_t k = 0; k < std::min(archive.members().size(), kNamesShown); ++k)
    names += (k == 0 ? "" : ", ") + archive.members()[k].name;
  throw DataError(fmt::format("{}: is a ZIP archive of {} files ({}{}); {}", source.name(),
                              archive.members().size(), names,
                              archive.members().size() > kNamesShown ? ", ..." : "", kUnpack));
}

}  // namespace

void refuse_foreign(ByteSource& source) {
  constexpr std::size_t kBytesToSee = 512;
  const std::string_view start = source.peek(kBytesToSee);
  const auto found = std::ranges::find_if(kForeign, [&](const ForeignFile& kind) {
    return start.size() > kind.offset && start.substr(kind.offset).starts_with(kind.magic);
  });
  if (found != kForeign.end())
    throw DataError(fmt::format("{}: is {}; {}", source.name(), found->what,
                                fmt::format(fmt::runtime(found->remedy), source.name())));
  if (source.starts_with(kZipMagic)) refuse_archive(source);
}

}  // namespace tamis
