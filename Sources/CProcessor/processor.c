#include "processor.h"

#include <stdio.h>
#include <unistd.h>

#ifndef MAREY_LEVEL
#define MAREY_LEVEL 0
#endif

int marey_compiled_level(void) { return MAREY_LEVEL; }

int marey_processor_supports(int level) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (level >= 3 && !(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")))
        return 0;
    if (level >= 4 && !(__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")))
        return 0;
#else
    (void)level;
#endif
    return 1;
}

// Runs before any Swift code: one clear line instead of an illegal-instruction crash.
__attribute__((constructor)) static void marey_check_processor(void) {
    if (marey_processor_supports(MAREY_LEVEL)) return;
    static const char message[] =
        "marey: this program was built for processors with AVX2 and FMA (x86-64-v3 or newer), which this machine "
        "lacks; build it with MAREY_CPU=base\n";
    if (write(2, message, sizeof message - 1)) {}
    _exit(3);
}
