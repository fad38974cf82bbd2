// Changes of sample rate; in C for the reason that vectors.h gives.
#ifndef MAREY_RESAMPLING_H
#define MAREY_RESAMPLING_H

#include "vectors.h"

// `outputs` values of a signal at `up` / `down` times its rate. The first is in `phase` of the `up` ones and is made of the
// `count` values, a multiple of 8, from `x` on, each times a tap of its phase. Sums are made eight side by side, of every
// other eight values, then lane by lane.
MAREY_INLINE void marey_resample(
    const float *x, const float *taps, long count, long up, long down, long phase, float *found, long outputs) {
    long whole = down / up, rest = down % up;
    for (long i = 0; i < outputs; i++) {
        const float *own = taps + phase * count;
        marey_f8 even = 0, odd = 0;
        long place = 0;
        for (; place + 8 < count; place += 16) {
            even = marey_add(even, marey_mul(marey_load(own + place), marey_load(x + place)));
            odd = marey_add(odd, marey_mul(marey_load(own + place + 8), marey_load(x + place + 8)));
        }
        if (place < count) even = marey_add(even, marey_mul(marey_load(own + place), marey_load(x + place)));
        marey_f8 lanes = marey_add(even, odd);
        float sum = lanes[0];
        for (int lane = 1; lane < 8; lane++) sum += lanes[lane];
        found[i] = sum;
        phase += rest;
        x += whole + (phase >= up);
        phase -= phase >= up ? up : 0;
    }
}

#endif
