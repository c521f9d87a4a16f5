#include "hipselect/hipselect.h"

#include <utility>

namespace hipselect {

Limits ordered(Limits limits) {
  if (limits.low > limits.high)
    std::swap(limits.low, limits.high);
  return limits;
}

} // namespace hipselect
