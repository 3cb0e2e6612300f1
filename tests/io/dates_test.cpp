#include "io/dates.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/message_of.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

using Days = std::vector<double>;

std::string refusal(const std::vector<std::string>& texts) {
  return message_of<DataError>([&] { days_of("t.csv: column 0 (day)", texts); });
}

TEST(LooksLikeDate, KnowsTheUsualForms) {
  for (const char* const text : {"2020-01-31", "31.12.2020", "1/2/2020", "2020/1/2",
                                 "2020-01-31 10:00:00", "2020-01-31T10:00:00Z"})
    EXPECT_TRUE(looks_like_date(text)) << text;
  for (const char* const text :
       {"", "2020", "1.2.3", "2020-01", "2020-01/31", "12345-01-02", "2020-01-31x", "1.5"})
    EXPECT_FALSE(looks_like_date(text)) << text;
}

TEST(DaysOf, CountsFromTheFirstOf1970) {
  EXPECT_EQ(days_of("t", {"1970-01-01", "1970-1-2", "1969/12/31", "2024-02-29", "2000.03.01"}),
            (Days{0, 1, -1, 19782, 11017}));
}

TEST(DaysOf, AddsTheTimeOfDay) {
  EXPECT_EQ(days_of("t", {"1970-01-01 12:00", "1970-01-02T18:00:00Z", "1970-01-01 00:00:43.2"}),
            (Days{0.5, 1.75, 0.0005}));
}

TEST(DaysOf, LeavesMissingOnesMissing) {
  const Days days = days_of("t", {"1970-01-02", "", "NA"});
  EXPECT_EQ(days[0], 1.0);
  EXPECT_TRUE(std::isnan(days[1]) && std::isnan(days[2]));
}

TEST(DaysOf, LetsOneDateDecideWhetherDaysComeFirst) {
  EXPECT_EQ(days_of("t", {"02/01/1970", "13/01/1970"}), (Days{1, 12}));
  EXPECT_EQ(days_of("t", {"01/02/1970", "01/13/1970"}), (Days{1, 12}));
  EXPECT_EQ(days_of("t", {"2.1.1970"}), (Days{1}));
  EXPECT_EQ(days_of("t", {"01/01/1970"}), (Days{0}));
  EXPECT_EQ(refusal({"01/01/1970", "02/03/1970"}),
            "t.csv: column 0 (day): whether '02/03/1970' begins with the day or the month cannot "
            "be told; write the year first");
}

TEST(DaysOf, RefusesWhatIsNoDay) {
  const std::string end = " is no day of the calendar, perhaps with a time such as 13:45";
  EXPECT_EQ(refusal({"2023-02-29"}), "t.csv: column 0 (day): '2023-02-29'" + end);
  EXPECT_EQ(refusal({"2023-01-01 25:00"}), "t.csv: column 0 (day): '2023-01-01 25:00'" + end);
  EXPECT_EQ(refusal({"2023-01-01 12"}), "t.csv: column 0 (day): '2023-01-01 12'" + end);
  EXPECT_EQ(refusal({"2023-01-01", "soon"}), "t.csv: column 0 (day): 'soon'" + end);
}

}  // namespace
}  // namespace tamis
