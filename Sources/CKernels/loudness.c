#include "loudness_kernels.h"
#include "lanes.h"

typedef double d4u __attribute__((vector_size(32), aligned(8)));
typedef double d2 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));

// Both filters work at once: the first on a frame of both channels, the second on what the first gave two frames before.
typedef struct { d4 b0, b1, b2, a1, a2, k1, k2; } Filters;
typedef struct { d4 x1, x2, y1, y2; } Memory;

// Two frames: the second output is written with the outputs before the first, so that it does not wait for it.
INLINE void two(const Filters *f, Memory *m, const d4 *first, const d4 *second) {
  d4 u0 = f->b0 * *first + (f->b1 * m->x1 + f->b2 * m->x2);
  d4 u1 = f->b0 * *second + (f->b1 * *first + f->b2 * m->x1);
  d4 y0 = u0 - (f->a1 * m->y1 + f->a2 * m->y2);
  d4 y1 = (u1 - f->a1 * u0) + (f->k1 * m->y1 + f->k2 * m->y2);
  m->x2 = *first; m->x1 = *second; m->y2 = y0; m->y1 = y1;
}

// Lanes 0 and 1 of `low`, 2 and 3 of `high`.
#define HALVES(low, high) SHUFFLE(low, high, 0, 1, 6, 7)
// Lanes 0 and 1 of `x`, and 0 and 1 of what the first filter gave.
#define BEHIND(x, y) SHUFFLE(x, y, 0, 1, 4, 5)
#define MERGE(low, high) { \
    m.x1 = HALVES(low.x1, high.x1); m.x2 = HALVES(low.x2, high.x2); \
    m.y1 = HALVES(low.y1, high.y1); m.y2 = HALVES(low.y2, high.y2); \
  }

KERNEL void kernel_weigh(const float *a, const float *b, ptrdiff_t count, const double *coefficients, double *state,
                         double *energies) {
  if (count <= 0) return;
  const d4u *c = (const d4u *)coefficients;
  d4u *s = (d4u *)state;
  const Filters f = {c[0], c[1], c[2], c[3], c[4], c[3] * c[3] - c[4], c[3] * c[4]};
  Memory m = {s[0], s[1], s[2], s[3]}, before = m;
  d4 sum = {0, 0, energies[0], energies[1]};
  ptrdiff_t i = 0;
  for (; i + 2 <= count; i += 2) {
    const f4 pairs = {a[i], b[i], a[i + 1], b[i + 1]};
    const d4 x = __builtin_convertvector(pairs, d4);
    const d4 first = BEHIND(x, m.y2), second = SHUFFLE(x, m.y1, 2, 3, 4, 5);
    two(&f, &m, &first, &second);
    if (i == 0) {
      // Nothing of these frames has reached the second filter yet.
      MERGE(m, before)
    } else {
      sum += m.y2 * m.y2;
      sum += m.y1 * m.y1;
    }
  }
  if (i > 0) {
    // The last two frames reach it.
    before = m;
    const d4 first = BEHIND(m.y2, m.y2), second = BEHIND(m.y1, m.y1);
    two(&f, &m, &first, &second);
    sum += m.y2 * m.y2;
    sum += m.y1 * m.y1;
    MERGE(before, m)
  }
  if (i < count) {
    // The odd one passes both, one after the other.
    d4 x = {a[i], b[i], 0, 0};
    before = m;
    for (int stage = 0; stage < 2; stage++) {
      d4 y = (f.b0 * x + (f.b1 * m.x1 + f.b2 * m.x2)) - (f.a1 * m.y1 + f.a2 * m.y2);
      Memory next = {x, m.x1, y, m.y1};
      if (stage == 0) { MERGE(next, before) x = BEHIND(y, y); } else { MERGE(m, next) sum += y * y; }
    }
  }
  s[0] = m.x1; s[1] = m.x2; s[2] = m.y1; s[3] = m.y2;
  energies[0] = sum[2]; energies[1] = sum[3];
}
