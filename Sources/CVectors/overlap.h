// Long filters by the Fourier transform, a block of a channel at a time; in C for the reason that vectors.h gives.
#ifndef MAREY_OVERLAP_H
#define MAREY_OVERLAP_H

#include "fourier.h"

// What a channel is filtered with: blocks of `count` values, a power of two from 32 on, and the table of transforms of twice as
// many. Spectra are held eight values from the front and eight as far from the last, back to front, at a time: their real parts
// and their imaginary ones, then the others' likewise. Those of every piece of `taps`, the newest first, and those of every
// block in the ring `past` lie together, so that memory is read on and on; behind all of them the value in the middle of each.
// `work` has room for six times `count` and six vectors more.
typedef struct {
    const float *table, *taps;
    float *past, *work;
    long count, pieces, newest;
} marey_overlap;

// Values from the front and from the back: what a piece of taps or a block has of them.
typedef struct {
    marey_f8_part front, back;
} marey_both;
MAREY_INLINE marey_both marey_both_at(const float *values) {
    return (marey_both){marey_part(values, values + 8, 0), marey_part(values, values + 8, 16)};
}

// A sum and the product of two values. Nothing is fused.
MAREY_INLINE marey_f8_part marey_more(marey_f8_part sum, marey_f8_part t, marey_f8_part x) {
#pragma STDC FP_CONTRACT OFF
    return (marey_f8_part){sum.re + (t.re * x.re - t.im * x.im), sum.im + (t.re * x.im + t.im * x.re)};
}

// Puts values of the newest spectrum in the ring, and gives the sum over the pieces of the taps' times the ring's.
MAREY_INLINE marey_both marey_overlap_sums(const float *taps, float *past, long pieces, long newest, marey_both x) {
    float *here = past + 32 * newest, *end = past + 32 * pieces;
    marey_put(x.front.re, here), marey_put(x.front.im, here + 8);
    marey_put(x.back.re, here + 16), marey_put(x.back.im, here + 24);
    marey_both sum = {0};
    for (const float *stop = taps + 32 * pieces;;) {
        marey_both t = marey_both_at(taps);
        sum = (marey_both){marey_more(sum.front, t.front, x.front), marey_more(sum.back, t.back, x.back)};
        taps += 32;
        if (taps == stop) return sum;
        here = here + 32 == end ? past : here + 32;
        x = marey_both_at(here);
    }
}

// The same of the value in the middle.
MAREY_INLINE void marey_overlap_middle(const float *taps, float *past, long pieces, long newest, float *re, float *im) {
#pragma STDC FP_CONTRACT OFF
    past[2 * newest] = *re, past[2 * newest + 1] = *im;
    *re = 0, *im = 0;
    for (long piece = 0, slot = newest; piece < pieces; piece++) {
        const float *t = taps + 2 * piece, *x = past + 2 * slot;
        *re = *re + (t[0] * x[0] - t[1] * x[1]);
        *im = *im + (t[0] * x[1] + t[1] * x[0]);
        slot = slot + 1 == pieces ? 0 : slot + 1;
    }
}

// Filters the latter half of twice `count` values at `x` into `found`.
MAREY_APART void marey_overlap_save(const marey_overlap *with, const float *x, float *found) {
    marey_overlap o = *with;
    long count = o.count, room = count + 8;
    float *joined = o.work, *joined_im = joined + room, scale = (float)1 / (float)(2 * count), first = 0, last = 0;
    marey_f8_source from = {.re = x};
    float *z = marey_complex(from, count, o.table + count, joined + 2 * room), *zi = z + room;
    // What follows the last is the first again.
    z[count] = z[0], zi[count] = zi[0];
    for (long place = 0; place < count / 2; place += 8) {
        marey_both both;
        marey_split(z, zi, o.table, count, place, &both.front, &both.back);
        both = marey_overlap_sums(o.taps, o.past, o.pieces, o.newest, both);
        if (place == 0) first = both.front.re[0], last = both.back.re[0];
        marey_join(both.front, both.back, o.table, scale, count, place, joined, joined_im);
        o.taps += 32 * o.pieces, o.past += 32 * o.pieces;
    }
    float re = z[count / 2], im = -zi[count / 2];
    marey_overlap_middle(o.taps, o.past, o.pieces, o.newest, &re, &im);
    marey_join_ends(first, last, re, im, scale, count, joined, joined_im);
    marey_pairs(joined, joined_im, found, count, count, o.table, joined + 2 * room);
}

#endif
