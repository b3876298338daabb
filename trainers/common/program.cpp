#include "common/program.h"

#include <fmt/format.h>

#include <new>

#include "base/error.h"
#include "base/output.h"
#include "common/failure.h"
#include "common/requests.h"

namespace trainmark::train {
namespace {

int fail(const char* name, EventWriter& events, std::string_view kind, std::string_view message) {
  say("{}: {}", name, message);
  try {
    events.failure(kind, message);
  } catch (const BenchGone&) {
    // Nobody is left to be told.
  }
  return 1;
}

int run_body(const char* name, EventWriter& events, const std::function<int(EventWriter&)>& body) {
  try {
    return body(events);
  } catch (const UserError&) {
    throw;
  } catch (const BenchGone&) {
    throw;
  } catch (const Unsupported& error) {
    return fail(name, events, "unsupported", error.what());
  } catch (const OutOfMemory& error) {
    return fail(name, events, "out-of-memory", error.what());
  } catch (const std::bad_alloc&) {
    return fail(name, events, "out-of-memory", "the host is out of memory");
  } catch (const std::exception& error) {
    return fail(name, events, "other", error.what());
  }
}

}  // namespace

int run_program(const char* name, const std::function<int(EventWriter&)>& body) {
  occupy_standard_streams();
  listen_for_requests();
  try {
    EventWriter events = EventWriter::from_environment();
    const int status = run_body(name, events, body);
    finish_output();
    return status;
  } catch (const UserError& error) {
    say("{}: {}", name, error.what());
    return 2;
  } catch (const BenchGone& error) {
    say("{}: {}", name, error.what());
    return 1;
  } catch (const SystemError& error) {
    say("{}: {}", name, error.what());
    return 1;
  }
}

}  // namespace trainmark::train
