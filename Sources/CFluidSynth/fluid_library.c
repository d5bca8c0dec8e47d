#include "fluid_library.h"
#include <dlfcn.h>

static struct fluid_library library;

const char *fluid_library_load(const char *name) {
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return dlerror();
#define FLUID_LOOK_UP(result, name, parameters) \
  if (!(*(void **)&library.name = dlsym(handle, #name))) return dlerror();
  FLUID_FUNCTIONS(FLUID_LOOK_UP)
  return 0;
}

struct fluid_library fluid_library_functions(void) { return library; }

RT_TRUSTED_EXTERN(void fluid_render_process(fluid_synth_t *s, int frames, int count, float **out),
  library.fluid_synth_process(s, frames, 0, 0, count, out))
RT_TRUSTED_EXTERN(int fluid_render_voices(fluid_synth_t *s), return library.fluid_synth_get_active_voice_count(s))
RT_TRUSTED_EXTERN(void fluid_render_note_on(fluid_synth_t *s, int c, int key, int velocity),
  library.fluid_synth_noteon(s, c, key, velocity))
RT_TRUSTED_EXTERN(void fluid_render_note_off(fluid_synth_t *s, int c, int key), library.fluid_synth_noteoff(s, c, key))
RT_TRUSTED_EXTERN(void fluid_render_key_pressure(fluid_synth_t *s, int c, int key, int value),
  library.fluid_synth_key_pressure(s, c, key, value))
RT_TRUSTED_EXTERN(void fluid_render_channel_pressure(fluid_synth_t *s, int c, int value),
  library.fluid_synth_channel_pressure(s, c, value))
RT_TRUSTED_EXTERN(void fluid_render_control(fluid_synth_t *s, int c, int number, int value),
  library.fluid_synth_cc(s, c, number, value))
RT_TRUSTED_EXTERN(void fluid_render_bend(fluid_synth_t *s, int c, int value), library.fluid_synth_pitch_bend(s, c, value))
RT_TRUSTED_EXTERN(void fluid_render_bend_range(fluid_synth_t *s, int c, int semitones),
  library.fluid_synth_pitch_wheel_sens(s, c, semitones))
RT_TRUSTED_EXTERN(void fluid_render_select(fluid_synth_t *s, int c, int font, int bank, int program),
  library.fluid_synth_program_select(s, c, font, bank, program))
RT_TRUSTED_EXTERN(void fluid_render_sound_off(fluid_synth_t *s, int c), library.fluid_synth_all_sounds_off(s, c))
RT_TRUSTED_EXTERN(void fluid_render_generator(fluid_synth_t *s, int c, int generator, float value),
  library.fluid_synth_set_gen(s, c, generator, value))
RT_TRUSTED_EXTERN(void fluid_render_gain(fluid_synth_t *s, float gain), library.fluid_synth_set_gain(s, gain))
RT_TRUSTED_EXTERN(void fluid_render_settle(fluid_synth_t *s, fluid_sample_t *tone, int count, int buses, float **out),
  float gain = library.fluid_synth_get_gain(s);
  library.fluid_synth_set_gain(s, 0);
  for (int i = 0; i < count; i++) {
    fluid_voice_t *voice = library.fluid_synth_alloc_voice(s, tone, 0, 60, 127);
    if (!voice) break;
    library.fluid_voice_gen_set(voice, GEN_SAMPLEMODE, 1);
    library.fluid_voice_gen_set(voice, GEN_PAN, -500);
    library.fluid_voice_gen_set(voice, GEN_CUSTOM_BALANCE, 960);
    library.fluid_synth_start_voice(s, voice);
  }
  library.fluid_synth_process(s, 128, 0, 0, buses, out);
  library.fluid_synth_all_sounds_off(s, 0);
  library.fluid_synth_process(s, 64, 0, 0, buses, out);
  library.fluid_synth_set_gain(s, gain))
RT_TRUSTED_EXTERN(void fluid_render_tune(fluid_synth_t *s, fluid_voice_t **room, int size, int c, const float *cents),
  library.fluid_synth_get_voicelist(s, room, size, -1);
  for (int i = 0; i < size && room[i]; i++) {
    if (library.fluid_voice_get_channel(room[i]) != c) continue;
    float now = library.fluid_voice_gen_get(room[i], GEN_UNUSED2), wanted = cents[library.fluid_voice_get_key(room[i]) & 127];
    if (now == wanted) continue;
    library.fluid_voice_gen_set(room[i], GEN_UNUSED2, wanted);
    library.fluid_voice_gen_set(room[i], GEN_FINETUNE, library.fluid_voice_gen_get(room[i], GEN_FINETUNE) - now + wanted);
    library.fluid_voice_update_param(room[i], GEN_FINETUNE);
  }
  library.fluid_synth_get_active_voice_count(s))
RT_TRUSTED_EXTERN(void fluid_render_interpolation(fluid_synth_t *s, int method),
  library.fluid_synth_set_interp_method(s, -1, method))
// A voice is in its release: no key and no pedal holds it.
RT_TRUSTED_EXTERN(static _Bool is_released(fluid_voice_t *v),
  return library.fluid_voice_is_playing(v) && !library.fluid_voice_is_on(v) && !library.fluid_voice_is_sustained(v)
      && !library.fluid_voice_is_sostenuto(v))
RT_TRUSTED_EXTERN(void fluid_render_shed(fluid_synth_t *s, fluid_voice_t **room, int size),
  int count[128] = {0};
  int released = 0;
  library.fluid_synth_get_voicelist(s, room, size, -1);
  for (int i = 0; i < size && room[i]; i++) {
    if (!is_released(room[i]) || library.fluid_voice_gen_get(room[i], GEN_UNUSED1) > 0) continue;
    count[library.fluid_voice_get_actual_velocity(room[i]) & 127]++;
    released++;
  }
  int left = (released + 1) / 2;
  for (int velocity = 0; velocity < 128 && left > 0; velocity++) {
    for (int i = 0; i < size && room[i] && count[velocity] > 0 && left > 0; i++) {
      if (!is_released(room[i]) || library.fluid_voice_gen_get(room[i], GEN_UNUSED1) > 0) continue;
      if ((library.fluid_voice_get_actual_velocity(room[i]) & 127) != velocity) continue;
      library.fluid_voice_gen_set(room[i], GEN_UNUSED1, 1);
      count[velocity]--;
      left--;
    }
  })
RT_TRUSTED_EXTERN(void fluid_render_fade(fluid_synth_t *s, fluid_voice_t **room, int size),
  library.fluid_synth_get_voicelist(s, room, size, -1);
  for (int i = 0; i < size && room[i]; i++) {
    float block = library.fluid_voice_gen_get(room[i], GEN_UNUSED1);
    if (block < 1 || block > 17) continue;
    library.fluid_voice_gen_set(room[i], GEN_UNUSED1, block + 1);
    if (block < 17) {
      float attenuation = library.fluid_voice_gen_get(room[i], GEN_ATTENUATION);
      library.fluid_voice_gen_set(room[i], GEN_ATTENUATION, attenuation + 5.625f * (2 * block - 1));
      library.fluid_voice_update_param(room[i], GEN_ATTENUATION);
    } else {
      library.fluid_voice_gen_set(room[i], GEN_VOLENVRELEASE, -12000);
      library.fluid_voice_update_param(room[i], GEN_VOLENVRELEASE);
    }
  }
  library.fluid_synth_get_active_voice_count(s))
