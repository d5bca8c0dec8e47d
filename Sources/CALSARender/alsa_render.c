#include "alsa_render.h"
