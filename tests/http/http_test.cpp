#include "http/http.h"

#include <gtest/gtest.h>

namespace trainmark {

namespace {

int status_of(std::string_view head) {
  int status = 0;
  parse_request(head, status);
  return status;
}

TEST(Http, ARequestIsTakenApart) {
  int status = 0;
  const auto request = parse_request(
      "GET /runs/a%20b/stdout.log?x=1 HTTP/1.1\r\nHOST: LocalHost:80\r\nX-A:  b \r\n", status);
  ASSERT_TRUE(request);
  EXPECT_EQ(status, 200);
  EXPECT_EQ(request->path, "/runs/a b/stdout.log");
  EXPECT_EQ(request->query, "x=1");
  EXPECT_EQ(request->host(), "localhost");
  EXPECT_EQ(request->headers.at("x-a"), "b");
}

TEST(Http, EscapesAreLettersWhereverTheyStand) {
  EXPECT_EQ(percent_decoded("%41b%20"), "Ab ");
  EXPECT_EQ(percent_decoded("%4"), std::nullopt);
  EXPECT_EQ(percent_decoded("a%"), std::nullopt);
}

TEST(Http, HostsAreTakenWithoutTheirPort) {
  for (const auto& [header, host] : std::map<std::string, std::string>{
           {"[::1]:8088", "[::1]"}, {"127.0.0.1:1", "127.0.0.1"}, {"a.b", "a.b"}, {"[::1", ""}}) {
    HttpRequest request;
    request.headers["host"] = header;
    EXPECT_EQ(request.host(), host) << header;
  }
  EXPECT_EQ(HttpRequest{}.host(), "");
}

TEST(Http, WhatIsNoRequestIsRefused) {
  for (const char* head : {"", "\r\n", "GET", "GET /", "GET  HTTP/1.1", "GET x HTTP/1.1",
                           "G@T / HTTP/1.1", "GET /%4 HTTP/1.1", "GET /%g1 HTTP/1.1",
                           "GET / HTTP/1.1\r\nno colon\r\n", "GET / HTTP/1.1\r\n a: folded\r\n",
                           "GET / HTTP/1.1\r\nhost: a\r\nHost: b\r\n", "GET / XTTP/1.1"})
    EXPECT_EQ(status_of(head), 400) << head;
  EXPECT_EQ(status_of("GET / HTTP/2.0"), 505);
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get"})
    EXPECT_EQ(status_of(std::string(method) + " / HTTP/1.1"), 405) << method;
}

TEST(Http, EveryAnswerForbidsWhatItDoesNotNeed) {
  const std::string head = response_head(http_text(404, "no"), 3);
  for (const char* part : {"HTTP/1.1 404 Not Found\r\n", "X-Content-Type-Options: nosniff",
                           "default-src 'none'", "Cache-Control: no-store", "Content-Length: 3"})
    EXPECT_NE(head.find(part), std::string::npos) << part;
  EXPECT_TRUE(head.ends_with("\r\n\r\n"));
}

}  // namespace

}  // namespace trainmark
