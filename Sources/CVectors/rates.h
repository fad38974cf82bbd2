// Products of short waves; in C for the reason that vectors.h gives.
#ifndef MAREY_RATES_H
#define MAREY_RATES_H

#include "vectors.h"

// The sum of the products of two waves of `lanes` vectors.
MAREY_INLINE float marey_wave_dot(const float *a, const float *b, int lanes) {
#pragma STDC FP_CONTRACT OFF
    marey_f8 sum = 0;
    for (int i = 0; i < lanes; i++) sum = sum + marey_load(a + 8 * i) * marey_load(b + 8 * i);
    marey_f4 half = sum.lo + sum.hi;
    return (half.x + half.z) + (half.y + half.w);
}

// Takes out of a wave what a wave of length 1 explains.
MAREY_INLINE void marey_wave_remove(const float *unit, float *wave, int lanes) {
#pragma STDC FP_CONTRACT OFF
    marey_f8 share = marey_all(marey_wave_dot(unit, wave, lanes));
    for (int i = 0; i < lanes; i++) marey_store(marey_load(wave + 8 * i) - share * marey_load(unit + 8 * i), wave + 8 * i);
}

// The products of a wave with the cosines and sines of `lanes` vectors of rates, a multiple of 2. About its middle the wave
// is the sum of an even and an odd one, given as `half` values each; the cosines see only the first, the sines the second.
// `table` holds for each two vectors of rates and each value two vectors of cosines, then two of sines.
static void marey_rate_products(
    const float *table, const float *even, const float *odd, int half, int lanes, float *cosine, float *sine) {
#pragma STDC FP_CONTRACT OFF
    for (int lane = 0; lane < lanes; lane += 2) {
        marey_f8 c0 = 0, c1 = 0, s0 = 0, s1 = 0;
        for (int i = 0; i < half; i++, table += 32) {
            marey_f8 e = marey_all(even[i]), o = marey_all(odd[i]);
            c0 = c0 + e * marey_load(table);
            c1 = c1 + e * marey_load(table + 8);
            s0 = s0 + o * marey_load(table + 16);
            s1 = s1 + o * marey_load(table + 24);
        }
        marey_store(c0, cosine + 8 * lane);
        marey_store(c1, cosine + 8 * lane + 8);
        marey_store(s0, sine + 8 * lane);
        marey_store(s1, sine + 8 * lane + 8);
    }
}

#endif
