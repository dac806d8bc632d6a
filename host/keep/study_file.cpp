#include "keep/study_file.hpp"

#include <nlohmann/json.hpp>
#include <system_error>

#include "io/files.hpp"
#include "keep/identity.hpp"
#include "support/error.hpp"

namespace conesweep::keep {

namespace fs = std::filesystem;

StudyFile::StudyFile(const fs::path& folder, const std::string& name, bool force) : path_(folder / name) {
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_directory(folder, error))
    throw SystemError("cannot write into " + folder.string() + ": it is a file; choose another folder with " +
                      setting::out);
  if (io::is_there(path_)) {
    if (!is_of_a_run(folder, name))
      throw InputError(path_.string() +
                       " is there and is no study of conesweep; move it, or choose another folder with " +
                       setting::out);
    if (!force)
      throw InputError(path_.string() + " is there; replace it with " + setting::force +
                       ", or choose another folder with " + setting::out);
  }
  folders_.make(folder);
  file_ = std::make_unique<io::NewFile>(path_, io::replace_if(force));
  file_->write(std::string(4096, ' '));  // leave to write, and room
}

void StudyFile::write(const std::string& json) {
  file_->start_over();
  file_->write(json);
  file_->finish();
  folders_.keep();
}

FoundStudy find_study(const fs::path& folder, const std::string& name, const scenario::Scenario& scenario) {
  if (!io::is_there(folder / name)) return {};
  const std::string command = fs::path(name).stem().string();
  if (!is_of_a_run(folder, name)) return {{}, name + " is no file of conesweep " + command + " and is not drawn."};
  std::string text = io::read_bytes(folder / name);
  if (nlohmann::json::parse(text)["problem"] != identify_problem(scenario))
    return {{},
            name + " is of another scenario than this run, and is not drawn; conesweep " + command + " makes it anew."};
  return {std::move(text), {}};
}

}  // namespace conesweep::keep
