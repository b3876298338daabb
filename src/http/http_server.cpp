#include "http/http_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <list>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "base/time.h"

namespace trainmark {

namespace {

constexpr std::size_t piece = 64 << 10;  // bytes of a file that are held at once
constexpr double drain_seconds = 2;      // for what a client still sends when it has its answer
constexpr int look_every = 250;          // milliseconds

struct Address {
  sockaddr_storage storage{};
  socklen_t size = 0;
};

Address parse_address(const std::string& text, int port) {
  Address address;
  auto* four = reinterpret_cast<sockaddr_in*>(&address.storage);
  auto* six = reinterpret_cast<sockaddr_in6*>(&address.storage);
  if (inet_pton(AF_INET, text.c_str(), &four->sin_addr) == 1) {
    four->sin_family = AF_INET;
    four->sin_port = htons(static_cast<std::uint16_t>(port));
    address.size = sizeof *four;
  } else if (inet_pton(AF_INET6, text.c_str(), &six->sin6_addr) == 1) {
    six->sin6_family = AF_INET6;
    six->sin6_port = htons(static_cast<std::uint16_t>(port));
    address.size = sizeof *six;
  } else {
    throw UserError(
        fmt::format("'{}' is not an address; write one such as 127.0.0.1 or ::1", printable(text)));
  }
  return address;
}

int bound_port(int socket) {
  Address address;
  address.size = sizeof address.storage;
  getsockname(socket, reinterpret_cast<sockaddr*>(&address.storage), &address.size);
  return ntohs(address.storage.ss_family == AF_INET6
                   ? reinterpret_cast<sockaddr_in6*>(&address.storage)->sin6_port
                   : reinterpret_cast<sockaddr_in*>(&address.storage)->sin_port);
}

[[noreturn]] void refuse_to_listen(const std::string& address, int port, int error) {
  if (error == EADDRINUSE) {
    throw UserError(fmt::format(
        "port {} of {} is in use; choose another with --port, or --port 0 for any free one", port,
        address));
  }
  if (error == EADDRNOTAVAIL)
    throw UserError(fmt::format("{} is not an address of this machine; write 127.0.0.1", address));
  throw UserError(fmt::format("cannot listen on port {} of {}: {}; write another with --port", port,
                              address, std::strerror(error)));
}

/// One client: its request comes in, the answer goes out, what it still sends is thrown away.
class HttpConnection {
 public:
  HttpConnection(int socket, const HttpLimits& limits)
      : socket_(socket), limits_(limits), deadline_(monotonic_seconds() + limits.request_seconds) {}
  ~HttpConnection() {
    ::close(socket_);
    if (file_ >= 0) ::close(file_);
  }
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  int socket() const { return socket_; }
  short wanted() const { return stage_ == Stage::answering ? POLLOUT : POLLIN; }
  bool done() const { return stage_ == Stage::done || monotonic_seconds() > deadline_; }

  void move_on(const HttpServer::Answer& answer) {
    if (stage_ == Stage::asking) {
      receive(answer);
    } else if (stage_ == Stage::answering) {
      send_some();
    } else {
      drain();
    }
  }

  void send_away() {
    respond(http_text(503, "too many connections; close some pages and try again"), false);
  }

 private:
  enum class Stage { asking, answering, draining, done };

  void receive(const HttpServer::Answer& answer) {
    char buffer[4096];
    const ssize_t got = ::recv(socket_, buffer, sizeof buffer, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) {
      stage_ = Stage::done;
      return;
    }
    head_.append(buffer, static_cast<std::size_t>(got));
    const std::size_t end = std::min(head_.find("\r\n\r\n"), head_.find("\n\n"));
    if (end == std::string::npos) {
      if (head_.size() > limits_.head) respond(http_text(431, "the request is too long"), false);
      return;
    }
    int status = 0;
    const auto request = parse_request(std::string_view(head_).substr(0, end + 1), status);
    if (request) {
      respond(answer(*request), request->method == "HEAD");
      return;
    }
    HttpResponse refusal =
        http_text(status, status == 405 ? "this server is read-only: use GET or HEAD"
                                        : "the request is malformed");
    if (status == 405) refusal.headers["Allow"] = "GET, HEAD";
    respond(refusal, head_.starts_with("HEAD "));
  }

  void respond(const HttpResponse& response, bool head_only) {
    std::size_t length = response.body ? response.body->size() : 0;
    struct stat status {};
    if (response.file >= 0 && fstat(response.file, &status) == 0)
      length = static_cast<std::size_t>(status.st_size);
    file_ = response.file;
    file_left_ = head_only || file_ < 0 ? 0 : length;
    body_ = head_only ? nullptr : response.body;
    pending_ = response_head(response, length);
    stage_ = Stage::answering;
    send_some();
  }

  /// The next bytes to go out; empty where all went.
  std::string_view next_bytes() {
    if (sent_ < pending_.size()) return std::string_view(pending_).substr(sent_);
    if (body_ && body_sent_ < body_->size()) return std::string_view(*body_).substr(body_sent_);
    if (file_left_ == 0) return {};
    pending_.resize(std::min(piece, file_left_));
    const ssize_t got = ::read(file_, pending_.data(), pending_.size());
    if (got <= 0) {  // it has become shorter: the client sees that the answer is cut
      stage_ = Stage::done;
      return {};
    }
    pending_.resize(static_cast<std::size_t>(got));
    file_left_ -= static_cast<std::size_t>(got);
    sent_ = 0;
    return pending_;
  }

  void send_some() {
    const std::string_view bytes = next_bytes();
    if (stage_ == Stage::done) return;
    if (bytes.empty()) {
      ::shutdown(socket_, SHUT_WR);
      stage_ = Stage::draining;
      deadline_ = monotonic_seconds() + drain_seconds;
      return;
    }
    const ssize_t got = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (got < 0) {
      if (errno != EAGAIN && errno != EINTR) stage_ = Stage::done;
      return;
    }
    (sent_ < pending_.size() ? sent_ : body_sent_) += static_cast<std::size_t>(got);
    deadline_ = monotonic_seconds() + limits_.stalled_seconds;
  }

  void drain() {
    char buffer[4096];
    const ssize_t got = ::recv(socket_, buffer, sizeof buffer, 0);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) stage_ = Stage::done;
  }

  int socket_;
  const HttpLimits& limits_;
  double deadline_;
  Stage stage_ = Stage::asking;
  std::string head_;
  std::string pending_;  // the answer's head, then pieces of a file
  std::size_t sent_ = 0;
  std::shared_ptr<const std::string> body_;
  std::size_t body_sent_ = 0;
  int file_ = -1;
  std::size_t file_left_ = 0;
};

}  // namespace

HttpServer::HttpServer(const std::string& address, int port, Answer answer, HttpLimits limits)
    : address_(address), answer_(std::move(answer)), limits_(limits) {
  const Address place = parse_address(address, port);
  listener_ = ::socket(place.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener_ < 0) refuse_to_listen(address, port, errno);
  const int yes = 1;  // a server that has just ended must not keep its port for a minute
  setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(listener_, reinterpret_cast<const sockaddr*>(&place.storage), place.size) != 0 ||
      ::listen(listener_, 64) != 0) {
    const int error = errno;
    ::close(listener_);
    refuse_to_listen(address, port, error);
  }
  port_ = bound_port(listener_);
}

HttpServer::~HttpServer() {
  ::close(listener_);
}

std::string HttpServer::url() const {
  const bool six = address_.find(':') != std::string::npos;
  return fmt::format("http://{}:{}/", six ? "[" + address_ + "]" : address_, port_);
}

void HttpServer::serve(const std::function<bool()>& stop) {
  std::list<HttpConnection> connections;
  while (!stop()) {
    std::vector<pollfd> watched = {{listener_, POLLIN, 0}};
    for (const HttpConnection& connection : connections)
      watched.push_back({connection.socket(), connection.wanted(), 0});
    if (::poll(watched.data(), watched.size(), look_every) < 0 && errno != EINTR)
      throw SystemError(fmt::format("cannot wait for requests: {}", std::strerror(errno)));
    auto state = watched.begin() + 1;
    for (HttpConnection& connection : connections)
      if ((state++)->revents != 0) connection.move_on(answer_);
    connections.remove_if([](const HttpConnection& connection) { return connection.done(); });
    if (watched.front().revents == 0) continue;
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket < 0) continue;
    const bool full = connections.size() >= limits_.connections;
    if (connections.size() >= 2 * limits_.connections) {  // not even room to say why
      ::close(socket);
      continue;
    }
    connections.emplace_back(socket, limits_);
    if (full) connections.back().send_away();
  }
}

bool is_loopback(const std::string& address) {
  in_addr four{};
  if (inet_pton(AF_INET, address.c_str(), &four) == 1) return ntohl(four.s_addr) >> 24 == 127;
  return address == "::1";
}

}  // namespace trainmark
