// What the program ends with where a library cannot be loaded.
#ifndef MAREY_LATE_EXIT_H
#define MAREY_LATE_EXIT_H

/// EX_OSERR of sysexits.h: the machine, not the input, lacks something. Who runs the program as a worker tells it by
/// this from what a recording did.
#define MAREY_LIBRARY_EXIT 71

#endif
