int hostMaximum(int a, int b);

int main() {
  return hostMaximum(0, -1);
}
