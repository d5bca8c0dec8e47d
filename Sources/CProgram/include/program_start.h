#ifndef CARILLON_PROGRAM_START_H
#define CARILLON_PROGRAM_START_H

/// The number of arguments that `main` gets, the program's name included.
int program_argument_count(void);
/// The commit and the kind of build, as given when it was built: "645e4a6, release"; empty if none was given.
const char *_Nonnull program_build(void);
/// Lets the calling process get a signal when the thread that started it ends. Returns 0; -1 where `parent` is gone already.
int program_end_with_parent(int signal, int parent);
/// Makes memory, all zeros, that a process can share with one that it starts. Returns its descriptor, closed by `exec`; -1 where there
/// is none to be had. Units: bytes.
int program_shared_memory(long long bytes);
/// Bounds the memory that the calling process may take, beside files and libraries. Units: bytes.
void program_limit_memory(long long bytes);
/// Gives memory back to the system that the process has freed and the allocator keeps.
void program_give_back_memory(void);
#endif
