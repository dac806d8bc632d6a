#include "choose_devices.hpp"

#include <algorithm>

namespace conesweep::kernels {

std::vector<int> deal_devices(int devices, int local_rank, int local_size) {
  std::vector<int> mine;
  for (int device = local_rank % std::min(devices, local_size); device < devices; device += local_size)
    mine.push_back(device);
  return mine;
}

std::vector<Device> choose_devices(const executor::Options& options) {
  const std::string& text = options.devices;
  const std::vector<Device> all = find_devices();
  if (text.empty()) return {all.front()};
  if (text == "all") return all;
  std::vector<Device> chosen;
  if (text == "auto") {
    for (const int number : deal_devices(static_cast<int>(all.size()), options.local_rank, options.local_size))
      chosen.push_back(all[static_cast<std::size_t>(number)]);
    return chosen;
  }
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string word = text.substr(begin, comma - begin);
    const bool digits = !word.empty() && word.size() < 6 && word.find_first_not_of("0123456789") == std::string::npos;
    const int number = digits ? std::stoi(word) : -1;
    if (number < 0 || number >= static_cast<int>(all.size()))
      throw InputError(
          about(setting::devices) + "'" + word + "' is not a device; this machine has " +
          (all.size() == 1 ? "only 0" : "0 to " + std::to_string(all.size() - 1) + " (write all, auto, or 0,1)"));
    for (const Device& other : chosen)
      if (other.number == number) throw InputError(about(setting::devices) + "device " + word + " is named twice");
    chosen.push_back(all[static_cast<std::size_t>(number)]);
    begin = comma + 1;
  }
  return chosen;
}

}  // namespace conesweep::kernels
