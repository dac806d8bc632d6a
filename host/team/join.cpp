#include <dlfcn.h>

#include <charconv>
#include <cstdlib>
#include <cstring>

#include "support/error.hpp"
#include "support/place.hpp"
#include "team/team.hpp"

namespace conesweep::team {
namespace {

int read_number(const char* name) {
  const char* text = std::getenv(name);
  int number = -1;
  if (text == nullptr) return number;
  const char* end = text + std::strlen(text);
  const auto result = std::from_chars(text, end, number);
  return result.ec == std::errc() && result.ptr == end ? number : -1;
}

}  // namespace

Launch find_launch() {
  // Open MPI; MPICH and PMI; srun. A batch script of Slurm has SLURM_NTASKS as well, but no step.
  constexpr const char* names[][2] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                      {"PMI_SIZE", "PMI_RANK"},
                                      {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}};
  for (const auto& [size_name, rank_name] : names) {
    const Launch launch{read_number(rank_name), read_number(size_name)};
    if (launch.size > 0 && launch.rank >= 0 && launch.rank < launch.size) return launch;
  }
  return {};
}

std::string team_plugin() { return (own_folder() / "libconesweep_mpi.so").string(); }

std::unique_ptr<Team> join_team(const Launch& launch) {
  const std::string file = team_plugin(),
                    started = "a launcher started " + std::to_string(launch.size) + " processes, ";
  // never closed: MPI's own plugins live as long as the program, and want to see its names
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) {
    const char* why = dlerror();
    throw SystemError(started + "and to share the work they need the plugin " + file + ", which does not load (" +
                      (why != nullptr ? why : "unknown error") +
                      "); build conesweep where there is an MPI (libopenmpi-dev), or start one process");
  }
  const auto entry = reinterpret_cast<JoinEntry>(dlsym(library, join_entry));
  std::string error = "the plugin " + file + " belongs to another version of conesweep; install both from one build";
  std::unique_ptr<Team> team(entry == nullptr ? nullptr : entry(team_version, launch, error));
  if (team == nullptr) throw SystemError(started + "but they cannot work together: " + error);
  return team;
}

}  // namespace conesweep::team
