#include "command_line.h"

int main(int argc, char** argv) {
  return device_coverage::runCommandLine(argc, argv);
}
