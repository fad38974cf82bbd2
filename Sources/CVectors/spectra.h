// Products of spectra; in C for the reason that vectors.h gives.
#ifndef MAREY_SPECTRA_H
#define MAREY_SPECTRA_H

#include "vectors.h"

// A ring of spectra that is multiplied with the spectra of as many pieces of taps: real and imaginary parts, `bins` values
// a piece, `stride` values from one spectrum of the ring to the next, the newest first.
typedef struct {
    const float *taps_real, *taps_imaginary, *real, *imaginary;
    long bins, pieces, stride, newest;
} marey_ring;

// Sum over the pieces of the taps' spectrum times the ring's, `width` vectors from `bin` on. Nothing is fused.
MAREY_INLINE void marey_ring_products(const marey_ring *ring, long bin, int width, marey_f8 *real, marey_f8 *imaginary) {
#pragma STDC FP_CONTRACT OFF
    const float *ar = ring->taps_real + bin, *ai = ring->taps_imaginary + bin;
    const float *br = ring->real + ring->newest * ring->stride + bin, *bi = ring->imaginary + ring->newest * ring->stride + bin;
    marey_f8 re[2] = {0, 0}, im[2] = {0, 0};
    long left = ring->pieces - ring->newest;
    for (long piece = 0; piece < ring->pieces; piece++) {
        if (piece == left) br = ring->real + bin, bi = ring->imaginary + bin;
        for (int i = 0; i < width; i++) {
            marey_f8 tr = *(const marey_f8_anywhere *)(ar + 8 * i), ti = *(const marey_f8_anywhere *)(ai + 8 * i);
            marey_f8 xr = *(const marey_f8_anywhere *)(br + 8 * i), xi = *(const marey_f8_anywhere *)(bi + 8 * i);
            re[i] = re[i] + (tr * xr - ti * xi);
            im[i] = im[i] + (tr * xi + ti * xr);
        }
        ar += ring->bins, ai += ring->bins, br += ring->stride, bi += ring->stride;
    }
    for (int i = 0; i < width; i++) real[i] = re[i], imaginary[i] = im[i];
}

// The same of one bin, to the bit.
MAREY_INLINE void marey_ring_product(const marey_ring *ring, long bin, float *real, float *imaginary) {
#pragma STDC FP_CONTRACT OFF
    float re = 0, im = 0;
    for (long piece = 0; piece < ring->pieces; piece++) {
        long slot = ring->newest + piece < ring->pieces ? ring->newest + piece : ring->newest + piece - ring->pieces;
        float tr = ring->taps_real[piece * ring->bins + bin], ti = ring->taps_imaginary[piece * ring->bins + bin];
        float xr = ring->real[slot * ring->stride + bin], xi = ring->imaginary[slot * ring->stride + bin];
        re = re + (tr * xr - ti * xi);
        im = im + (tr * xi + ti * xr);
    }
    *real = re, *imaginary = im;
}

MAREY_INLINE void marey_put_hartley(marey_f8 re, marey_f8 im, float *hartley, long bin, long last) {
    *(marey_f8_anywhere *)(hartley + bin) = re - im;
    *(marey_f8_anywhere *)(hartley + last - bin - 7) = marey_reverse(re + im);
}

// The sums of products as the values whose Hartley transform is the signal: real less imaginary part over all
// 2 (bins - 1) frequencies. Up to eight values behind them are written as well.
MAREY_INLINE void marey_ring_hartley(const marey_ring *ring, float *hartley) {
    long bin = 0, last = 2 * (ring->bins - 1);
    marey_f8 re[2], im[2];
    // What mirrors frequency 0 falls behind the row.
    for (; bin + 16 < ring->bins; bin += 16) {
        marey_ring_products(ring, bin, 2, re, im);
        marey_put_hartley(re[0], im[0], hartley, bin, last);
        marey_put_hartley(re[1], im[1], hartley, bin + 8, last);
    }
    for (; bin + 8 < ring->bins; bin += 8) {
        marey_ring_products(ring, bin, 1, re, im);
        marey_put_hartley(re[0], im[0], hartley, bin, last);
    }
    for (; bin < ring->bins; bin++) {
        float one, other;
        marey_ring_product(ring, bin, &one, &other);
        hartley[bin] = one - other;
        if (bin > 0 && bin < ring->bins - 1) hartley[last - bin] = one + other;
    }
}

#endif
