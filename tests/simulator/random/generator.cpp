// Writes a HIP source with random programs (random_program.h): straight and divergent arithmetic on
// every type, loops, switches, calls, private arrays, global and local memory, atomics, and
// exchange between threads.
//
//   generator <first seed> <count>     to standard output; the same arguments give the same source
//
// The grammar is lists of patterns, of which one is chosen and its places are filled from left to
// right:
//
//   @e        an expression of the type that the pattern is for
//   @b @s @u @w @h @f @d @p @q @t   an expression of that member's type in State
//   @B @S ... @T                    the same, a variable, a constant or something in memory
//   @v        a variable of the type that the pattern is for; @V one of type uint32_t to assign to
//   @i @n     an expression of any integer type, of any floating-point type
//   @c        a condition; @# a count for a shift
//   @N @$ @&  the type's name, its signed counterpart's, that of any integer type
//   @z        the type's size in bytes; @0 a number below 32; @m a mask of so many bits; @o own or
//   local memory
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>
#include <span>
#include <string>
#include <string_view>

namespace {

struct Type {
  char member; ///< of State
  const char* name;
  int count;              ///< how many a thread has
  const char* signedName; ///< of integers
  int bits;
  bool isPair = false;
};

constexpr std::array<Type, 10> kTypes = {{
    {'b', "uint8_t", 3, "int8_t", 8},
    {'s', "uint16_t", 3, "int16_t", 16},
    {'u', "uint32_t", 6, "int32_t", 32},
    {'w', "uint64_t", 3, "int64_t", 64},
    {'h', "Half", 3, nullptr, 16},
    {'f', "float", 4, nullptr, 32},
    {'d', "double", 3, nullptr, 64},
    {'p', "Half2", 2, nullptr, 32, true},
    {'q', "Float2", 2, nullptr, 64, true},
    {'t', "Short2", 2, nullptr, 32, true},
}};
constexpr int kIntegers = 4; ///< of kTypes, the first
constexpr int kFloats = 3;   ///< after them

constexpr int kFunctions = 3;
constexpr int kPhases = 3;
constexpr int kExchanges = 8; ///< see Exchange
constexpr int kThreads = 128; ///< of a workgroup
constexpr int kDepth = 4;     ///< of the expressions that are assigned

using Patterns = std::span<const std::string_view>;

constexpr std::string_view kIntegerPatterns[] = {
    "@e + @e", "@e - @e", "@e * @e", "@e & @e", "@e | @e", "@e ^ @e", "@e + @e", "@e - @e",
    "@e * @e", "~@e", "shiftLeft(@e, @#)", "shiftRight(@e, @#)",
    "shiftRight(static_cast<@$>(@e), @#)", "rotate(@e, @#)", "divide(@e, @e)", "remainder(@e, @e)",
    "divideSigned<@$>(@e, @e)", "remainderSigned<@$>(@e, @e)", "lesser(@e, @e)", "greater(@e, @e)",
    "lesser(static_cast<@$>(@e), static_cast<@$>(@e))",
    "greater(static_cast<@$>(@e), static_cast<@$>(@e))", "@i", "@i", "static_cast<@&>(@i)",
    "static_cast<@&>(@i)", "__builtin_popcount(@u)", "__builtin_popcountll(@w)", "leadingZeros(@u)",
    "trailingZeros(@w)", "__builtin_bitreverse32(@u)", "__builtin_bswap32(@u)",
    "multiplyHigh(@u, @u)", "multiplyHighSigned(@u, @u)",
    "(@u & 0xffffffu) * (@u & 0xffffffu) + @U", "(@u >> @0) & @m", "(@u & ~@V) | (@U & @V)",
    "toUint32(@f)", "toUint32(@d)", "toInt32(@f)", "toInt32(@d)", "toUint64(@f)", "toInt64(@d)",
    "toInt32(static_cast<float>(@h))",
    // Not those of 64 bits: clang 22 takes the carry of a product before the sum for that of the
    // sum.
    "__builtin_elementwise_add_sat(@u, @u)", "__builtin_elementwise_sub_sat(@u, @u)",
    "__builtin_elementwise_add_sat(@s, @s)", "__builtin_elementwise_sub_sat(@s, @s)",
    "__builtin_elementwise_add_sat(@b, @b)", "(@c ? @e : @e)"};

// The operands of a minimum are never both zero: it may give either, and clang then changes signs
// of zeroes, even where the program has a comparison and a choice.
constexpr std::string_view kNumberPatterns[] = {
    "@e + @e",
    "@e - @e",
    "@e * @e",
    "@e + @e",
    "@e - @e",
    "@e * @e",
    "-(@e)",
    "withSign(@e, @e)",
    "fused(@e, @e, @e)",
    "__builtin_elementwise_min(@e, static_cast<@N>(3.25))",
    "__builtin_elementwise_max(@e, static_cast<@N>(-2.0))",
    "__builtin_elementwise_floor(@e)",
    "__builtin_elementwise_ceil(@e)",
    "__builtin_elementwise_trunc(@e)",
    "__builtin_elementwise_rint(@e)",
    "__builtin_elementwise_abs(@e)",
    "@n"};
constexpr std::string_view kOnlyHalfPatterns[] = {
    "numberOf<Half>(@s)", "static_cast<int16_t>(@s & 0x7ff)", "(@c ? @e : @e)", "@p.y"};
constexpr std::string_view kOnlyFloatPatterns[] = {
    "numberOf<float>(@u)", "@i",      "static_cast<@&>(@i)",
    "(@c ? @e : @e)",      "@e / @e", "squareRoot(__builtin_elementwise_abs(@e))",
    "scaled(@e, @U)",      "@q.x"};

template <std::size_t First, std::size_t Second>
constexpr auto joined(const std::string_view (&first)[First],
                      const std::string_view (&second)[Second]) {
  std::array<std::string_view, First + Second> all;
  std::copy_n(second, Second, std::copy_n(first, First, all.begin()));
  return all;
}
constexpr auto kHalfPatterns = joined(kNumberPatterns, kOnlyHalfPatterns);
constexpr auto kFloatPatterns = joined(kNumberPatterns, kOnlyFloatPatterns);

constexpr std::string_view kNumberPairPatterns[] = {"@e + @e",
                                                    "@e - @e",
                                                    "@e * @e",
                                                    "__builtin_elementwise_fma(@e, @e, @e)",
                                                    "-(@e)",
                                                    "(@e).yx",
                                                    "__builtin_elementwise_abs(@e)"};

constexpr std::string_view kShortPairPatterns[] = {"@e + @e",
                                                   "@e - @e",
                                                   "@e * @e",
                                                   "@e & @e",
                                                   "@e | @e",
                                                   "@e ^ @e",
                                                   "__builtin_elementwise_max(@e, @e)",
                                                   "__builtin_elementwise_min(@e, @e)",
                                                   "@e << (@e & int16_t{15})",
                                                   "@e >> (@e & int16_t{15})",
                                                   "(@e).yx",
                                                   "Short2{static_cast<int16_t>(@s), (@e).x}"};

constexpr std::string_view kConditions[] = {
    "@u < @u",  "static_cast<int32_t>(@u) <= static_cast<int32_t>(@u)",
    "@w > @w",  "static_cast<int64_t>(@w) >= static_cast<int64_t>(@w)",
    "@s == @s", "@b != @b",
    "@f < @f",  "@d >= @d",
    "@h != @h"};

constexpr std::string_view kCompoundConditions[] = {"(@c) && (@c)", "(@c) || (@c)"};

constexpr std::string_view kConstants[] = {"0.0",
                                           "-0.0",
                                           "0.5",
                                           "1.0",
                                           "-1.0",
                                           "2.0",
                                           "0.15915494309189532",
                                           "3.25",
                                           "-65504.0",
                                           "6.0e-8",
                                           "__builtin_inf()",
                                           "__builtin_nan(\"\")"};

// For integers only: any bits may be no number, and the bits of that are not defined.
constexpr std::string_view kInMemory[] = {
    "load<@N>(reinterpret_cast<const char*>(m.in) + @V % (4 * kInputs - 7))",
    "load<@N>(bytes + @V % 57)",
    "load<@N>(reinterpret_cast<const char*>(m.@o) + @V % 57 / @z * @z)",
    "static_cast<@N>(words[@V & 15])"};

constexpr std::string_view kMemoryStatements[] = {
    "words[@U & 15] = @u;",
    "store(bytes + @U % 57, @e);",
    "store(reinterpret_cast<char*>(m.@o) + @U % 57 / @z * @z, @e);",
    "store(bytes + @U % 57, @e);",
    "@V = addWithCarry(@u, @u, s.u[5]);",
    "@V = subtractWithBorrow(@u, @u, s.u[4]);",
    "s.w[0] += atomic_add<uint64_t>(reinterpret_cast<char*>(m.@o) + @U % 8 * 8, @w);",
    "s.w[1] ^= atomic_max<uint64_t>(reinterpret_cast<char*>(m.@o) + @U % 8 * 8, @w);",
    "@V ^= static_cast<uint32_t>(atomic_min<int32_t>(reinterpret_cast<char*>(m.@o) + @U % 8 * 8, "
    "toInt32(@d)));",
    "@V += atomic_xor<uint32_t>(reinterpret_cast<char*>(m.@o) + @U % 8 * 8, @u);",
    "@V += atomic_and<uint32_t>(reinterpret_cast<char*>(m.@o) + @U % 8 * 8, @u);",
    "s.w[2] -= atomic_or<uint64_t>(reinterpret_cast<char*>(m.@o) + @U % 8 * 8, @w);"};

class Generator {
public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  std::string program(const std::string& name) {
    std::string text = "namespace " + name + "_functions {\n";
    for (int i = 0; i < kFunctions; ++i)
      text += function(i);
    text += "}\n\nstruct " + name +
            " {\n  static constexpr int kPhases = " + std::to_string(kPhases) + ";\n";
    text += exchanges();
    text +=
        "  template <int Index>\n  BOTH_SIDES static void phase(State& s, const Memory& m);\n};\n";
    for (int i = 0; i < kPhases; ++i)
      text += phase(name, i);
    return text;
  }

private:
  int below(int limit) { return static_cast<int>(random_() % static_cast<uint64_t>(limit)); }
  bool oneIn(int n) { return below(n) == 0; }
  std::string_view any(Patterns patterns) {
    return patterns[static_cast<std::size_t>(below(static_cast<int>(patterns.size())))];
  }
  const Type& anyType(int first, int count) {
    return kTypes[static_cast<std::size_t>(first + below(count))];
  }

  static const Type& typeOf(char member) {
    for (const Type& type : kTypes)
      if (type.member == member)
        return type;
    std::cerr << "generator: no type of `" << member << "`\n";
    std::exit(1);
  }

  std::string fill(std::string_view pattern, const Type& type, int depth) {
    std::string text;
    for (std::size_t i = 0; i < pattern.size(); ++i)
      text += pattern[i] == '@' ? place(pattern[++i], type, depth) : std::string(1, pattern[i]);
    return text;
  }

  std::string place(char what, const Type& type, int depth) {
    switch (what) {
    case 'e':
      return expression(type, depth);
    case 'v':
      return variable(type);
    case 'V':
      return variable(typeOf('u'));
    case 'i':
      return expression(anyType(0, kIntegers), depth);
    case 'n':
      return expression(anyType(kIntegers, kFloats), depth);
    case 'c':
      return condition(depth);
    case '#':
      return "static_cast<uint32_t>(" + leaf(typeOf(oneIn(2) ? 'u' : 'b')) + ")";
    case 'N':
      return type.name;
    case '$':
      return type.signedName;
    case '&':
      return anyType(0, kIntegers).signedName;
    case 'z':
      return std::to_string(type.bits / 8);
    case '0':
      return std::to_string(below(32));
    case 'm':
      return std::to_string((uint64_t{1} << below(32)) - 1) + "u";
    case 'o':
      return oneIn(2) ? "own" : "local";
    default:
      return std::islower(what) != 0 ? expression(typeOf(what), depth)
                                     : leaf(typeOf(static_cast<char>(std::tolower(what))));
    }
  }

  std::string variable(const Type& type) {
    return std::string("s.") + type.member + "[" + std::to_string(below(type.count)) + "]";
  }

  std::string constant(const Type& type) {
    uint64_t value = 0;
    switch (below(4)) {
    case 0:
      value = static_cast<uint64_t>(below(130)) - 20; // what instructions hold inline, and beyond
      break;
    case 1:
      value = uint64_t{1} << below(type.bits);
      break;
    case 2:
      value = (uint64_t{1} << below(type.bits)) - 1;
      break;
    default:
      value = random_();
    }
    return std::to_string(type.bits == 64 ? value : value & ((uint64_t{1} << type.bits) - 1)) +
           "ull";
  }

  std::string leaf(const Type& type) {
    const std::string name = type.name;
    const bool isInteger = type.signedName != nullptr;
    const bool isFloat = !isInteger && !type.isPair;
    if (isInteger && oneIn(3))
      return "static_cast<" + name + ">(" + constant(type) + ")";
    if (isFloat && oneIn(5))
      return "static_cast<" + name + ">(" + std::string(any(kConstants)) + ")";
    if (isInteger && oneIn(5))
      return fill(any(kInMemory), type, 0);
    return variable(type);
  }

  static Patterns patternsOf(const Type& type) {
    switch (type.member) {
    case 'h':
      return kHalfPatterns;
    case 'f':
    case 'd':
      return kFloatPatterns;
    case 'p':
    case 'q':
      return kNumberPairPatterns;
    case 't':
      return kShortPairPatterns;
    default:
      return kIntegerPatterns;
    }
  }

  // Of exactly that type: C++ computes with int, and the patterns with what they name.
  std::string expression(const Type& type, int depth) {
    if (depth <= 0)
      return leaf(type);
    const std::string text = fill(any(patternsOf(type)), type, depth - 1);
    return !type.isPair ? std::string("static_cast<") + type.name + ">(" + text + ")"
                        : "(" + text + ")";
  }

  std::string condition(int depth) {
    return fill(depth > 0 && oneIn(5) ? any(kCompoundConditions) : any(kConditions), typeOf('u'),
                depth - 1);
  }

  std::string simpleStatement(int callable) {
    if (oneIn(4)) {
      const Type& type = anyType(0, kIntegers);
      return fill(any(kMemoryStatements), type, 2);
    }
    if (callable > 0 && oneIn(8))
      return fill("s.w[2] = functions::call" + std::to_string(below(callable)) +
                      "(m, @u, @d, @w, @h);",
                  typeOf('u'), 1);
    return fill("@v = @e;", anyType(0, static_cast<int>(kTypes.size())), kDepth);
  }

  std::string block(int depth, int callable, const std::string& indent) {
    std::string text;
    for (int i = 2 + below(3); i > 0; --i)
      text += statement(depth, callable, indent);
    return text;
  }

  std::string statement(int depth, int callable, const std::string& indent) {
    if (depth > 0 && oneIn(5))
      return choice(depth, callable, indent);
    if (depth > 0 && oneIn(6))
      return loop(depth, callable, indent);
    if (depth > 0 && oneIn(8))
      return selection(depth, callable, indent);
    return indent + simpleStatement(callable) + "\n";
  }

  std::string choice(int depth, int callable, const std::string& indent) {
    std::string text = indent + "if (" + condition(2) + ") {\n";
    text += block(depth - 1, callable, indent + "  ");
    text += indent + "} else {\n";
    text += block(depth - 1, callable, indent + "  ");
    return text + indent + "}\n";
  }

  std::string selection(int depth, int callable, const std::string& indent) {
    std::string text = indent + "switch (" + expression(typeOf('u'), 2) + " % 5) {\n";
    for (int i = 0; i < 4; ++i) {
      text += indent + "case " + std::to_string(i) + ":\n";
      text += block(depth - 1, callable, indent + "  ");
      text += indent + (oneIn(4) ? "  [[fallthrough]];\n" : "  break;\n");
    }
    text += indent + "default:\n" + indent + "  " + simpleStatement(callable) + "\n";
    return text + indent + "}\n";
  }

  std::string loop(int depth, int callable, const std::string& indent) {
    const std::string counter = "i" + std::to_string(depth);
    std::string text = indent + "for (uint32_t " + counter +
                       " = 0, end = " + expression(typeOf('u'), 2) + " & 7; " + counter +
                       " < end; ++" + counter + ") {\n";
    text += block(depth - 1, callable, indent + "  ");
    if (oneIn(2)) {
      text += indent + "  if (" + condition(1) + ")\n";
      text += indent + (oneIn(2) ? "    break;\n" : "    continue;\n");
    }
    text += indent + "  " + variable(typeOf('u')) + " += " + counter + ";\n";
    return text + indent + "}\n";
  }

  // A function has a state of its own, so that the same statements will do.
  std::string function(int index) {
    return "__attribute__((noinline)) BOTH_SIDES uint64_t call" + std::to_string(index) +
           "(const Memory& outer, uint32_t a, double b, uint64_t c, Half e) {\n"
           "  State s{};\n  alignas(8) uint32_t words[16] = {};\n  char bytes[64] = {};\n"
           "  s.u[0] = a;\n  s.d[0] = b;\n  s.w[0] = c;\n  s.h[0] = e;\n"
           "  const Memory m{outer.in, words, words};\n" +
           block(1, 0, "  ") +
           "  return s.w[0] + s.u[0] + static_cast<uint64_t>(toInt64(s.d[0])) + words[1] + "
           "static_cast<uint64_t>(bytes[3]);\n}\n";
  }

  std::string phase(const std::string& name, int index) {
    std::string text = "\ntemplate <>\nBOTH_SIDES void " + name + "::phase<" +
                       std::to_string(index) +
                       ">(State& s, const Memory& m) {\n  namespace functions = " + name +
                       "_functions;\n  uint32_t words[16] = {};\n  char bytes[64] = {};\n";
    text += block(2, kFunctions, "  ");
    text += block(2, kFunctions, "  ");
    return text +
           "  s.u[5] ^= words[s.u[0] & 15] + static_cast<uint32_t>(bytes[s.u[1] & 63]);\n}\n";
  }

  std::string exchanges() {
    std::string kinds;
    std::string amounts;
    for (int i = 1; i < kPhases; ++i) {
      kinds += "static_cast<Exchange>(" + std::to_string(below(kExchanges)) + "), ";
      amounts += std::to_string(1 + below(kThreads - 1)) + ", ";
    }
    return "  static constexpr Exchange kExchanges[] = {" + kinds +
           "};\n  static constexpr int kAmounts[] = {" + amounts + "};\n";
  }

  std::mt19937_64 random_;
};

} // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: generator <first seed> <count>\n";
    return 2;
  }
  const auto first = std::strtoull(argv[1], nullptr, 10);
  const auto count = std::strtoull(argv[2], nullptr, 10);
  std::string checks;
  std::cout << "#include \"random_program.h\"\n\nnamespace random_program {\n\n";
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const std::string name = "program" + std::to_string(seed);
    std::cout << Generator(seed).program(name) << '\n';
    checks += "  right &= random_program::check<random_program::" + name + ">(\"" + name + "\");\n";
  }
  std::cout << "} // namespace random_program\n\nint main() {\n  bool right = true;\n"
            << checks << "  return right ? 0 : 1;\n}\n";
}
