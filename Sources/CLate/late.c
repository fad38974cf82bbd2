#include "late.h"

#include "late_exit.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void marey_late_end(const char *name, const char *reason, const char *package) {
    // Of a library that is there, another copy would do no better.
    int isMissing = package && strstr(reason, "cannot open shared object file: No such file");
    fprintf(stderr, "marey: %s cannot be loaded: %s%s%s\n", name, reason, isMissing ? "; install the package " : "",
            isMissing ? package : "");
    exit(MAREY_LIBRARY_EXIT);
}

static const char *problem(void) {
    const char *reason = dlerror();
    return reason ? reason : "no reason is given";
}

void *marey_late_library(const char *name, int isShared, const char *package) {
    void *library = dlopen(name, RTLD_LAZY | (isShared ? RTLD_GLOBAL : RTLD_LOCAL));
    if (!library) marey_late_end(name, problem(), package);
    return library;
}

void *marey_late_function(void *library, const char *name) {
    void *function = dlsym(library, name);
    if (!function) marey_late_end(name, problem(), NULL);
    return function;
}
