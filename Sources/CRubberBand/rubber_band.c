#include "rubber_band.h"
#include <dlfcn.h>

static struct {
  void *(*make)(unsigned, unsigned, int, double, double);
  void (*close)(void *);
  void (*set_longest)(void *, unsigned);
  unsigned (*pad)(const void *);
  void (*reset)(void *);
  void (*set_pitch)(void *, double);
  void (*set_formants)(void *, int);
  void (*process)(void *, const float *const *, unsigned, int);
  int (*available)(const void *);
  unsigned (*retrieve)(const void *, float *const *, unsigned);
} library;

const char *rubber_band_load(const char *name) {
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return dlerror();
  void (*set_level)(int);
  const struct { void *place; const char *name; } functions[] = {
    {&library.make, "rubberband_new"}, {&library.close, "rubberband_delete"},
    {&library.set_longest, "rubberband_set_max_process_size"}, {&library.pad, "rubberband_get_preferred_start_pad"},
    {&library.reset, "rubberband_reset"}, {&library.set_pitch, "rubberband_set_pitch_scale"},
    {&library.set_formants, "rubberband_set_formant_option"}, {&library.process, "rubberband_process"},
    {&library.available, "rubberband_available"}, {&library.retrieve, "rubberband_retrieve"},
    {&set_level, "rubberband_set_default_debug_level"},
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    void *function = dlsym(handle, functions[i].name);
    if (!function) return dlerror();
    *(void **)functions[i].place = function;
  }
  // It would write to standard error.
  set_level(-1);
  return 0;
}

void *rubber_band_make(uint32_t rate, uint32_t channels, int32_t options, double ratio, double pitch) {
  return library.make(rate, channels, options, ratio, pitch);
}
void rubber_band_close(void *stretcher) { library.close(stretcher); }
void rubber_band_set_longest(void *stretcher, uint32_t frames) { library.set_longest(stretcher, frames); }
uint32_t rubber_band_pad(void *stretcher) { return library.pad(stretcher); }

RT_TRUSTED_EXTERN(void rubber_band_reset(void *s), library.reset(s))
RT_TRUSTED_EXTERN(void rubber_band_set_pitch(void *s, double pitch), library.set_pitch(s, pitch))
RT_TRUSTED_EXTERN(void rubber_band_set_formants(void *s, bool stay), library.set_formants(s, stay ? RUBBER_BAND_FORMANTS : 0))
RT_TRUSTED_EXTERN(void rubber_band_process(void *s, const float *const *x, uint32_t frames, bool last),
  library.process(s, x, frames, last))
RT_TRUSTED_EXTERN(int32_t rubber_band_available(void *s), return library.available(s))
RT_TRUSTED_EXTERN(uint32_t rubber_band_retrieve(void *s, float *const *x, uint32_t frames),
  return library.retrieve(s, x, frames))
