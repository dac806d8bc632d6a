#include "selftest/published.hpp"

#include <algorithm>
#include <sstream>

#include "selftest/embedded.hpp"
#include "selftest/outcome_hash.hpp"
#include "support/hash.hpp"

namespace conesweep::selftest {

std::string format_hashes(const std::vector<SampleHash>& hashes) {
  std::size_t width = 0;
  for (const SampleHash& hash : hashes) width = std::max(width, hash.sample.size());
  std::ostringstream out;
  out << "# Hashes of the samples' results in double precision, the same on every machine, as conesweep selftest "
         "prints them.\n"
         "# results: everything that comes out, of members whose parameters were drawn and rounded to single "
         "precision.\n"
         "# parameters: as they are drawn. If only these differ, this machine's C library rounds a quantile in another "
         "way.\n"
         "# results, parameters, sample, members, steps\n";
  for (const SampleHash& hash : hashes)
    out << to_hex(hash.results) << "  " << to_hex(hash.parameters) << "  " << hash.sample
        << std::string(width - hash.sample.size(), ' ') << "  " << hash.members << "  " << hash.steps << "\n";
  return out.str();
}

std::vector<SampleHash> parse_hashes(const std::string& text) {
  std::vector<SampleHash> hashes;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    SampleHash hash;
    std::istringstream words(line);
    if (words >> std::hex >> hash.results >> hash.parameters >> std::dec >> hash.sample >> hash.members >> hash.steps)
      hashes.push_back(std::move(hash));
  }
  return hashes;
}

std::vector<SampleHash> published_hashes() { return parse_hashes(embedded_hashes()); }

}  // namespace conesweep::selftest
