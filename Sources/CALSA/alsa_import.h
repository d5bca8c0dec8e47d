#include <alsa/asoundlib.h>

// libasound writes what goes wrong inside to standard error, several lines at a time; whoever calls it says it in one.
static inline void calsa_say_nothing(const char *file, int line, const char *function, int error, const char *format, ...) {}
static inline int calsa_silence(void) { return snd_lib_error_set_handler(calsa_say_nothing); }
