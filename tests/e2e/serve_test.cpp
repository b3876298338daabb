// `trainmark serve` as browsers and attackers meet it: real requests to the real program.

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

#include "e2e/support/program.h"
#include "patience.h"

namespace trainmark::e2e {

namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// A measured folder, served for all tests of this file.
class Serve : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    place_ = new TemporaryFolder;
    write_text(*place_ / "suite.yaml", clock_suite("rule: fixed, steps: 20, skip: 2", {}));
    ASSERT_EQ(trainmark({"run", *place_ / "suite.yaml", "--out", results(), "--quiet"}).code, 0);
    write_text(*place_ / "secret.txt", "a secret");
    fs::create_symlink(*place_ / "secret.txt", results() / "runs" / "link.log");
    fs::create_directory_symlink(place_->path(), results() / "runs" / "up");
    write_text(results() / "runs" / "page.html", "<script>alert(1)</script>");
    ASSERT_EQ(mkfifo((results() / "runs" / "pipe").c_str(), 0600), 0);
    server_ = start_trainmark({"serve", results(), "--port", "0"}, place_->path());
    const Patience patience("the address of the server", Patience::Seconds(120));
    while (port_ == 0 && patience.left()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      const std::string said = content_of(*place_ / "err");
      const std::size_t at = said.find("http://127.0.0.1:");
      if (said.find("/ (read only", at) != std::string::npos)
        port_ = std::stoi(said.substr(at + 17));
    }
    ASSERT_NE(port_, 0) << content_of(*place_ / "err");
  }

  static void TearDownTestSuite() {
    if (server_ > 0) {
      kill(server_, SIGINT);
      EXPECT_EQ(wait_for(server_), 0) << "Ctrl-C is how it is ended";
    }
    delete place_;
  }

  static fs::path results() { return place_->path() / "results"; }

  static int connected() {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port_));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    const timeval most{.tv_sec = 60, .tv_usec = 0};  // an answer that never comes is none
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
    return socket;
  }

  static std::string answer_to(int socket) {
    std::string answer;
    char buffer[4096];
    for (ssize_t got = 0; (got = recv(socket, buffer, sizeof buffer, 0)) > 0;)
      answer.append(buffer, static_cast<std::size_t>(got));
    close(socket);
    return answer;
  }

  static std::string ask(const std::string& request) {
    const int socket = connected();
    send(socket, request.data(), request.size(), MSG_NOSIGNAL);
    return answer_to(socket);
  }

  static std::string get(const std::string& path, const std::string& host = "127.0.0.1") {
    return ask(fmt::format("GET {} HTTP/1.1\r\nHost: {}\r\n\r\n", path, host));
  }

  static std::string status(const std::string& answer) {
    return answer.starts_with("HTTP/1.1 ") ? answer.substr(9, 3) : "none";
  }

  static std::string first_run() {
    for (const auto& entry : fs::directory_iterator(results() / "runs"))
      if (fs::exists(entry.path() / "events.jsonl")) return entry.path().filename().string();
    return "";
  }

  static inline TemporaryFolder* place_ = nullptr;
  static inline pid_t server_ = -1;
  static inline int port_ = 0;
};

TEST_F(Serve, GivesThePageItsDataAndTheLogs) {
  const std::string page = get("/");
  EXPECT_EQ(status(page), "200");
  EXPECT_NE(page.find("Content-Type: text/html"), std::string::npos);
  EXPECT_NE(page.find("\r\nContent-Security-Policy: default-src 'none'; connect-src 'self'; "),
            std::string::npos);
  EXPECT_EQ(page.find("unsafe"), std::string::npos);
  EXPECT_NE(page.find("frame-ancestors 'none'"), std::string::npos);
  const std::string data = get("/data");
  EXPECT_NE(data.find("\"live\":{"), std::string::npos);
  const std::string log = get("/runs/" + first_run() + "/events.jsonl");
  EXPECT_EQ(status(log), "200");
  EXPECT_NE(log.find("\"event\""), std::string::npos);
  EXPECT_EQ(status(get("/journal.jsonl")), "200");
}

TEST_F(Serve, ShowsLogsAsTextWhateverTheyHold) {
  const std::string answer = get("/runs/page.html");
  EXPECT_EQ(status(answer), "200");
  EXPECT_NE(answer.find("Content-Type: text/plain"), std::string::npos);
  EXPECT_NE(answer.find("X-Content-Type-Options: nosniff"), std::string::npos);
  EXPECT_NE(answer.find("sandbox"), std::string::npos);
}

TEST_F(Serve, RefusesWhatLiesOutside) {
  for (const char* path :
       {"/../secret.txt", "/runs/../../secret.txt", "/runs/%2e%2e/%2e%2e/secret.txt",
        "/runs/..%2f..%2fsecret.txt", "/runs/%252e%252e/secret.txt", "/runs/link.log",
        "/runs/up/secret.txt", "/runs//link.log", "/runs/./link.log", "/secret.txt", "//etc/passwd",
        "/runs/\\..\\..\\secret.txt", "/runs/pipe", "/runs/", "/runs", "/report.md",
        "/runs/page.html%00.log", "/runs/up"}) {
    const std::string answer = get(path);
    EXPECT_EQ(status(answer), "404") << path;
    EXPECT_EQ(answer.find("a secret"), std::string::npos) << path;
  }
  EXPECT_EQ(status(get("/runs/%zz")), "400");
  EXPECT_EQ(status(get("/runs/%2")), "400");
  EXPECT_EQ(status(get("http://127.0.0.1/etc/passwd")), "400");
  EXPECT_EQ(status(get("runs/page.html")), "400");
}

TEST_F(Serve, RefusesOtherMethods) {
  for (const char* method :
       {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "get"}) {
    const std::string answer = ask(
        fmt::format("{} / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc", method));
    EXPECT_EQ(status(answer), "405") << method;
    EXPECT_NE(answer.find("Allow: GET, HEAD"), std::string::npos);
  }
  const std::string head = ask("HEAD /journal.jsonl HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(status(head), "200");
  EXPECT_TRUE(head.ends_with("\r\n\r\n")) << "no body";
}

TEST_F(Serve, RefusesNamesThatAreNotItsOwn) {
  for (const char* host : {"evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "",
                           "192.0.2.1", "[::2]", "evil.example:80", "localhost@evil.example"})
    EXPECT_EQ(status(get("/", host)), "421") << host;
  for (const char* host : {"localhost", "LOCALHOST:1234", "127.0.0.1:8088", "[::1]:8088"})
    EXPECT_EQ(status(get("/data", host)), "200") << host;
  EXPECT_EQ(status(ask("GET / HTTP/1.1\r\n\r\n")), "421");
  EXPECT_EQ(status(ask("GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n")), "400");
}

TEST_F(Serve, RefusesDamagedRequests) {
  EXPECT_EQ(status(ask("nonsense\r\n\r\n")), "400");
  EXPECT_EQ(status(ask("GET / HTTP/3.0\r\nHost: localhost\r\n\r\n")), "505");
  EXPECT_EQ(status(ask("GET / HTTP/1.1\r\nHost: localhost\r\nbad header\r\n\r\n")), "400");
  EXPECT_EQ(status(ask("GET / HTTP/1.1\r\nX: " + std::string(20'000, 'x'))), "431");
}

TEST_F(Serve, SendsDataOnlyWhenTheyAreNew) {
  const std::string data = get("/data");
  const std::size_t at = data.find("\"version\":\"") + 11;
  const std::string version = data.substr(at, data.find('"', at) - at);
  EXPECT_EQ(status(get("/data?after=" + version)), "204");
  EXPECT_EQ(status(get("/data?after=old")), "200");
}

TEST_F(Serve, HoldsOnlySoManyConnectionsAndAnswersAgainAfterwards) {
  std::vector<int> silent;
  for (int i = 0; i < 64; ++i) silent.push_back(connected());
  EXPECT_EQ(status(get("/data")), "503");
  for (const int socket : silent) close(socket);
  std::string last;
  for (int i = 0; i < 60'000 && last != "200"; ++i) {
    last = status(get("/data"));
    if (last != "200") std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(last, "200");
}

TEST_F(Serve, SaysWhichPortIsTakenAndWhatIsNoFolder) {
  const Outcome taken = trainmark({"serve", results(), "--port", std::to_string(port_)});
  EXPECT_EQ(taken.code, 2);
  EXPECT_NE(taken.errors.find("is in use; choose another with --port"), std::string::npos);
  const Outcome nothing = trainmark({"serve", place_->path()});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_NE(nothing.errors.find("holds no journal"), std::string::npos);
  const Outcome nowhere = trainmark({"serve", results(), "--bind", "192.0.2.1"});
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_NE(nowhere.errors.find("not an address of this machine"), std::string::npos);
  EXPECT_EQ(trainmark({"serve", results(), "--bind", "evil.example"}).code, 2);
}

}  // namespace

}  // namespace trainmark::e2e
