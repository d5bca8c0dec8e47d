#ifndef FLUID_TYPES_H
#define FLUID_TYPES_H

// What is called of libfluidsynth 2, declared here, so that a build needs no header of it. fluid_check.c compares it with that
// header where it is installed.

typedef struct _fluid_hashtable_t fluid_settings_t;
typedef struct _fluid_synth_t fluid_synth_t;
typedef struct _fluid_voice_t fluid_voice_t;
typedef struct _fluid_sfloader_t fluid_sfloader_t;
typedef struct _fluid_sfont_t fluid_sfont_t;
typedef struct _fluid_preset_t fluid_preset_t;
typedef struct _fluid_sample_t fluid_sample_t;
typedef void (*fluid_log_function_t)(int, const char *, void *);
typedef void *(*fluid_sfloader_callback_open_t)(const char *);
typedef int (*fluid_sfloader_callback_read_t)(void *, long long, void *);
typedef int (*fluid_sfloader_callback_seek_t)(void *, long long, int);
typedef long long (*fluid_sfloader_callback_tell_t)(void *);
typedef int (*fluid_sfloader_callback_close_t)(void *);

#define FLUID_CONSTANTS(C) \
  C(FLUID_OK, 0) C(FLUID_FAILED, -1) C(FLUID_PANIC, 0) C(FLUID_ERR, 1) \
  C(FLUID_DBG, 4) C(FLUID_CHANNEL_MODE_OMNIOFF_POLY, 2) C(GEN_UNUSED1, 14) C(GEN_PAN, 17) \
  C(GEN_UNUSED2, 18) C(GEN_VOLENVRELEASE, 38) C(GEN_ATTENUATION, 48) C(GEN_FINETUNE, 52) \
  C(GEN_SAMPLEMODE, 54) C(GEN_CUSTOM_BALANCE, 60)

/// The functions that the control side, this module and tests call: result, name, parameters.
#define FLUID_FUNCTIONS(F) \
  F(void, delete_fluid_sample, (fluid_sample_t *)) \
  F(void, delete_fluid_settings, (fluid_settings_t *)) \
  F(void, delete_fluid_synth, (fluid_synth_t *)) \
  F(int, fluid_is_soundfont, (const char *)) \
  F(int, fluid_preset_get_banknum, (fluid_preset_t *)) \
  F(const char *, fluid_preset_get_name, (fluid_preset_t *)) \
  F(int, fluid_preset_get_num, (fluid_preset_t *)) \
  F(int, fluid_sample_set_loop, (fluid_sample_t *, unsigned int, unsigned int)) \
  F(int, fluid_sample_set_sound_data, (fluid_sample_t *, short *, char *, unsigned int, unsigned int, short)) \
  F(fluid_log_function_t, fluid_set_log_function, (int, fluid_log_function_t, void *)) \
  F(int, fluid_settings_setint, (fluid_settings_t *, const char *, int)) \
  F(int, fluid_settings_setnum, (fluid_settings_t *, const char *, double)) \
  F(int, fluid_settings_setstr, (fluid_settings_t *, const char *, const char *)) \
  F(int, fluid_sfloader_set_callbacks, \
    (fluid_sfloader_t *, fluid_sfloader_callback_open_t, fluid_sfloader_callback_read_t, fluid_sfloader_callback_seek_t, \
      fluid_sfloader_callback_tell_t, fluid_sfloader_callback_close_t)) \
  F(fluid_preset_t *, fluid_sfont_iteration_next, (fluid_sfont_t *)) \
  F(void, fluid_sfont_iteration_start, (fluid_sfont_t *)) \
  F(void, fluid_synth_add_sfloader, (fluid_synth_t *, fluid_sfloader_t *)) \
  F(int, fluid_synth_all_sounds_off, (fluid_synth_t *, int)) \
  F(fluid_voice_t *, fluid_synth_alloc_voice, (fluid_synth_t *, fluid_sample_t *, int, int, int)) \
  F(int, fluid_synth_cc, (fluid_synth_t *, int, int, int)) \
  F(int, fluid_synth_channel_pressure, (fluid_synth_t *, int, int)) \
  F(int, fluid_synth_get_active_voice_count, (fluid_synth_t *)) \
  F(int, fluid_synth_get_cc, (fluid_synth_t *, int, int, int *)) \
  F(float, fluid_synth_get_gain, (fluid_synth_t *)) \
  F(fluid_sfont_t *, fluid_synth_get_sfont_by_id, (fluid_synth_t *, int)) \
  F(void, fluid_synth_get_voicelist, (fluid_synth_t *, fluid_voice_t **, int, int)) \
  F(int, fluid_synth_key_pressure, (fluid_synth_t *, int, int, int)) \
  F(int, fluid_synth_noteoff, (fluid_synth_t *, int, int)) \
  F(int, fluid_synth_noteon, (fluid_synth_t *, int, int, int)) \
  F(int, fluid_synth_pitch_bend, (fluid_synth_t *, int, int)) \
  F(int, fluid_synth_pitch_wheel_sens, (fluid_synth_t *, int, int)) \
  F(int, fluid_synth_process, (fluid_synth_t *, int, int, float **, int, float **)) \
  F(int, fluid_synth_program_change, (fluid_synth_t *, int, int)) \
  F(int, fluid_synth_program_select, (fluid_synth_t *, int, int, int, int)) \
  F(int, fluid_synth_reset_basic_channel, (fluid_synth_t *, int)) \
  F(int, fluid_synth_set_basic_channel, (fluid_synth_t *, int, int, int)) \
  F(void, fluid_synth_set_gain, (fluid_synth_t *, float)) \
  F(int, fluid_synth_set_gen, (fluid_synth_t *, int, int, float)) \
  F(int, fluid_synth_set_interp_method, (fluid_synth_t *, int, int)) \
  F(int, fluid_synth_sfload, (fluid_synth_t *, const char *, int)) \
  F(void, fluid_synth_start_voice, (fluid_synth_t *, fluid_voice_t *)) \
  F(int, fluid_synth_write_float, (fluid_synth_t *, int, void *, int, int, void *, int, int)) \
  F(float, fluid_voice_gen_get, (fluid_voice_t *, int)) \
  F(void, fluid_voice_gen_set, (fluid_voice_t *, int, float)) \
  F(int, fluid_voice_get_actual_velocity, (const fluid_voice_t *)) \
  F(int, fluid_voice_get_channel, (const fluid_voice_t *)) \
  F(int, fluid_voice_get_key, (const fluid_voice_t *)) \
  F(int, fluid_voice_is_on, (const fluid_voice_t *)) \
  F(int, fluid_voice_is_playing, (const fluid_voice_t *)) \
  F(int, fluid_voice_is_sostenuto, (const fluid_voice_t *)) \
  F(int, fluid_voice_is_sustained, (const fluid_voice_t *)) \
  F(void, fluid_voice_update_param, (fluid_voice_t *, int)) \
  F(fluid_sfloader_t *, new_fluid_defsfloader, (fluid_settings_t *)) \
  F(fluid_sample_t *, new_fluid_sample, (void)) \
  F(fluid_settings_t *, new_fluid_settings, (void)) \
  F(fluid_synth_t *, new_fluid_synth, (fluid_settings_t *))

#define FLUID_CALL(result, name, parameters) typedef result name##_call parameters;
FLUID_FUNCTIONS(FLUID_CALL)
#undef FLUID_CALL
#endif
