#include "cli/memory/small_objects.hpp"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>
#include <utility>

#include <pthread.h>
#include <sys/mman.h>

namespace mosim::cli {

namespace {

constexpr std::size_t page_size = 2048, chunk_size = std::size_t(1) << 20, pages = chunk_size / page_size;

/// So much from the system, at a multiple of its size; null if there is none.
void* chunk_memory() {
  // What lies before and behind it goes back at once.
  char* const all = static_cast<char*>(mmap(nullptr, 2 * chunk_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (all == MAP_FAILED) return nullptr;
  const std::size_t before = (chunk_size - reinterpret_cast<std::uintptr_t>(all) % chunk_size) % chunk_size;
  if (before != 0) munmap(all, before);
  if (before != chunk_size) munmap(all + before + chunk_size, chunk_size - before);
  return all + before;
}

/// The chunks there are, by their address: a table of open addressing, which only grows fuller.
class Chunks {
public:
  bool has(std::uintptr_t chunk) const {
    for (std::size_t k = place(chunk);; k = (k + 1) % slots) {
      const std::uintptr_t found = table_[k].load(std::memory_order_acquire);
      if (found == 0) return false;
      if (found == chunk) return true;
    }
  }
  /// Whether there was room for it.
  bool add(std::uintptr_t chunk) {
    if (count_.fetch_add(1) >= slots / 2) return false;
    for (std::size_t k = place(chunk);; k = (k + 1) % slots) {
      std::uintptr_t none = 0;
      if (table_[k].compare_exchange_strong(none, chunk, std::memory_order_release)) return true;
    }
  }

private:
  static constexpr std::size_t slots = std::size_t(1) << 16;   // 32 GB of small objects
  static std::size_t place(std::uintptr_t chunk) { return chunk / chunk_size * 0x9E3779B97F4A7C15u >> 48; }
  std::array<std::atomic<std::uintptr_t>, slots> table_{};
  std::atomic<std::size_t> count_ = 0;
};
constinit Chunks chunks;

}  // namespace

/// What threads have in common.
struct SmallObjects::All {
  std::mutex mutex;
  SmallObjects* idle = nullptr;          // of threads that have ended
  std::array<Piece*, classes> lists{};   // of so many free pieces as there may be
  static All all;
};
constinit SmallObjects::All SmallObjects::All::all;

/// At its beginning, in the first page, of which class each page is.
struct SmallObjects::Chunk {
  std::array<std::uint8_t, pages> classes;   // number + 1
  std::size_t used;                          // pages
};

thread_local constinit SmallObjects* SmallObjects::current = nullptr;

namespace {
thread_local constinit bool ends = false;   // the thread: it has what others give it, and leaves what they have
}

struct SmallObjects::Lease {
  ~Lease() {
    const std::lock_guard lock(All::all.mutex);
    current->next_ = std::exchange(All::all.idle, current);
    current = nullptr;
    ends = true;
  }
};

SmallObjects* SmallObjects::begin_here() noexcept {
  if (ends) return nullptr;
  // What another thread holds at a fork, nobody in the new process gives back.
  static std::atomic_flag guarded;
  if (!guarded.test_and_set()) pthread_atfork([] { All::all.mutex.lock(); }, [] { All::all.mutex.unlock(); }, [] { All::all.mutex.unlock(); });
  {
    const std::lock_guard lock(All::all.mutex);
    if (All::all.idle) current = std::exchange(All::all.idle, All::all.idle->next_);
  }
  if (!current) {
    void* const memory = std::malloc(sizeof(SmallObjects));
    if (!memory) return nullptr;
    current = new (memory) SmallObjects;
  }
  thread_local Lease lease;
  (void)lease;
  return current;
}

void SmallObjects::put_aside(std::size_t number) noexcept {
  Class& c = classes_[number];
  if (c.aside) {
    const std::lock_guard lock(All::all.mutex);
    c.aside->next_list = std::exchange(All::all.lists[number], c.aside);
  }
  c.aside = std::exchange(c.free, nullptr);
  c.count = 0;
}

void* SmallObjects::take_from_others(std::size_t number) {
  Class& c = classes_[number];
  Piece* list = std::exchange(c.aside, nullptr);
  if (!list) {
    const std::lock_guard lock(All::all.mutex);
    list = All::all.lists[number];
    if (list) All::all.lists[number] = list->next_list;
  }
  if (!list) return take_from_new_page(number);
  c.free = list->next;
  c.count = most(number) - 1;
  return list;
}

void* SmallObjects::take_from_new_page(std::size_t number) {
  if (!chunk_ || chunk_->used == pages) {
    void* const memory = chunk_memory();
    if (!memory) return nullptr;
    if (!chunks.add(reinterpret_cast<std::uintptr_t>(memory))) {
      munmap(memory, chunk_size);
      return nullptr;
    }
    chunk_ = static_cast<Chunk*>(memory);   // all zeros
    chunk_->used = 1;
  }
  chunk_->classes[chunk_->used] = static_cast<std::uint8_t>(number + 1);
  char* const page = reinterpret_cast<char*>(chunk_) + chunk_->used++ * page_size;
  Class& c = classes_[number];
  c.at = page + size(number);
  c.end = page + page_size / size(number) * size(number);
  return page;
}

std::size_t SmallObjects::size_of(const void* memory) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t chunk = address - address % chunk_size;
  if (!chunks.has(chunk)) return 0;
  return size(reinterpret_cast<const Chunk*>(chunk)->classes[address % chunk_size / page_size] - std::size_t(1));
}

}  // namespace mosim::cli
