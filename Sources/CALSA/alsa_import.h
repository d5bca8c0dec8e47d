#include <alsa/asoundlib.h>

// libasound writes internal errors to standard error, several lines at a time; its callers report them in one line.
static inline void calsa_say_nothing(const char *file, int line, const char *function, int error, const char *format, ...) {}
static inline int calsa_silence(void) { return snd_lib_error_set_handler(calsa_say_nothing); }
