// Fourier transforms of real values, one at a time; in C for the reason that vectors.h gives.
#ifndef MAREY_FOURIER_H
#define MAREY_FOURIER_H

#include "vectors.h"

// Values of two vectors in turn: those of the lower halves, and of the upper ones.
MAREY_INLINE marey_f8 marey_low_pairs(marey_f8 a, marey_f8 b) {
    return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}
MAREY_INLINE marey_f8 marey_high_pairs(marey_f8 a, marey_f8 b) {
    return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}
MAREY_INLINE marey_d4 marey_low_pairs(marey_d4 a, marey_d4 b) { return __builtin_shufflevector(a, b, 0, 4, 1, 5); }
MAREY_INLINE marey_d4 marey_high_pairs(marey_d4 a, marey_d4 b) { return __builtin_shufflevector(a, b, 2, 6, 3, 7); }

// Values of four vectors in turn, in place.
MAREY_INLINE void marey_mix(marey_f8 *a) {
    marey_f8 b = __builtin_shufflevector(a[0], a[1], 0, 8, 1, 9, 4, 12, 5, 13);
    marey_f8 c = __builtin_shufflevector(a[0], a[1], 2, 10, 3, 11, 6, 14, 7, 15);
    marey_f8 d = __builtin_shufflevector(a[2], a[3], 0, 8, 1, 9, 4, 12, 5, 13);
    marey_f8 e = __builtin_shufflevector(a[2], a[3], 2, 10, 3, 11, 6, 14, 7, 15);
    marey_f8 f = __builtin_shufflevector(b, d, 0, 1, 8, 9, 4, 5, 12, 13);
    marey_f8 g = __builtin_shufflevector(b, d, 2, 3, 10, 11, 6, 7, 14, 15);
    marey_f8 h = __builtin_shufflevector(c, e, 0, 1, 8, 9, 4, 5, 12, 13);
    marey_f8 i = __builtin_shufflevector(c, e, 2, 3, 10, 11, 6, 7, 14, 15);
    a[0] = __builtin_shufflevector(f, g, 0, 1, 2, 3, 8, 9, 10, 11);
    a[1] = __builtin_shufflevector(h, i, 0, 1, 2, 3, 8, 9, 10, 11);
    a[2] = __builtin_shufflevector(f, g, 4, 5, 6, 7, 12, 13, 14, 15);
    a[3] = __builtin_shufflevector(h, i, 4, 5, 6, 7, 12, 13, 14, 15);
}
MAREY_INLINE void marey_mix(marey_d4 *a) {
    marey_d4 b = __builtin_shufflevector(a[0], a[1], 0, 4, 2, 6), c = __builtin_shufflevector(a[0], a[1], 1, 5, 3, 7);
    marey_d4 d = __builtin_shufflevector(a[2], a[3], 0, 4, 2, 6), e = __builtin_shufflevector(a[2], a[3], 1, 5, 3, 7);
    a[0] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    a[1] = __builtin_shufflevector(c, e, 0, 1, 4, 5);
    a[2] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
    a[3] = __builtin_shufflevector(c, e, 2, 3, 6, 7);
}

// The lower halves of two vectors, and the upper ones.
MAREY_INLINE marey_f8 marey_lows(marey_f8 a, marey_f8 b) {
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11);
}
MAREY_INLINE marey_f8 marey_highs(marey_f8 a, marey_f8 b) {
    return __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
}

// Floats in double precision.
MAREY_INLINE marey_d4 marey_wide_load(const float *values) { return marey_wide(*(const marey_f4_anywhere *)values); }

// Too long to stand wherever it is called.
#define MAREY_APART static __attribute__((noinline, overloadable))

#define FLOATS marey_f8
#define ANYWHERE marey_f8_anywhere
#define NUMBER float
#define PART marey_f8_part
#define SOURCE marey_f8_source
#define WIDENED marey_load
#define WIDTH 8
#include "fourier-passes.h"
#undef FLOATS
#undef ANYWHERE
#undef NUMBER
#undef PART
#undef SOURCE
#undef WIDENED
#undef WIDTH

#define FLOATS marey_d4
#define ANYWHERE marey_d4_anywhere
#define NUMBER double
#define PART marey_d4_part
#define SOURCE marey_d4_source
#define WIDENED marey_wide_load
#define WIDTH 4
#include "fourier-passes.h"
#undef FLOATS
#undef ANYWHERE
#undef NUMBER
#undef PART
#undef SOURCE
#undef WIDENED
#undef WIDTH

#endif
