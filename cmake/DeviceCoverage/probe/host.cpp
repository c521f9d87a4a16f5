// What the probe links to see whether the compiler has its host profile runtime.
int main(int argc, char**) {
  return argc > 1 ? 1 : 0;
}
