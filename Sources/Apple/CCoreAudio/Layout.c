// Offsets are part of Apple's interface.
#include <CoreAudio/AudioHardware.h>

_Static_assert(sizeof(AudioObjectPropertyAddress) == 12, "");
