#ifndef CARILLON_PROGRAM_START_H
#define CARILLON_PROGRAM_START_H

/// The number of arguments that `main` gets, the program's name included.
int program_argument_count(void);
/// The commit and the kind of build, as whoever built it said: "645e4a6, release"; empty where nobody did.
const char *_Nonnull program_build(void);
#endif
