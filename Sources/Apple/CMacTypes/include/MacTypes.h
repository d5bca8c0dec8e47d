// The names of numbers that Apple's C headers use, and the two codes that every call knows.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t UInt8;
typedef int8_t SInt8;
typedef uint16_t UInt16;
typedef int16_t SInt16;
typedef uint32_t UInt32;
typedef int32_t SInt32;
typedef uint64_t UInt64;
typedef int64_t SInt64;
typedef float Float32;
typedef double Float64;
typedef uint8_t Byte;
// In Swift it is `DarwinBoolean`; where a callback has one, it is an unsigned char.
#ifdef __swift__
typedef struct DarwinBoolean {
    unsigned char byte;
} DarwinBoolean;
#else
typedef unsigned char Boolean;
#endif

typedef int32_t OSStatus;
typedef int16_t OSErr;
typedef uint32_t OSType;
typedef uint32_t FourCharCode;
typedef unsigned long ByteCount;
typedef unsigned long ItemCount;

// Constants have the type of what they are compared with; an enumeration is open, for Apple adds cases.
#define CF_TYPED_CONSTANTS(type) enum __attribute__((enum_extensibility(open))) : type
// A type of constants stands after `typedef`, as in Apple's headers: `typedef CF_ENUM(UInt32, Name) { ... };`
#define CF_ENUM(type, name) \
    int CF_ENUM_##name; \
    enum __attribute__((enum_extensibility(open))) name : type; \
    typedef enum name name; \
    enum name : type
// In C++ flags are whole numbers, so that `|=` takes them.
#ifdef __cplusplus
#define CF_OPTIONS(type, name) \
    type name; \
    enum : type
#else
#define CF_OPTIONS(type, name) \
    int CF_OPTIONS_##name; \
    enum __attribute__((flag_enum, enum_extensibility(open))) name : type; \
    typedef enum name name; \
    enum name : type
#endif

#pragma clang assume_nonnull begin

CF_TYPED_CONSTANTS(OSStatus) {
    noErr = 0,
    unimpErr = -4,
    eofErr = -39,
    fnfErr = -43,
    paramErr = -50,
    memFullErr = -108,
};

#pragma clang assume_nonnull end
