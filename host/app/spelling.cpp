#include "app/spelling.hpp"

#include <algorithm>

namespace conesweep::app {

std::string spell_as_flag(const Mention& mention) {
  std::string flag = "--" + std::string(mention.setting);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return mention.value.empty() ? flag : flag + " " + mention.value;
}

}  // namespace conesweep::app
