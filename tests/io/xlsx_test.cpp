#include "io/xlsx.hpp"

#include <fmt/format.h>

#include "files.hpp"
#include "io/xlsx_styles.hpp"
#include "reading.hpp"
#include "zip_files.hpp"

namespace tamis::test {
namespace {

using Files = std::vector<std::pair<std::string, std::string>>;

const std::string kWorkbook =
    "<workbook xmlns:r='x'><sheets><sheet name='one' sheetId='1' r:id='rId1'/>"
    "<sheet name='two' sheetId='2' r:id='rId2'/></sheets></workbook>";
const std::string kRelations =
    "<Relationships><Relationship Id='rId1' Type='x/worksheet' Target='worksheets/sheet1.xml'/>"
    "<Relationship Id='rId2' Type='x/worksheet' Target='/xl/worksheets/sheet2.xml'/>"
    "<Relationship Id='rId3' Type='x/sharedStrings' Target='sharedStrings.xml'/>"
    "<Relationship Id='rId4' Type='x/styles' Target='styles.xml'/></Relationships>";
const std::string kStrings =
    "<sst><si><t>height</t></si><si><r><t>cl</t></r><r><t>ass</t></r><rPh><t>no</t></rPh></si></"
    "sst>";
const std::string kStyles =
    "<styleSheet><numFmts><numFmt numFmtId='170' formatCode='yyyy\\-mm'/>"
    "<numFmt numFmtId='171' formatCode='[Red]0.0\"d\"'/></numFmts><cellStyleXfs><xf numFmtId='14'/>"
    "</cellStyleXfs><cellXfs><xf numFmtId='0'/><xf numFmtId='14'/><xf numFmtId='170'/>"
    "<xf numFmtId='171'/></cellXfs></styleSheet>";

Files workbook(const std::string& rows) {
  return {
      {"[Content_Types].xml", "<Types/>"},
      {"xl/workbook.xml", kWorkbook},
      {"xl/_rels/workbook.xml.rels", kRelations},
      {"xl/sharedStrings.xml", kStrings},
      {"xl/styles.xml", kStyles},
      {"xl/worksheets/sheet1.xml", "<worksheet><sheetData>" + rows + "</sheetData></worksheet>"},
      {"xl/worksheets/sheet2.xml",
       "<worksheet><sheetData><row><c><v>1</v></c><c><v>2</v></c></row></sheetData></worksheet>"}};
}

Table read_files(const Files& files, const ReadOptions& options = {}) {
  return test::read_content(zip_of(files), options);
}

std::string refusal(const Files& files) { return test::refusal_of(zip_of(files)); }

const std::string kRows =
    "<row r='1'><c r='A1' t='s'><v>0</v></c><c r='C1' t='inlineStr'><is><t>ok</t></is></c>"
    "<c r='D1' t='s'><v>1</v></c></row><row r='2'/>"
    "<row r='3'><c r='A3'><f>1/3</f><v>0.33333333333333331</v></c><c r='B3'><v>7</v></c>"
    "<c r='C3' t='b'><v>1</v></c><c r='D3' t='str'><f>x</f><v>a &amp; b</v></c></row>"
    "<row r='4'><c r='A4' t='e'><v>#DIV/0!</v></c><c r='C4' t='b'><v>0</v></c><c r='D4' "
    "s='1'/></row>";

TEST(XlsxReader, ReadsCellsOfEveryKind) {
  const Table table = read_files(workbook(kRows));
  EXPECT_EQ(table.format, Format{"xlsx"});
  EXPECT_EQ(table.feature_names, (Texts{"height", "f1", "ok"}));
  EXPECT_EQ(table.label_texts, (Texts{"a & b", ""}));
  ASSERT_EQ(table.rows(), 2);
  EXPECT_EQ(value_at(table, 0, 0), 1.0 / 3.0);
  EXPECT_EQ(value_at(table, 0, 1), 7.0);
  EXPECT_EQ(value_at(table, 0, 2), 1.0);
  EXPECT_EQ(value_at(table, 1, 2), 0.0);
  EXPECT_TRUE(std::isnan(value_at(table, 1, 0)));
  EXPECT_TRUE(std::isnan(value_at(table, 1, 1)));
  EXPECT_EQ(table.notes.front().text, "sheet 'one' is read, the first of 'one', 'two'");
}

TEST(XlsxReader, ReadsTheSheetThatIsAskedFor) {
  for (const std::string sheet : {"two", "2"})
    EXPECT_EQ(read_files(workbook(kRows), {.sheet = sheet}).feature_names, (Texts{"f0", "f1"}));
  EXPECT_EQ(read_files(workbook(kRows), {.sheet = "1"}).cols(), 3);
  const TemporaryDirectory directory;
  const std::string path = directory.with("t.xlsx", zip_of(workbook(kRows)));
  for (const std::string sheet : {"three", "3", "0"})
    EXPECT_EQ(
        message_of<InvalidArgument>([&] { read_table(path, {.sheet = sheet}); }),
        fmt::format("{}: has no sheet '{}'; there are 'one', 'two' (names, or numbers from 1)",
                    path, sheet));
}

std::string text_row(const std::vector<std::string>& texts) {
  std::string row = "<row>";
  for (const std::string& text : texts) row += "<c t='inlineStr'><is><t>" + text + "</t></is></c>";
  return row + "</row>";
}

TEST(XlsxReader, LeavesTitlesAboveTheTableOut) {
  const std::string numbers = "<row><c><v>1</v></c><c><v>2</v></c><c><v>3.5</v></c></row>";
  const Table table =
      read_files(workbook(text_row({"My experiment"}) + text_row({"of 2024"}) + "<row/>" +
                          text_row({"a", "b", "c"}) + numbers + numbers));
  EXPECT_EQ(table.feature_names, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(table.rows(), 2);
  EXPECT_EQ(value_at(table, 1, 2), 3.5);
  ASSERT_GE(table.notes.size(), 3u);
  EXPECT_EQ(table.notes[1].text,
            "row 1 is left out: 'My experiment' is taken as a title of the table");
  EXPECT_EQ(table.notes[2].text, "row 2 is left out: 'of 2024' is taken as a title of the table");
}

TEST(XlsxReader, NamesTheOtherSheetsIfTheFirstIsNoTable) {
  EXPECT_TRUE(has(refusal(workbook(text_row({"about"}) + text_row({"this study"}))),
                  "; sheet 'one' is read, the first of 'one', 'two'"));
}

TEST(XlsxReader, MakesTextsOfDates) {
  const std::string rows =
      "<row><c t='inlineStr'><is><t>id</t></is></c><c t='inlineStr'><is><t>a</t></is></c></row>"
      "<row><c s='1'><v>45413</v></c><c s='3'><v>45413</v></c></row>"
      "<row><c s='2'><v>45413.75</v></c><c><v>2</v></c></row>";
  const Table table = read_files(workbook(rows), {.id_column = "id"});
  EXPECT_EQ(table.sample_ids, (Texts{"2024-05-01", "2024-05-01 18:00:00"}));
  EXPECT_EQ(value_at(table, 0, 0), 45413.0);
}

TEST(XlsxReader, KnowsTheDaysOfExcel) {
  EXPECT_EQ(date_text("1", false), "1900-01-01");
  EXPECT_EQ(date_text("59", false), "1900-02-28");
  EXPECT_EQ(date_text("61", false), "1900-03-01");
  EXPECT_EQ(date_text("0.5", false), "12:00:00");
  EXPECT_EQ(date_text("0", true), "1904-01-01");
  EXPECT_EQ(date_text("2958465", false), "9999-12-31");
  EXPECT_EQ(date_text("-1", false), "-1");
  EXPECT_EQ(date_text("1e300", false), "1e300");
}

TEST(XlsxReader, ReadsWhatPandasAndOpenpyxlWrite) {
  const Table expected = read_table(made_file("table.csv"));
  const Table plain = read_table(made_file("pandas.xlsx"));
  const Table made = read_table(made_file("openpyxl.xlsx"),
                                {.drop = {"day", "ok", "twice", "broken"}, .sheet = "table"});
  for (const Table* const table : {&plain, &made}) {
    EXPECT_EQ(table->feature_names, expected.feature_names);
    EXPECT_EQ(table->sample_ids, expected.sample_ids);
    EXPECT_EQ(table->label_texts, expected.label_texts);
    EXPECT_EQ(std::get<DenseTable<double>>(table->data).values,
              std::get<DenseTable<double>>(expected.data).values);
  }
}

TEST(XlsxReader, RefusesDocumentTypes) {  // with them entities, which may be files
  Files files = workbook(kRows);
  files[3].second =
      "<!DOCTYPE sst [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><sst><si><t>&e;</t></si></sst>";
  EXPECT_EQ(refusal(files),
            ": xl/sharedStrings.xml has a document type, which may lead to other files and is not "
            "read");
  files[3].second = "<sst><si><t>&e;</t></si></sst>";
  EXPECT_TRUE(has(refusal(files), ": xl/sharedStrings.xml, line 1: is no XML (undefined entity)"));
}

TEST(XlsxReader, RefusesWhatIsDamaged) {
  EXPECT_EQ(refusal(workbook("<row><c t='s'><v>2</v></c></row>")), ": the workbook is damaged");
  EXPECT_EQ(refusal(workbook("<row><c r='B1'/><c r='A1'/></row>")), ": the workbook is damaged");
  EXPECT_EQ(refusal(workbook("<row><c r='ZZZZ1'/></row>")), ": the workbook is damaged");
  EXPECT_EQ(refusal(workbook("<row><c/></row>")), ": the sheet is empty");
  EXPECT_TRUE(has(refusal(workbook("<row>")), "xl/worksheets/sheet1.xml, line 1: is no XML"));
  Files files = workbook(kRows);
  files.erase(files.begin() + 5);
  EXPECT_EQ(refusal(files), ": the workbook is damaged: it lacks xl/worksheets/sheet1.xml");
}

TEST(XlsxReader, RefusesAFewCellsThatStandForMany) {
  std::string rows;
  for (int i = 0; i < 5000; ++i)
    rows += "<row><c r='A1'><v>1</v></c><c r='XFD1'><v>1</v></c></row>";
  EXPECT_TRUE(has(refusal(workbook(rows)), ": its content takes more than 67108864 bytes"));
}

TEST(XlsxReader, SurvivesDamage) {
  const TemporaryDirectory directory;
  test::survive_damage(directory.with("t.xlsx", zip_of(workbook(kRows))));
}

}  // namespace
}  // namespace tamis::test
