// A program of two instrumented libraries. It has no device code and no drain of its own.
extern "C" void launchOne();
extern "C" void launchTwo();

int main() {
  launchOne();
  launchTwo();
  launchOne();
  return 0;
}
