// Cube map coordinates: the face a direction points at and the place on it.
#include "families.h"
#include "float_functions.h"
#include "float_operation.h"

namespace gpusim {

namespace {

enum class Axis : unsigned { X, Y, Z };

/// The axis of the largest component; ties prefer z, then y.
Axis majorAxis(float x, float y, float z) {
  if (std::abs(z) >= std::abs(x) && std::abs(z) >= std::abs(y)) {
    return Axis::Z;
  }
  return std::abs(y) >= std::abs(x) ? Axis::Y : Axis::X;
}

float face(float x, float y, float z) {
  switch (majorAxis(x, y, z)) {
  case Axis::Z:
    return z < 0 ? 5.0f : 4.0f;
  case Axis::Y:
    return y < 0 ? 3.0f : 2.0f;
  case Axis::X:
    break;
  }
  return x < 0 ? 1.0f : 0.0f;
}

float firstCoordinate(float x, float y, float z) {
  switch (majorAxis(x, y, z)) {
  case Axis::Z:
    return z < 0 ? -x : x;
  case Axis::Y:
    return x;
  case Axis::X:
    break;
  }
  return x < 0 ? z : -z;
}

float secondCoordinate(float x, float y, float z) {
  if (majorAxis(x, y, z) == Axis::Y) {
    return y < 0 ? -z : z;
  }
  return -y;
}

float twiceMajor(float x, float y, float z) {
  const Axis axis = majorAxis(x, y, z);
  return 2 * (axis == Axis::Z ? z : axis == Axis::Y ? y : x);
}

constexpr Opcode kOpcodes[] = {
    floatOpcode<face>("v_cubeid_f32"),
    floatOpcode<firstCoordinate>("v_cubesc_f32"),
    floatOpcode<secondCoordinate>("v_cubetc_f32"),
    floatOpcode<twiceMajor>("v_cubema_f32"),
};

} // namespace

Family vectorCubeMapFamily() {
  return kOpcodes;
}

} // namespace gpusim
