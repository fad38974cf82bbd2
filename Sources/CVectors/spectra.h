// Products of spectra; in C for the reason that vectors.h gives.
#ifndef MAREY_SPECTRA_H
#define MAREY_SPECTRA_H

#include "vectors.h"

// A ring of spectra that is multiplied with the spectra of as many pieces of taps: real and imaginary parts, `bins` values
// a piece, a multiple of 8; `stride` values from one spectrum of the ring to the next, the newest first.
typedef struct {
    const float *taps_real, *taps_imaginary, *real, *imaginary;
    long bins, pieces, stride, newest;
} marey_ring;

// Sum over the pieces of the taps' spectrum times the ring's, `width` vectors from `bin` on. Nothing is fused.
MAREY_INLINE void marey_ring_products(const marey_ring *ring, long bin, int width, float *real, float *imaginary) {
#pragma STDC FP_CONTRACT OFF
    const float *ar = ring->taps_real + bin, *ai = ring->taps_imaginary + bin;
    const float *br = ring->real + ring->newest * ring->stride + bin, *bi = ring->imaginary + ring->newest * ring->stride + bin;
    marey_f8 re[4] = {0, 0, 0, 0}, im[4] = {0, 0, 0, 0};
    long left = ring->pieces - ring->newest;
    for (long piece = 0; piece < ring->pieces; piece++) {
        if (piece == left) br = ring->real + bin, bi = ring->imaginary + bin;
        MAREY_UNROLLED
        for (int i = 0; i < width; i++) {
            marey_f8 tr = *(const marey_f8_anywhere *)(ar + 8 * i), ti = *(const marey_f8_anywhere *)(ai + 8 * i);
            marey_f8 xr = *(const marey_f8_anywhere *)(br + 8 * i), xi = *(const marey_f8_anywhere *)(bi + 8 * i);
            re[i] = re[i] + (tr * xr - ti * xi);
            im[i] = im[i] + (tr * xi + ti * xr);
        }
        ar += ring->bins, ai += ring->bins, br += ring->stride, bi += ring->stride;
    }
    MAREY_UNROLLED
    for (int i = 0; i < width; i++) {
        *(marey_f8_anywhere *)(real + bin + 8 * i) = re[i];
        *(marey_f8_anywhere *)(imaginary + bin + 8 * i) = im[i];
    }
}

// The sums of all bins.
static void marey_ring_sum(const marey_ring *ring, float *real, float *imaginary) {
    long bin = 0;
    for (; bin + 32 <= ring->bins; bin += 32) marey_ring_products(ring, bin, 4, real, imaginary);
    for (; bin < ring->bins; bin += 8) marey_ring_products(ring, bin, 1, real, imaginary);
}

// The sum of the real parts of the products of `count` bins with the conjugates of as many others.
MAREY_INLINE float marey_cross_sum(const float *ar, const float *ai, const float *br, const float *bi, long count) {
#pragma STDC FP_CONTRACT OFF
    marey_f8 sum = 0;
    long bin = 0;
    for (; bin + 8 <= count; bin += 8) {
        marey_f8 one = *(const marey_f8_anywhere *)(ar + bin) * *(const marey_f8_anywhere *)(br + bin);
        sum = sum + (one + *(const marey_f8_anywhere *)(ai + bin) * *(const marey_f8_anywhere *)(bi + bin));
    }
    float rest = 0;
    for (; bin < count; bin++) rest = rest + (ar[bin] * br[bin] + ai[bin] * bi[bin]);
    return marey_sum(sum) + rest;
}

// The sums of `count` floats each in double precision, in four parts; side by side, as each waits for its own last one.
MAREY_INLINE marey_d4 marey_four_sums(const float *a, const float *b, const float *c, const float *d, long count) {
    const float *values[4] = {a, b, c, d};
    marey_d4 sums[4] = {0, 0, 0, 0}, found;
    long whole = count / 4 * 4;
    for (long place = 0; place < whole; place += 4) {
        MAREY_UNROLLED
        for (int i = 0; i < 4; i++) {
            sums[i] = marey_add(sums[i], marey_wide(*(const marey_f4_anywhere *)(values[i] + place)));
        }
    }
    MAREY_UNROLLED
    for (int i = 0; i < 4; i++) {
        for (long place = whole; place < count; place++) sums[i][place - whole] += values[i][place];
        found[i] = (sums[i].x + sums[i].y) + (sums[i].z + sums[i].w);
    }
    return found;
}

// The sum of the squared magnitudes of `count` bins, in double precision.
MAREY_INLINE double marey_power_sum(const float *re, const float *im, long count) {
#pragma STDC FP_CONTRACT OFF
    marey_d4 sum = 0;
    long bin = 0;
    for (; bin + 4 <= count; bin += 4) {
        marey_d4 one = marey_wide(*(const marey_f4_anywhere *)(re + bin)), other = marey_wide(*(const marey_f4_anywhere *)(im + bin));
        sum = sum + (one * one + other * other);
    }
    double rest = 0;
    for (; bin < count; bin++) rest = rest + ((double)re[bin] * re[bin] + (double)im[bin] * im[bin]);
    return (sum.x + sum.y) + (sum.z + sum.w) + rest;
}

// Moves what is usual at `count` bins by `share` towards the power there, and divides the bins by its root; by nothing where
// it is 0.
MAREY_INLINE void marey_whiten(float *re, float *im, float *usual, long count, float share) {
#pragma STDC FP_CONTRACT OFF
    long bin = 0;
    for (; bin + 8 <= count; bin += 8) {
        marey_f8 a = *(const marey_f8_anywhere *)(re + bin), b = *(const marey_f8_anywhere *)(im + bin), zero = 0;
        marey_f8 known = *(const marey_f8_anywhere *)(usual + bin);
        known = known + (a * a + b * b - known) * share;
        *(marey_f8_anywhere *)(usual + bin) = known;
        marey_f8 factor = known > zero ? 1 / marey_root(known) : zero;
        *(marey_f8_anywhere *)(re + bin) = a * factor;
        *(marey_f8_anywhere *)(im + bin) = b * factor;
    }
    for (; bin < count; bin++) {
        usual[bin] = usual[bin] + (re[bin] * re[bin] + im[bin] * im[bin] - usual[bin]) * share;
        float factor = usual[bin] > 0 ? 1 / __builtin_sqrtf(usual[bin]) : 0;
        re[bin] = re[bin] * factor;
        im[bin] = im[bin] * factor;
    }
}

#endif
