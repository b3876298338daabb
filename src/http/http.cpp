#include "http/http.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace trainmark {

namespace {

std::string_view reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 421:
      return "Misdirected Request";
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Error";
  }
}

std::string small_letters(std::string_view text) {
  std::string small(text);
  for (char& letter : small)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter + 32);
  return small;
}

int hex_digit(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return -1;
}

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char letter) {
    return letter > ' ' && letter < 127 &&
           std::string_view("()<>@,;:\\\"/[]?={}").find(static_cast<char>(letter)) ==
               std::string_view::npos;
  });
}

/// The next line without its end; the end is taken off `rest`.
std::string_view next_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// "/data?after=3" into path and query; false where it is no path.
bool take_target(std::string_view target, HttpRequest& request) {
  if (!target.starts_with('/')) return false;
  const std::size_t question = target.find('?');
  const auto path = percent_decoded(target.substr(0, question));
  if (!path) return false;
  request.path = *path;
  if (question != std::string_view::npos) request.query = target.substr(question + 1);
  return true;
}

bool take_header(std::string_view line, HttpRequest& request) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) return false;
  const std::string name = small_letters(line.substr(0, colon));
  const std::string value(trim(line.substr(colon + 1)));
  // Two of them could be read in two ways.
  return request.headers.emplace(name, value).second || name != "host";
}

}  // namespace

std::string HttpRequest::host() const {
  const auto found = headers.find("host");
  if (found == headers.end()) return "";
  const std::string host = small_letters(found->second);
  if (host.starts_with('[')) return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.find(':'));
}

HttpResponse http_text(int status, std::string text) {
  HttpResponse response;
  response.status = status;
  response.body = std::make_shared<const std::string>(std::move(text) + "\n");
  return response;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = hex_digit(text[i + 1]);
    const int low = hex_digit(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    decoded += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return decoded;
}

std::optional<HttpRequest> parse_request(std::string_view head, int& status) {
  status = 400;
  HttpRequest request;
  const std::string_view line = next_line(head);
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return std::nullopt;
  request.method = line.substr(0, first);
  const std::string_view version = line.substr(last + 1);
  if (!is_token(request.method) || !version.starts_with("HTTP/")) return std::nullopt;
  if (version != "HTTP/1.1" && version != "HTTP/1.0") {
    status = 505;
    return std::nullopt;
  }
  if (request.method != "GET" && request.method != "HEAD") {
    status = 405;
    return std::nullopt;
  }
  if (!take_target(line.substr(first + 1, last - first - 1), request)) return std::nullopt;
  while (!head.empty()) {
    const std::string_view header = next_line(head);
    if (header.empty()) break;
    if (!take_header(header, request)) return std::nullopt;
  }
  status = 200;
  return request;
}

std::string response_head(const HttpResponse& response, std::size_t length) {
  std::string head = fmt::format("HTTP/1.1 {} {}\r\n", response.status, reason_of(response.status));
  if (response.status != 204)
    head += fmt::format("Content-Type: {}\r\nContent-Length: {}\r\n", response.type, length);
  head +=
      "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
      "Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n"
      "X-Frame-Options: DENY\r\n";
  if (!response.headers.contains("Content-Security-Policy"))
    head += "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'; sandbox\r\n";
  for (const auto& [name, value] : response.headers) head += name + ": " + value + "\r\n";
  return head + "Connection: close\r\n\r\n";
}

}  // namespace trainmark
