#include "late.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void end(const char *name, const char *package) {
    const char *reason = dlerror();
    fprintf(stderr, "marey: %s cannot be loaded: %s%s%s\n", name, reason ? reason : "no reason is given",
            package ? "; install the package " : "", package ? package : "");
    exit(3);
}

void *marey_late_library(const char *name, int isShared, const char *package) {
    void *library = dlopen(name, RTLD_LAZY | (isShared ? RTLD_GLOBAL : RTLD_LOCAL));
    if (!library) end(name, package);
    return library;
}

void *marey_late_function(void *library, const char *name) {
    void *function = dlsym(library, name);
    if (!function) end(name, NULL);
    return function;
}
