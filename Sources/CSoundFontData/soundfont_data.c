#include "soundfont_data.h"

// #embed is of C23; older modes have it as an extension. The compiler notes the file as what this object is made from, so
// another SoundFont makes another object. The path counts from this file: it holds in whatever folder the package lies.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char bytes[] = {
#embed "../../soundfonts/carillon.sf2"
};

const void *carillon_soundfont_bytes(void) { return bytes; }

size_t carillon_soundfont_size(void) { return sizeof bytes; }
