// The tables of the instruction families; each is defined in the file of its name.
#pragma once

#include "../instruction.h"

namespace gpusim {

Family bitOperationFamily();
Family bufferAtomicFamily();
Family bufferMemoryFamily();
Family controlFamily();
Family dataShareAtomicFamily();
Family dataShareFamily();
Family dotProductFamily();
Family fnuzConversionFamily();
Family fnuzMatrixFamily();
Family globalAtomicFamily();
Family globalMemoryFamily();
Family globalWaveSyncFamily();
Family hardwareRegisterFamily();
Family laneExchangeFamily();
Family laneExchangeOf32Family();
Family matrixFamily();
Family mixedPrecisionFamily();
Family ocpConversionFamily();
Family ocpMatrixFamily();
Family packedFloatFamily();
Family packedIntegerFamily();
Family quadDifferencesFamily();
Family relativeMoveFamily();
Family scalarAluFamily();
Family scalarAtomicFamily();
Family scalarCompareFamily();
Family scalarMemoryFamily();
Family scalarRelativeFamily();
Family scaledConversionFamily();
Family vectorCarryFamily();
Family vectorCompareFloatExecFamily();
Family vectorCompareFloatFamily();
Family vectorCompareIntegerExecFamily();
Family vectorCompareIntegerFamily();
Family vectorConversionFamily();
Family vectorCubeMapFamily();
Family vectorDivisionFamily();
Family vectorExponentFamily();
Family vectorFloatFamily();
Family vectorInteger16Family();
Family vectorIntegerFamily();
Family vectorMoveFamily();
Family vectorTranscendentalFamily();

} // namespace gpusim
