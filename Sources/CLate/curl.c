// What Foundation's networking asks of libcurl, which brings some thirty libraries along: only what calls a service
// needs it. Functions that take whatever their option means get a number or an address, which are passed on alike.
#include "late.h"

#include <pthread.h>
#include <stdarg.h>

#pragma GCC visibility push(hidden)

static void *curl;

static void load_curl(void) { curl = marey_late_library("libcurl.so.4", 0, "libcurl4"); }

static void *library(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_curl);
    return curl;
}

// Defines a function whose third argument depends on the second.
#define MAREY_LATE_OPTION(name)                                                                      \
    int name(void *handle, int option, ...) {                                                        \
        MAREY_LATE_FUNCTION(function, library, name)                                                 \
        va_list arguments;                                                                           \
        va_start(arguments, option);                                                                 \
        void *value = va_arg(arguments, void *);                                                     \
        va_end(arguments);                                                                           \
        return ((int (*)(void *, int, ...))function)(handle, option, value);                         \
    }

MAREY_LATE_OPTION(curl_easy_setopt)
MAREY_LATE_OPTION(curl_easy_getinfo)
MAREY_LATE_OPTION(curl_multi_setopt)

MAREY_LATE(library, int, curl_global_init, (long flags), flags)
MAREY_LATE(library, char *, curl_version, (void))
MAREY_LATE(library, void *, curl_version_info, (int age), age)
MAREY_LATE(library, void, curl_free, (void *memory), memory)

MAREY_LATE(library, void *, curl_easy_init, (void))
MAREY_LATE(library, void, curl_easy_cleanup, (void *handle), handle)
MAREY_LATE(library, int, curl_easy_pause, (void *handle, int mask), handle, mask)
MAREY_LATE(library, const char *, curl_easy_strerror, (int code), code)

MAREY_LATE(library, void *, curl_multi_init, (void))
MAREY_LATE(library, int, curl_multi_cleanup, (void *multi), multi)
MAREY_LATE(library, int, curl_multi_add_handle, (void *multi, void *handle), multi, handle)
MAREY_LATE(library, int, curl_multi_remove_handle, (void *multi, void *handle), multi, handle)
MAREY_LATE(library, int, curl_multi_assign, (void *multi, int socket, void *own), multi, socket, own)
MAREY_LATE(library, void *, curl_multi_info_read, (void *multi, int *left), multi, left)
MAREY_LATE(library, int, curl_multi_socket_action, (void *multi, int socket, int mask, int *running), multi, socket,
           mask, running)

MAREY_LATE(library, void *, curl_slist_append, (void *list, const char *text), list, text)
MAREY_LATE(library, void, curl_slist_free_all, (void *list), list)

MAREY_LATE(library, void *, curl_url, (void))
MAREY_LATE(library, int, curl_url_get, (const void *url, int part, char **text, unsigned flags), url, part, text, flags)
MAREY_LATE(library, int, curl_url_set, (void *url, int part, const char *text, unsigned flags), url, part, text, flags)

#pragma GCC visibility pop
