// Libraries that are loaded when something of theirs is first called.
#ifndef MAREY_LATE_H
#define MAREY_LATE_H

#include <stdatomic.h>

#pragma GCC visibility push(hidden)

// Loads a library, or ends the program in words where there is none. What it looks up is found among what was loaded
// with `isShared` before.
void *marey_late_library(const char *name, int isShared, const char *package);

// Ends the program with MAREY_LIBRARY_EXIT and words on what cannot be loaded; `package`, or NULL, is what to install
// where it is missing.
_Noreturn void marey_late_end(const char *name, const char *reason, const char *package);

// The function of this name in a library; ends the program in words where it has none.
void *marey_late_function(void *library, const char *name);

#pragma GCC visibility pop

// Declares `function`: the one of this name in a library, looked up once.
#define MAREY_LATE_FUNCTION(function, library, name)                                                 \
    static _Atomic(void *) known;                                                                    \
    void *function = atomic_load_explicit(&known, memory_order_acquire);                             \
    if (!function) {                                                                                 \
        function = marey_late_function(library(), #name);                                            \
        atomic_store_explicit(&known, function, memory_order_release);                               \
    }

// Defines a function that is the one of this name in a library.
#define MAREY_LATE(library, type, name, parameters, ...)                                             \
    type name parameters {                                                                           \
        MAREY_LATE_FUNCTION(function, library, name)                                                 \
        return ((type(*) parameters)function)(__VA_ARGS__);                                          \
    }

#endif
