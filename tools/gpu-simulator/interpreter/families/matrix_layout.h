// Where the elements of matrices lie in the lanes and registers of the MFMA instructions.
#pragma once

#include <cstdint>

#include "../lanes.h"

namespace gpusim {

/// D = A * B + C for `blocks` pairs of matrices of `size` x `depth` and `depth` x `size`.
struct MatrixShape {
  unsigned size = 0;
  unsigned depth = 0;
  unsigned blocks = 1;
  unsigned pack = 1; ///< consecutive elements along the depth that a lane of A or B holds
  unsigned run = 4;  ///< consecutive rows of D in the registers of a lane

  /// Lanes side by side that hold different rows of D, in steps of `run`.
  constexpr unsigned rowGroups() const {
    const unsigned groups = kLanes / size;
    return size / run < groups ? size / run : groups;
  }
  /// Blocks of D side by side in the lanes.
  constexpr unsigned laneBlocks() const { return kLanes / size / rowGroups(); }
  constexpr unsigned resultsPerBlock() const { return size / rowGroups(); }
  /// Elements of D in a lane.
  constexpr unsigned results() const { return resultsPerBlock() * blocks / laneBlocks(); }

  /// The lane with element 0 of row (or column) 0 of `block`, at `depth` in steps of `pack`.
  constexpr unsigned firstLane(unsigned block, unsigned step) const {
    return size * (block + blocks * step);
  }
};

/// An element of D.
struct MatrixPosition {
  unsigned row = 0;
  unsigned column = 0;
  unsigned block = 0;
};

constexpr MatrixPosition positionOf(const MatrixShape& shape, unsigned result, unsigned lane) {
  const unsigned group = lane / shape.size;
  const unsigned inBlock = result % shape.resultsPerBlock();
  MatrixPosition position;
  position.column = lane % shape.size;
  position.block =
      result / shape.resultsPerBlock() * shape.laneBlocks() + group % shape.laneBlocks();
  position.row = inBlock / shape.run * shape.run * shape.rowGroups() +
                 group / shape.laneBlocks() * shape.run + inBlock % shape.run;
  return position;
}

/// Control fields of the instruction that reroute the sources.
struct MatrixRouting {
  unsigned broadcastSize = 0;  ///< CBSZ: groups of 2^n blocks share one block of A
  unsigned broadcastBlock = 0; ///< ABID: which one of the group
  unsigned lanePattern = 0;    ///< BLGP

  bool fits(const MatrixShape& shape) const {
    const unsigned shared = 1u << broadcastSize;
    return shared <= shape.blocks && broadcastBlock < shared;
  }

  /// The block of A that `block` multiplies.
  unsigned blockOfA(unsigned block) const {
    return (block & ~((1u << broadcastSize) - 1)) | broadcastBlock;
  }

  /// The lane of B that stands in for `lane`.
  unsigned laneOfB(unsigned lane) const {
    switch (lanePattern) {
    case 0:
      return lane;
    case 1: // a half of the wave for both
    case 2:
      return lane % 32 + (lanePattern - 1) * 32;
    case 3: // every lane gets what is sixteen lanes above
      return (lane + 16) % kLanes;
    default: // a quarter of the wave for all
      return lane % 16 + (lanePattern - 4) * 16;
    }
  }
};

} // namespace gpusim
