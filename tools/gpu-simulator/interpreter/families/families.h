// The tables of the instruction families; each is defined in the file of its name.
#pragma once

#include "../instruction.h"

namespace gpusim {

Family controlFamily();
Family globalMemoryFamily();
Family scalarAluFamily();
Family scalarCompareFamily();
Family scalarMemoryFamily();
Family vectorIntegerFamily();
Family vectorMoveFamily();

} // namespace gpusim
