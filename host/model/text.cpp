#include "model/text.hpp"

#include <algorithm>

#include "support/error.hpp"

namespace conesweep::model {
namespace {

constexpr std::string_view choice_block = R"(  template <int K, class Real>
  static CS_INLINE @signature@ {
    using Scalar = ScalarOf<Real>;
@branches@  }

)";

constexpr std::string_view node_choice_block = R"(  template <int K, class Node>
  static CS_INLINE auto @signature@ {
    using Real = typename Node::Number;
    using Scalar = ScalarOf<Real>;
    (void)n;
@branches@  }

)";

constexpr std::string_view halves_block = R"(    if constexpr (K < @middle@) {
@first@    } else {
@second@    }
)";

constexpr std::string_view branch_block = R"(if constexpr (K == @k@) {
@body@    })";

// Branches first … last - 1: a chain of a few, else by halves. A compiler looks at every branch before the one it
// takes, for every number.
std::string branches(const std::vector<std::string>& bodies, std::size_t first, std::size_t last) {
  constexpr std::size_t short_chain = 16;
  if (last - first > short_chain) {
    const std::size_t middle = first + (last - first) / 2;
    return fill(halves_block, {{"middle", std::to_string(middle)},
                               {"first", branches(bodies, first, middle)},
                               {"second", branches(bodies, middle, last)}});
  }
  std::string text = "    ";
  for (std::size_t k = first; k < last; ++k)
    text += (k == first ? "" : " else ") + fill(branch_block, {{"k", std::to_string(k)}, {"body", bodies[k]}});
  return text + "\n";
}

}  // namespace

std::string fill(std::string_view block, const Filling& filling) {
  std::string text;
  for (std::size_t at = 0; at < block.size();) {
    const std::size_t begin = std::min(block.find('@', at), block.size());
    text += block.substr(at, begin - at);
    if (begin == block.size()) break;
    const std::size_t end = block.find('@', begin + 1);
    CS_ASSERT(end != std::string_view::npos);
    const std::string_view name = block.substr(begin + 1, end - begin - 1);
    const auto found = std::find_if(filling.begin(), filling.end(), [&](const auto& one) { return one.first == name; });
    CS_ASSERT(found != filling.end());
    text += found->second;
    at = end + 1;
  }
  return text;
}

std::string indexed(const std::string& name, std::size_t index) { return name + "[" + std::to_string(index) + "]"; }

std::string number_list(const std::vector<int>& values) {
  std::vector<std::string> texts;
  for (const int value : values) texts.push_back(std::to_string(value));
  return name_list(texts);
}

std::string name_list(const std::vector<std::string>& names) {
  std::string text = "{";
  for (std::size_t k = 0; k < names.size(); ++k) text += (k > 0 ? ", " : "") + names[k];
  return text + (names.empty() ? "0}" : "}");
}

std::string choose_by_number(std::string_view signature, const std::vector<std::string>& bodies) {
  return fill(choice_block, {{"signature", std::string(signature)}, {"branches", branches(bodies, 0, bodies.size())}});
}

std::string choose_by_number_at_node(std::string_view signature, const std::vector<std::string>& bodies) {
  return fill(node_choice_block,
              {{"signature", std::string(signature)}, {"branches", branches(bodies, 0, bodies.size())}});
}

}  // namespace conesweep::model
