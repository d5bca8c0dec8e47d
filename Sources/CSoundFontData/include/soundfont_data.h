// Carillon's own SoundFont, soundfonts/carillon.sf2, as it stands in the program.
#ifndef SOUNDFONT_DATA_H
#define SOUNDFONT_DATA_H

// malloc_trim, which the system's module for Swift lacks.
#include <malloc.h>
#include <stddef.h>

/// The first byte of the file. Read-only memory, there for as long as the program runs.
const void *carillon_soundfont_bytes(void);

/// Bytes of the file.
size_t carillon_soundfont_size(void);

#endif
