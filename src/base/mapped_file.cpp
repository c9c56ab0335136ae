// Read-only mappings, and the SIGBUS handler that turns a file which shrank under its mapping into an error:
// it replaces the whole mapping by zero pages and marks it, as compositors do with the buffers of their clients.
#include "base/mapped_file.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <mutex>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "base/file.h"
#include "berth/error.h"

namespace berth {
namespace {

// A signal handler may take no lock, so live mappings stand in a fixed table of atomics.
struct Slot {
  std::atomic<bool> taken{false};
  std::atomic<const std::byte*> begin{nullptr};
  std::atomic<std::size_t> size{0};
  std::atomic<bool> shrunk{false};
};
constexpr std::size_t kMaxMappings = 4096;
std::array<Slot, kMaxMappings> slots;
struct sigaction previous_handler {};

void on_bus_error(int signal, siginfo_t* info, void* context) {
  const auto* const address = static_cast<const std::byte*>(info->si_addr);
  for (Slot& slot : slots) {
    const std::byte* const begin = slot.begin.load(std::memory_order_acquire);
    const std::size_t size = slot.size.load(std::memory_order_acquire);
    if (begin == nullptr || address < begin || address >= begin + size) continue;
    if (slot.begin.load(std::memory_order_acquire) != begin) continue;  // another mapping took the slot in between
    slot.shrunk.store(true, std::memory_order_release);
    void* const zeros =
        ::mmap(const_cast<std::byte*>(begin), size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (zeros != MAP_FAILED) return;
  }
  // Not ours: whoever handled it before handles it now; the default action ends the process when the access repeats.
  if ((previous_handler.sa_flags & SA_SIGINFO) != 0) {
    previous_handler.sa_sigaction(signal, info, context);
  } else {
    ::sigaction(SIGBUS, &previous_handler, nullptr);
  }
}

void install_handler_once() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(SIGBUS, &action, &previous_handler);
  });
}

std::size_t register_mapping(const std::byte* begin, std::size_t size) {
  install_handler_once();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    bool expected = false;
    if (!slots[i].taken.compare_exchange_strong(expected, true)) continue;
    slots[i].shrunk.store(false);
    slots[i].size.store(size);
    slots[i].begin.store(begin, std::memory_order_release);
    return i;
  }
  throw Error(ErrorKind::limit, "", "more than " + std::to_string(kMaxMappings) + " files are mapped at once");
}

}  // namespace

MappedFile::MappedFile(std::filesystem::path path)
    : path_(std::move(path)), descriptor_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (descriptor_.number < 0) throw_io_error(path_, "cannot be opened", errno);
  struct stat status {};
  if (::fstat(descriptor_.number, &status) != 0) throw_io_error(path_, "cannot be examined", errno);
  if (!S_ISREG(status.st_mode)) throw Error(ErrorKind::invalid_input, path_.string(), "is not a regular file");
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return;
  void* const address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor_.number, 0);
  if (address == MAP_FAILED) throw_io_error(path_, "cannot be mapped", errno);
  try {
    slot_ = register_mapping(static_cast<const std::byte*>(address), size);
  } catch (...) {
    ::munmap(address, size);
    throw;
  }
  data_ = static_cast<const std::byte*>(address);
  size_ = size;
}

MappedFile::~MappedFile() {
  if (data_ == nullptr) return;
  slots[slot_].begin.store(nullptr, std::memory_order_release);
  ::munmap(const_cast<std::byte*>(data_), size_);
  slots[slot_].taken.store(false, std::memory_order_release);
}

MappedFile::Descriptor::~Descriptor() {
  if (number >= 0) ::close(number);
}

MappedFile::Descriptor::Descriptor(Descriptor&& other) noexcept : number(std::exchange(other.number, -1)) {}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::move(other.descriptor_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      slot_(other.slot_) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  if (this != &other) {
    MappedFile moved(std::move(other));
    std::swap(path_, moved.path_);
    std::swap(descriptor_.number, moved.descriptor_.number);
    std::swap(data_, moved.data_);
    std::swap(size_, moved.size_);
    std::swap(slot_, moved.slot_);
  }
  return *this;
}

void MappedFile::require_intact() const {
  if (data_ == nullptr) return;
  // A file cut inside its last page gives zeros without a signal: the size has to be asked for, too.
  struct stat status {};
  const bool shorter = ::fstat(descriptor_.number, &status) != 0 || static_cast<std::size_t>(status.st_size) < size_;
  if (shorter || slots[slot_].shrunk.load(std::memory_order_acquire)) {
    throw Error(ErrorKind::io, path_.string(), "shrank while it was being read",
                "keep the file unchanged while berth works on it");
  }
}

}  // namespace berth
