// What Debian sid's Swift library calls and the C library of Debian 12 has under another name, or not yet (tools/arm64).
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }
long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }
unsigned long __isoc23_strtoul(const char *text, char **end, int base) { return strtoul(text, end, base); }

int __isoc23_sscanf(const char *text, const char *format, ...) {
    va_list values;
    va_start(values, format);
    int count = vsscanf(text, format, values);
    va_end(values);
    return count;
}

size_t strlcpy(char *to, const char *from, size_t size) {
    size_t length = strlen(from);
    if (size > 0) {
        size_t copied = length < size ? length : size - 1;
        memcpy(to, from, copied);
        to[copied] = 0;
    }
    return length;
}

size_t strlcat(char *to, const char *from, size_t size) {
    size_t length = strnlen(to, size);
    return length + strlcpy(to + length, from, size - length);
}

// That of GCC 12's C++ library; a wheel may ask for no later one than GCC 11's.
void assertion(const char *file, int line, const char *function, const char *condition) __asm__("_ZSt21__glibcxx_assert_failPKciS0_S0_");

void assertion(const char *file, int line, const char *function, const char *condition) {
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, function, condition);
    abort();
}
