#include "support/memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>

#include "support/text.hpp"

namespace conesweep {
namespace {

// The first number of a file; -1: there is none ("max").
std::int64_t read_number(const char* path) {
  std::ifstream file(path);
  std::int64_t value = -1;
  return file >> value ? value : -1;
}

// Files that the container has read or written and that lie in memory: they go when room is needed.
std::int64_t droppable_cache() {
  std::ifstream file("/sys/fs/cgroup/memory.stat");
  std::int64_t value = 0;
  for (std::string name; file >> name >> value;)
    if (name == "inactive_file") return value;
  return 0;
}

}  // namespace

std::int64_t available_memory() {
  std::int64_t bytes = -1;
  std::ifstream file("/proc/meminfo");
  for (std::string name, unit; file >> name;) {
    std::int64_t value = 0;
    if (!(file >> value)) break;
    std::getline(file, unit);
    if (name == "MemAvailable:") bytes = value * 1024;
  }
  const std::int64_t limit = read_number("/sys/fs/cgroup/memory.max"),
                     used = read_number("/sys/fs/cgroup/memory.current");
  if (limit > 0 && used >= 0) {
    const std::int64_t left = std::max<std::int64_t>(0, limit - used + droppable_cache());
    bytes = bytes < 0 ? left : std::min(bytes, left);
  }
  return bytes;
}

std::int64_t count_bytes(double bytes) {
  return bytes < 0x1p63 ? static_cast<std::int64_t>(bytes) : std::numeric_limits<std::int64_t>::max();
}

Sentence no_memory() {
  return "not enough memory: the system gives no more; take a smaller " + setting::chunk + " or fewer " +
         setting::threads +
         ", keep = \"statistics\" or fewer members, or record fewer trajectories; conesweep plan tells what a run "
         "takes";
}

std::string format_bytes(double bytes) {
  for (const auto& [unit, size] :
       {std::pair("TB", 1e12), std::pair("GB", 1e9), std::pair("MB", 1e6), std::pair("kB", 1e3)})
    if (bytes >= size) return format_short(bytes / size, 3) + " " + unit;
  return format_short(bytes, 3) + " bytes";
}

}  // namespace conesweep
