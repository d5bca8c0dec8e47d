#include <math.h>

// The program is to run where glibc is 2.34. Swift's overlay refers to hypotf, whose version changed with 2.35 and the newer
// linker takes; nothing in the program calls it. As in glibc since then: exact in double precision.
__attribute__((visibility("hidden"))) float hypotf(float x, float y) {
  return (float)sqrt((double)x * x + (double)y * y);
}
