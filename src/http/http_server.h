#pragma once

#include <functional>
#include <string>

#include "http/http.h"

namespace trainmark {

struct HttpLimits {
  std::size_t connections = 64;  // at the same time; further ones are sent away
  std::size_t head = 16 << 10;   // bytes of a request
  double request_seconds = 10;   // for the whole request to arrive
  double stalled_seconds = 30;   // without a byte taken by the reader
};

/// A server for one page on one machine: GET and HEAD, one request per connection, one thread,
/// memory that does not grow with what is asked. Files are sent in pieces.
class HttpServer {
 public:
  using Answer = std::function<HttpResponse(const HttpRequest& request)>;

  /// Listens on an address ("127.0.0.1", "::1"); port 0 = any free one. Throws UserError where the
  /// address is none of this machine or the port is taken.
  HttpServer(const std::string& address, int port, Answer answer, HttpLimits limits = {});
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const { return port_; }
  std::string url() const;

  /// Serves until `stop` says so; it is asked several times a second.
  void serve(const std::function<bool()>& stop);

 private:
  std::string address_;
  int port_ = 0;
  int listener_ = -1;
  Answer answer_;
  HttpLimits limits_;
};

/// An address of this machine itself, which no other can reach.
bool is_loopback(const std::string& address);

}  // namespace trainmark
