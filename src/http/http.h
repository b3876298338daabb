#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace trainmark {

/// What a browser asks for. Only what a page that is read needs: no body, no second request on the
/// same connection.
struct HttpRequest {
  std::string method;
  std::string path;                                         // decoded: "/runs/0001 r1/stdout.log"
  std::string query;                                        // as it was sent, without the '?'
  std::map<std::string, std::string, std::less<>> headers;  // by names in small letters

  /// The name in the Host header, without port and in small letters; empty where there is none.
  std::string host() const;
};

struct HttpResponse {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::shared_ptr<const std::string> body = {};
  int file = -1;  // instead of a body: an open file, which the server closes
  std::map<std::string, std::string> headers = {};
};

HttpResponse http_text(int status, std::string text);

/// A request's head (up to the empty line). On nothing, `status` says why: 400, 405, 501 or 505.
std::optional<HttpRequest> parse_request(std::string_view head, int& status);

/// %41 as 'A'; nothing where an escape is cut or is none.
std::optional<std::string> percent_decoded(std::string_view text);

/// The head of a response, its empty line included.
std::string response_head(const HttpResponse& response, std::size_t length);

}  // namespace trainmark
