// The wheel was built with Gloo, and does not say so in its headers.
#define USE_C10D_GLOO

#include "distributed/distributed.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>
#include <net/if.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>
#include <torch/csrc/distributed/c10d/HashStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#include <torch/csrc/distributed/c10d/comm.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>

namespace trainmark::train {
namespace {

// Programs start at about the same time; a cluster's file system may keep one of them waiting.
constexpr std::chrono::minutes meeting_timeout{2};
constexpr std::size_t broadcast_bytes = 64 * 1024 * 1024;  // at a time

/// The address of this machine from which the master's is reached. Machines have several, and the
/// one that the host's name stands for need not be the right one.
std::string own_address(const RankPosition& place) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  const std::string port = std::to_string(place.master_port);
  if (const int error = getaddrinfo(place.master_address.c_str(), port.c_str(), &hints, &found)) {
    throw std::runtime_error(
        fmt::format("MASTER_ADDR is '{}': {}", place.master_address, gai_strerror(error)));
  }
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> addresses(found, freeaddrinfo);
  for (const addrinfo* address = found; address != nullptr; address = address->ai_next) {
    const int probe = socket(address->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (probe < 0) continue;
    // Nothing is sent: the kernel only chooses the way.
    sockaddr_storage own{};
    socklen_t length = sizeof(own);
    std::array<char, NI_MAXHOST> text{};
    const bool known = connect(probe, address->ai_addr, address->ai_addrlen) == 0 &&
                       getsockname(probe, reinterpret_cast<sockaddr*>(&own), &length) == 0 &&
                       getnameinfo(reinterpret_cast<sockaddr*>(&own), length, text.data(),
                                   text.size(), nullptr, 0, NI_NUMERICHOST) == 0;
    close(probe);
    if (known) return text.data();
  }
  throw std::runtime_error(
      fmt::format("MASTER_ADDR '{}' cannot be reached from here", place.master_address));
}

std::vector<std::shared_ptr<gloo::transport::Device>> gloo_devices(const RankPosition& place) {
  using c10d::ProcessGroupGloo;
  if (const char* names = std::getenv("GLOO_SOCKET_IFNAME"); names != nullptr && *names != '\0') {
    std::vector<std::shared_ptr<gloo::transport::Device>> devices;
    std::istringstream list(names);
    for (std::string name; std::getline(list, name, ',');) {
      devices.push_back(ProcessGroupGloo::createDeviceForInterface(name));
    }
    return devices;
  }
  if (place.alone()) return {ProcessGroupGloo::createDeviceForHostname("127.0.0.1")};
  return {ProcessGroupGloo::createDeviceForHostname(own_address(place))};
}

c10::intrusive_ptr<c10d::Store> make_store(const RankPosition& place) {
  if (place.alone()) return c10::make_intrusive<c10d::HashStore>();
  c10d::TCPStoreOptions options;
  options.port = static_cast<std::uint16_t>(place.master_port);
  options.isServer = place.rank == 0;
  options.numWorkers = static_cast<std::size_t>(place.ranks);
  options.timeout = meeting_timeout;
  return c10::make_intrusive<c10d::TCPStore>(place.master_address, options);
}

c10::intrusive_ptr<c10d::Backend> make_gloo(const c10::intrusive_ptr<c10d::Store>& store,
                                            const RankPosition& place,
                                            std::chrono::seconds timeout) {
  const auto options = c10d::ProcessGroupGloo::Options::create(timeout);
  options->devices = gloo_devices(place);
  return c10::make_intrusive<c10d::ProcessGroupGloo>(store, place.rank, place.ranks, options);
}

/// What a collective throws says nothing of who had waited for whom.
template <class Action>
auto together(const RankPosition& place, const char* what, const Action& action) {
  try {
    return action();
  } catch (const c10::DistError& error) {
    throw std::runtime_error(fmt::format("rank {} of {}: {}: {}", place.rank, place.ranks, what,
                                         error.what_without_backtrace()));
  } catch (const c10::Error&) {
    throw;  // has nothing to do with the others
  } catch (const std::exception& error) {
    throw std::runtime_error(
        fmt::format("rank {} of {}: {}: {}", place.rank, place.ranks, what, error.what()));
  }
}

constexpr const char* lost_ranks = "lost the other ranks";

/// For a collective that is waited for at once: on a GPU it then goes into the step's own stream,
/// which saves it two meetings with another one.
template <class CollectiveOptions>
CollectiveOptions waited_for() {
  CollectiveOptions options;
  options.asyncOp = false;
  return options;
}

}  // namespace

std::shared_ptr<World> make_world() {
  return std::make_shared<World>();
}

bool has_group(const World& world) {
  return world.has_group();
}

void World::join(const RankPosition& place, const Parallel& parallel,
                 const MakeBackend& make_nccl) {
  if (place.alone() && !parallel.group) return;
  using Group = c10d::ProcessGroup;
  const std::chrono::seconds timeout(parallel.timeout_seconds);
  const bool nccl = make_nccl != nullptr;
  group_ = together(place, "cannot connect to the other ranks", [&] {
    const c10::intrusive_ptr<c10d::Store> store = make_store(place);
    const c10::intrusive_ptr<c10d::Backend> backend =
        nccl ? make_nccl(store, place.rank, place.ranks, timeout)
             : make_gloo(store, place, timeout);
    const auto type = nccl ? Group::BackendType::NCCL : Group::BackendType::GLOO;
    auto group = c10::make_intrusive<Group>(store, place.rank, place.ranks);
    group->setBackend(nccl ? at::kCUDA : at::kCPU, type, backend);
    group->setDefaultBackend(type);
    group->setGroupName("trainmark");
    return group;
  });
  place_ = place;
  backend_ = nccl ? "nccl" : "gloo";
}

c10::intrusive_ptr<c10d::Work> World::begin(const Collective& collective) {
  if (meter_) meter_->before_collective();
  auto work = together(place_, lost_ranks, collective);
  if (meter_) meter_->after_collective(work.get());
  return work;
}

void World::wait(c10d::Work& work) {
  if (meter_) meter_->before_wait();
  together(place_, lost_ranks, [&] { return work.wait(); });
  if (meter_) meter_->after_wait();
}

void World::do_now(const Collective& collective) {
  const c10::intrusive_ptr<c10d::Work> work = begin(collective);
  if (work) wait(*work);  // NCCL gives none: what comes after it in the stream waits by itself
}

c10::intrusive_ptr<c10d::Work> World::begin_sum(std::vector<at::Tensor> tensors) {
  return begin([&] { return group_->allreduce_coalesced(tensors); });
}

void World::reduce(at::Tensor& tensor, c10d::ReduceOp::RedOpType operation) {
  auto options = waited_for<c10d::AllreduceOptions>();
  options.reduceOp = operation;
  std::vector<at::Tensor> tensors = {tensor};
  do_now([&] { return group_->allreduce(tensors, options); });
}

void World::sum(at::Tensor tensor) {
  if (has_group()) reduce(tensor, c10d::ReduceOp::SUM);
}

void World::maximum(at::Tensor tensor) {
  if (has_group()) reduce(tensor, c10d::ReduceOp::MAX);
}

at::Tensor World::gather_rows(const at::Tensor& rows) {
  if (!has_group()) return rows;
  at::Tensor own = rows.contiguous();
  std::vector<std::int64_t> shape = own.sizes().vec();
  shape[0] *= size();
  at::Tensor all = at::empty(shape, own.options());
  do_now([&] { return group_->_allgather_base(all, own, waited_for<c10d::AllgatherOptions>()); });
  return all;
}

at::Tensor World::scatter_sum(const at::Tensor& rows) {
  if (!has_group()) return rows;
  const std::int64_t each = rows.size(0) / size();
  if (backend_ == "gloo") {  // its own is a sum of all, too, but does not say when it is done
    const at::Tensor sums = rows.clone(at::MemoryFormat::Contiguous);
    sum(sums);
    return sums.narrow(0, each * rank(), each).clone();
  }
  at::Tensor all = rows.contiguous();
  std::vector<std::int64_t> shape = all.sizes().vec();
  shape[0] = each;
  at::Tensor own = at::empty(shape, all.options());
  do_now([&] {
    return group_->_reduce_scatter_base(own, all, waited_for<c10d::ReduceScatterOptions>());
  });
  return own;
}

void World::broadcast(const std::vector<at::Tensor>& tensors) {
  if (!has_group() || tensors.empty()) return;
  // Parameters may not be written to where autograd looks on.
  std::vector<at::Tensor> detached;
  for (const at::Tensor& tensor : tensors) detached.push_back(tensor.detach());
  together(place_, lost_ranks,
           [&] { c10d::broadcast_coalesced(group_, detached, broadcast_bytes, 0); });
}

void World::meet() {
  if (!has_group()) return;
  const at::Device device(backend_ == "nccl" ? at::kCUDA : at::kCPU);
  const at::Tensor nothing = at::zeros({1}, at::TensorOptions(device));
  sum(nothing);
  (void)nothing.item<float>();  // a device may only have promised it
}

void World::close() {
  if (has_group()) together(place_, lost_ranks, [&] { group_->shutdown(); });
}

}  // namespace trainmark::train
