#include "http/http_server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <thread>

namespace trainmark {
namespace {

/// A server on a thread of its own that answers everything with `body`.
class RunningServer {
 public:
  explicit RunningServer(const HttpLimits& limits = {})
      : server_(
            "127.0.0.1", 0, [](const HttpRequest&) { return http_text(200, "body"); }, limits),
        thread_([this] { server_.serve([this] { return stop_.load(); }); }) {}
  ~RunningServer() {
    stop_ = true;
    thread_.join();
  }
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;

  /// What comes back until the server closes the connection; "hangs" where it does not.
  std::string answer_to(const std::string& request) const {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(server_.port()));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval most{.tv_sec = 20, .tv_usec = 0};
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
    EXPECT_EQ(connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    send(socket, request.data(), request.size(), MSG_NOSIGNAL);
    std::string answer;
    char buffer[4096];
    ssize_t got = 0;
    while ((got = recv(socket, buffer, sizeof buffer, 0)) > 0)
      answer.append(buffer, static_cast<std::size_t>(got));
    close(socket);
    return got == 0 ? answer : "hangs";
  }

 private:
  HttpServer server_;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(HttpServer, AnswersHeadWithTheLengthAndWithoutTheBody) {
  const RunningServer server;
  const std::string whole = server.answer_to("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_TRUE(has(whole, "Content-Length: 5\r\n")) << whole;
  EXPECT_TRUE(whole.ends_with("\r\n\r\nbody\n")) << whole;
  const std::string head = server.answer_to("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_TRUE(has(head, "Content-Length: 5\r\n")) << head;
  EXPECT_TRUE(head.ends_with("\r\n\r\n")) << head;
}

TEST(HttpServer, RefusesARequestThatHasNoEnd) {
  const RunningServer server({.head = 100});
  const std::string answer = server.answer_to("GET / HTTP/1.1\r\nx: " + std::string(200, 'a'));
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 431 ")) << answer;
}

TEST(HttpServer, LetsGoOfAClientThatNeverFinishesItsRequest) {
  const RunningServer server({.request_seconds = 0.05});
  EXPECT_EQ(server.answer_to("GET / HTTP/1.1\r\n"), "");
}

TEST(Loopback, IsThisMachineAlone) {
  for (const char* address : {"127.0.0.1", "127.9.8.7", "::1"})
    EXPECT_TRUE(is_loopback(address)) << address;
  for (const char* address : {"0.0.0.0", "10.0.0.127", "128.0.0.1", "::", "localhost", ""})
    EXPECT_FALSE(is_loopback(address)) << address;
}

}  // namespace
}  // namespace trainmark
