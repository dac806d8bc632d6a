#include "sensitivity/index.hpp"

#include "support/text.hpp"

namespace conesweep::sensitivity {

void warn_near_zero(const std::string& kind, std::span<const Index> indices, std::span<const std::string> labels,
                    const std::string& help, std::vector<std::string>& warnings) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < indices.size(); ++i)
    if (indices[i].spans_zero()) found.push_back(labels[i]);
  if (!found.empty())
    warnings.push_back(kind + " of " + join_words(found) + ": cannot be told from 0, the 95 % interval contains it; " +
                       help);
}

}  // namespace conesweep::sensitivity
