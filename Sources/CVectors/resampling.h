// Changes of sample rate; in C for the reason that vectors.h gives.
#ifndef MAREY_RESAMPLING_H
#define MAREY_RESAMPLING_H

#include "vectors.h"

// What makes one output after the other: where its values begin and which phase's taps it takes, `count` of each.
typedef struct {
    const float *x, *taps;
    long count, up, whole, rest, phase;
} marey_polyphase;

// On to the next output.
MAREY_INLINE void marey_advance(marey_polyphase *at) {
    at->phase += at->rest;
    at->x += at->whole + (at->phase >= at->up);
    at->phase -= at->phase >= at->up ? at->up : 0;
}

// The products of `width` successive outputs, summed eight side by side, of every other eight values; with `isShared` all take
// the same taps, which are loaded once then. Nothing is fused.
MAREY_INLINE void marey_phase_products(marey_polyphase *at, int width, int isShared, marey_f8 *lanes) {
    const float *x[4], *taps[4];
    marey_f8 even[4] = {0, 0, 0, 0}, odd[4] = {0, 0, 0, 0};
    MAREY_UNROLLED
    for (int i = 0; i < width; i++) {
        x[i] = at->x;
        taps[i] = isShared ? at->taps : at->taps + at->phase * at->count;
        marey_advance(at);
    }
    long place = 0;
    for (; place + 8 < at->count; place += 16) {
        MAREY_UNROLLED
        for (int i = 0; i < width; i++) {
            even[i] = marey_add(even[i], marey_mul(marey_load(taps[i] + place), marey_load(x[i] + place)));
            odd[i] = marey_add(odd[i], marey_mul(marey_load(taps[i] + place + 8), marey_load(x[i] + place + 8)));
        }
    }
    MAREY_UNROLLED
    for (int i = 0; i < width; i++) {
        if (place < at->count) even[i] = marey_add(even[i], marey_mul(marey_load(taps[i] + place), marey_load(x[i] + place)));
        lanes[i] = marey_add(even[i], odd[i]);
    }
}

// As many outputs as fill a vector at a time, whose lanes are then added side by side; and one by one those that are left.
MAREY_INLINE void marey_phases(marey_polyphase at, int isShared, float *found, long outputs) {
    long i = 0;
    for (; i + 8 <= outputs; i += 8) {
        marey_f8 lanes[8];
        marey_phase_products(&at, 4, isShared, lanes);
        marey_phase_products(&at, 4, isShared, lanes + 4);
        marey_transpose((float *)lanes);
        marey_f8 sum = lanes[0];
        MAREY_UNROLLED
        for (int lane = 1; lane < 8; lane++) sum = marey_add(sum, lanes[lane]);
        marey_store(sum, found + i);
    }
    for (; i < outputs; i++) {
        marey_f8 lanes;
        marey_phase_products(&at, 1, isShared, &lanes);
        float sum = lanes[0];
        for (int lane = 1; lane < 8; lane++) sum += lanes[lane];
        found[i] = sum;
    }
}

// `outputs` values of a signal at `up` / `down` times its rate. The first is in `phase` of the `up` ones and is made of the
// `count` values, a multiple of 8, from `x` on, each times a tap of its phase. Sums are made eight side by side, of every
// other eight values, then lane by lane.
MAREY_INLINE void marey_resample(
    const float *x, const float *taps, long count, long up, long down, long phase, float *found, long outputs) {
    marey_polyphase at = {x, taps, count, up, down / up, down % up, phase};
    if (up == 1) {
        marey_phases(at, 1, found, outputs);
    } else {
        marey_phases(at, 0, found, outputs);
    }
}

#endif
