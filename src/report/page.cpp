#include "report/page.hpp"

#include <fmt/format.h>

#include <cctype>

#include "report_assets.hpp"

namespace tamis {
namespace {

unsigned digit_of(char hexadecimal) {
  return static_cast<unsigned>(hexadecimal <= '9' ? hexadecimal - '0' : hexadecimal - 'a' + 10);
}

/// A hash as a security policy writes it.
std::string base64_of(std::string_view hexadecimal) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t place = 0; place < hexadecimal.size(); place += 3) {
    // Three hexadecimal digits are two of base 64.
    unsigned bits = 0;
    for (std::size_t i = 0; i < 3; ++i)
      bits =
          (bits << 4U) | (place + i < hexadecimal.size() ? digit_of(hexadecimal[place + i]) : 0U);
    text += kDigits[bits >> 6U];
    if (place + 1 < hexadecimal.size()) text += kDigits[bits & 63U];
  }
  return text + std::string((4 - text.size() % 4) % 4, '=');
}

std::string policy() {
  return fmt::format(
      "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; "
      "form-action 'none'",
      base64_of(kStyleHash), base64_of(kScriptHash));
}

std::string id_of(const std::vector<std::string>& headings, std::size_t place) {
  return fmt::format("{}-{}", place + 1, file_name_part(headings[place]));
}

Html head_html(const std::string& title) {
  return element(
      "head", {}, leaf("meta", {{"charset", "utf-8"}}),
      leaf("meta", {{"http-equiv", "Content-Security-Policy"}, {"content", policy()}}),
      leaf("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}}),
      element("title", {}, title), raw_element("style", {}, kStyle));
}

}  // namespace

void Page::add_section(const std::string& heading, const Html& content) {
  headings_.push_back(heading);
  const std::string id = id_of(headings_, headings_.size() - 1);
  const std::string heading_id = fmt::format("h{}", id);
  sections_ += element("section", {{"id", id}, {"aria-labelledby", heading_id}},
                       element("h2", {{"id", heading_id}}, heading), content);
}

std::string Page::finished(const std::string& version) const {
  Html links;
  for (std::size_t s = 0; s < headings_.size(); ++s)
    links += element(
        "li", {}, element("a", {{"href", fmt::format("#{}", id_of(headings_, s))}}, headings_[s]));
  const Html nav = element("nav", {{"aria-label", "Sections"}}, element("ul", {}, links));
  const Html header = element("header", {}, element("h1", {}, title_),
                              element("p", {{"class", "lead"}}, lead_), nav);
  const Html footer =
      element("footer", {},
              fmt::format("Made by tamis {}. This page needs no network; every chart "
                          "and table can be saved as CSV.",
                          version));
  const Html body = element("body", {}, header, element("main", {}, sections_), footer,
                            raw_element("script", {}, kScript));
  return document(element("html", {{"lang", "en"}}, head_html(title_), body));
}

Html picture_html(const Picture& picture) {
  Html content = element("h3", {}, picture.title);
  content += picture.chart;
  if (!picture.legend.is_empty()) content += element("ul", {{"class", "legend"}}, picture.legend);
  if (!picture.caption.is_empty()) content += element("figcaption", {}, picture.caption);
  content += csv_button(picture.data);
  return element("figure", {}, content);
}

Html pictures_html(const std::vector<Picture>& pictures) {
  Html content;
  for (const Picture& picture : pictures) content += picture_html(picture);
  return element("div", {{"class", "charts"}}, content);
}

Html entries_html(const Entries& entries) {
  Html content;
  for (const auto& [name, value] : entries)
    content +=
        element("div", {{"class", "entry"}}, element("dt", {}, name), element("dd", {}, value));
  return element("div", {{"class", "card"}}, element("dl", {}, content));
}

std::string listed(const NamedValues& values) {
  std::string text;
  for (const auto& [name, value] : values)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, to_text(value));
  return text;
}

std::string listed(const std::vector<std::pair<std::string, Index>>& counts) {
  std::string text;
  for (const auto& [name, count] : counts)
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", name, count);
  return text;
}

Html notes_html(const std::vector<std::string>& notes) {
  if (notes.empty()) return {};
  Html items;
  for (const std::string& note : notes) items += element("li", {}, note);
  return element("ul", {{"class", "notes"}}, items);
}

std::string file_name_part(const std::string& name) {
  std::string part;
  for (const char c : name) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    if (is_plain)
      part += c;
    else if (!part.empty() && part.back() != '-')
      part += '-';
  }
  while (part.ends_with('-')) part.pop_back();
  return part.empty() ? "unnamed" : part.substr(0, 60);
}

std::string megabytes(std::int64_t bytes) {
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

}  // namespace tamis
