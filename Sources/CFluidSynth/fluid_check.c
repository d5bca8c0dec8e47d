// Compares fluid_types.h with the library's own header, where version 2 of that is installed.
#if __has_include(<fluidsynth.h>)
#include <fluidsynth.h>
#if FLUIDSYNTH_VERSION_MAJOR == 2
#include "fluid_types.h"

#define FLUID_CHECK(result, name, parameters) \
  _Static_assert(__builtin_types_compatible_p(__typeof__(name), name##_call), #name " has another type in fluidsynth.h");
FLUID_FUNCTIONS(FLUID_CHECK)
#define FLUID_CONSTANT_CHECK(name, value) \
  _Static_assert((int)name == (value), #name " has another value in fluidsynth.h");
FLUID_CONSTANTS(FLUID_CONSTANT_CHECK)
#endif
#endif
