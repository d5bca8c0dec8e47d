#include "MacTypes.h"

_Static_assert(sizeof(OSStatus) == 4 && sizeof(OSType) == 4 && sizeof(Float64) == 8, "Apple's sizes");
