#include "speex_dsp.h"
#include <dlfcn.h>

enum { SET_RATE = 24, SET_ECHO_STATE = 24, GET_GAIN = 35, SET_LEVEL = 6 };

static struct {
  void *(*make_canceller)(int, int, int, int);
  void (*close_canceller)(void *);
  void (*cancel)(void *, const int16_t *, const int16_t *, int16_t *);
  void (*reset_canceller)(void *);
  int (*control_canceller)(void *, int, void *);
  void *(*make_cleaner)(int, int);
  void (*close_cleaner)(void *);
  int (*clean)(void *, int16_t *);
  int (*control_cleaner)(void *, int, void *);
} library;

const char *speex_dsp_load(const char *name) {
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return dlerror();
  const struct { void *place; const char *name; } functions[] = {
    {&library.make_canceller, "speex_echo_state_init_mc"}, {&library.close_canceller, "speex_echo_state_destroy"},
    {&library.cancel, "speex_echo_cancellation"}, {&library.reset_canceller, "speex_echo_state_reset"},
    {&library.control_canceller, "speex_echo_ctl"}, {&library.make_cleaner, "speex_preprocess_state_init"},
    {&library.close_cleaner, "speex_preprocess_state_destroy"}, {&library.clean, "speex_preprocess_run"},
    {&library.control_cleaner, "speex_preprocess_ctl"},
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    void *function = dlsym(handle, functions[i].name);
    if (!function) return dlerror();
    *(void **)functions[i].place = function;
  }
  return 0;
}

void *speex_dsp_make_canceller(int32_t frames, int32_t tail, int32_t speakers, int32_t rate) {
  void *canceller = library.make_canceller(frames, tail, 1, speakers);
  if (canceller) library.control_canceller(canceller, SET_RATE, &rate);
  return canceller;
}
void speex_dsp_close_canceller(void *canceller) { library.close_canceller(canceller); }
void *speex_dsp_make_cleaner(int32_t frames, int32_t rate) { return library.make_cleaner(frames, rate); }
void speex_dsp_close_cleaner(void *cleaner) { library.close_cleaner(cleaner); }

RT_TRUSTED_EXTERN(void speex_dsp_cancel(void *c, const int16_t *microphone, const int16_t *playback, int16_t *out),
  library.cancel(c, microphone, playback, out))
RT_TRUSTED_EXTERN(void speex_dsp_reset_canceller(void *c), library.reset_canceller(c))
RT_TRUSTED_EXTERN(void speex_dsp_clean(void *c, int16_t *samples), library.clean(c, samples))
RT_TRUSTED(void call_control(void *c, int what, void *value), library.control_cleaner(c, what, value))

RT_SAFE void speex_dsp_set(void *cleaner, int32_t what, int32_t value) { call_control(cleaner, what, &value); }
RT_SAFE void speex_dsp_set_target(void *cleaner, float level) {
  float value = level * 32768;
  call_control(cleaner, SET_LEVEL, &value);
}
RT_SAFE void speex_dsp_attach(void *cleaner, void *canceller) { call_control(cleaner, SET_ECHO_STATE, canceller); }
RT_SAFE int32_t speex_dsp_gain(void *cleaner) {
  int32_t decibels = 0;
  call_control(cleaner, GET_GAIN, &decibels);
  return decibels;
}
