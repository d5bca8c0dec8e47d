#include "fluid_render.h"
