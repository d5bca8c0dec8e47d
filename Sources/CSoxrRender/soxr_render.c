#include "soxr_render.h"
