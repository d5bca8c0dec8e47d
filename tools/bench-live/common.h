// What every part of `measure` needs: an end with a reason, and CLOCK_MONOTONIC.
#ifndef MEASURE_COMMON_H
#define MEASURE_COMMON_H
#include <stdint.h>

_Noreturn void die(const char *what, int code);

// Nanoseconds of CLOCK_MONOTONIC.
int64_t now(void);
void sleep_until(int64_t time);

#endif
