#pragma once

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "io/run_data.hpp"

namespace conesweep::io {

/// A run of seven members of a slider, two of which stopped; numbers are made up, and all different.
inline Results make_run() {
  using executor::Status;
  const double nan = std::nan("");
  Results run;
  auto& s = run.scenario;
  s.title = "Slider ✓ \"rough\"";
  s.names.coordinates = {"x", "y"};
  s.names.parameters = {"g", "tau", "alpha"};
  s.defaults = {9.81, 0.2, 0.35};
  s.end = 0.3;
  s.step = 0.1;
  s.steps = 3;
  s.ensemble = {7, 0xfedcba9876543210, scenario::Sampler::random};
  s.vary = {{2, {scenario::DistributionKind::uniform, {0.1, 0.6}, {}, {}}, 0, {}},
            {1, {scenario::DistributionKind::uniform, {0, 1}, {}, {}}, 0, {}}};
  s.observables = {{"reach", scenario::Reducer::max, {}}, {"settled", scenario::Reducer::last_time, {}}};
  s.standard = {scenario::Standard::impacts};
  s.record = {2, 2};
  run.scenario_text = "# resolved by conesweep\ntitle = \"Slider\"\n";
  run.backend = "reference";
  run.device = "one core";

  run.parameters = {{0.11, 0.12, 0.13, 0.14, 0.15, 0.16, 0.17}, {0.21, 0.22, 0.23, 0.24, 0.25, 0.26, 0.27}};
  for (int o = 0; o < 7; ++o) {  // reach, settled, impacts, final.x, final.y, final.vx, final.vy
    auto& column = run.outcome.observables.emplace_back();
    for (int m = 0; m < 7; ++m) column.push_back(m == 2 || m == 5 ? nan : 10 * o + m + 0.1);
  }
  run.outcome.observables[1][0] = nan;  // an event that never came
  run.outcome.status = {Status::ok, Status::ok,         Status::bad_angle, Status::ok,
                        Status::ok, Status::non_finite, Status::ok};
  run.outcome.stop_time = {nan, nan, 0, nan, nan, 0.2, nan};
  auto& trajectories = run.outcome.trajectories;
  trajectories.members = 2;
  trajectories.times = 2;
  for (int c = 0; c < 4; ++c) trajectories.columns.push_back({c + 0.1, c + 0.2, c + 0.3, c + 0.4});
  trajectories.mode = {0, 1, 2, 0};
  return run;
}

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path << " is not there";
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

inline void write_file(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  ASSERT_TRUE(file.flush()) << path;
}

/// What is in a folder, by name.
inline std::vector<std::string> list(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// What an action complains of.
template <class Error, class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no such error";
}

/// A folder of its own for each test, gone afterwards.
class InFolder : public testing::Test {
 protected:
  InFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "conesweep-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder = name;
  }
  ~InFolder() override {
    std::error_code error;
    std::filesystem::remove_all(folder, error);
  }
  std::filesystem::path folder;
};

/// A disk of so many bytes, where mounting is allowed; seen by this program alone, so that nothing stays if it dies.
class TinyDisk {
 public:
  TinyDisk(std::filesystem::path path, std::uintmax_t bytes) : path_(std::move(path)) {
    std::filesystem::create_directory(path_);
    // in a name space of this program's own, which lasts as long as the program
    static const int refused =
        unshare(CLONE_NEWNS) == 0 && mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 ? 0 : errno;
    error_ = refused;
    if (error_ == 0 && mount("tmpfs", path_.c_str(), "tmpfs", 0, ("size=" + std::to_string(bytes)).c_str()) != 0)
      error_ = errno;
  }
  ~TinyDisk() {
    if (is_there()) umount2(path_.c_str(), MNT_DETACH);
  }
  TinyDisk(const TinyDisk&) = delete;
  TinyDisk& operator=(const TinyDisk&) = delete;

  bool is_there() const { return error_ == 0; }
  std::string why_not() const { return std::string("no disk can be mounted here: ") + std::strerror(error_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int error_ = 0;  // errno of what was refused
};

}  // namespace conesweep::io
