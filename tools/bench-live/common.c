#define _GNU_SOURCE
#include "common.h"

#include <alsa/asoundlib.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

_Noreturn void die(const char *what, int code) {
    fprintf(stderr, "measure: %s: %s\n", what, snd_strerror(code));
    exit(70);
}

int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

void sleep_until(int64_t time) {
    struct timespec t = {time / 1000000000, time % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) {}
}
