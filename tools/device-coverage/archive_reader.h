// Static libraries in the System V / GNU `ar` format.
#pragma once

#include <functional>
#include <string>

#include "bytes.h"

namespace device_coverage {

bool isArchive(Bytes bytes);

/// Calls `visit` with the name and content of each member, symbol and name tables left out. Throws
/// FormatError for thin archives (their members are elsewhere) and for damaged ones.
void forEachArchiveMember(Bytes archive,
                          const std::function<void(const std::string& name, Bytes)>& visit);

} // namespace device_coverage
