// What a second of a signal shows by itself, in few passes; in C for the reason that vectors.h gives.
#ifndef MAREY_SECONDS_H
#define MAREY_SECONDS_H

#include "vectors.h"

// Whether three successive ones of `count` values are the same somewhere.
MAREY_INLINE int marey_three_equal(const float *values, long count) {
    marey_i8 found = 0;
    long place = 0;
    for (; place + 10 <= count; place += 8) {
        marey_f8 middle = marey_load(values + place + 1);
        found |= (marey_load(values + place) == middle) & (middle == marey_load(values + place + 2));
    }
    if (marey_bits(found)) return 1;
    for (; place + 3 <= count; place++) {
        if (values[place] == values[place + 1] && values[place + 1] == values[place + 2]) return 1;
    }
    return 0;
}

// The sum of some values in four parts in double precision, the bits of the largest magnitude, those of what is not a number
// behind all others, and whether three successive values are the same somewhere.
typedef struct {
    double sum;
    unsigned largest;
    int has_three_equal;
} marey_glance;

// The larger of what stands in the same lanes.
MAREY_INLINE marey_i8 marey_larger(marey_i8 a, marey_i8 b) { return a > b ? a : b; }

static marey_glance marey_look(const float *values, long count) {
#pragma STDC FP_CONTRACT OFF
    marey_d4 sum = 0;
    marey_i8 most = 0, equal = 0;
    long place = 0, whole = count / 4 * 4;
    for (; place + 10 <= count; place += 8) {
        marey_f8 here = marey_load(values + place), next = marey_load(values + place + 1);
        sum = sum + marey_wide(here.lo);
        sum = sum + marey_wide(here.hi);
        most = marey_larger((marey_i8)here & 0x7fffffff, most);
        equal |= (here == next) & (next == marey_load(values + place + 2));
    }
    marey_glance found = {0, (unsigned)__builtin_reduce_max(most), __builtin_reduce_or(equal) != 0};
    for (long rest = place; rest < count; rest++) {
        unsigned bits;
        __builtin_memcpy(&bits, values + rest, sizeof bits);
        bits &= 0x7fffffff;
        if (bits > found.largest) found.largest = bits;
        if (rest + 2 < count && values[rest] == values[rest + 1] && values[rest + 1] == values[rest + 2]) found.has_three_equal = 1;
    }
    for (; place < whole; place += 4) sum = sum + marey_wide(*(const marey_f4_anywhere *)(values + place));
    double parts[4] = {sum.x, sum.y, sum.z, sum.w};
    for (; place < count; place++) parts[place - whole] += values[place];
    found.sum = (parts[0] + parts[1]) + (parts[2] + parts[3]);
    return found;
}

// The bits of the largest step from one of some values to the next and of the largest of them, as magnitudes, and the sum of
// them, each times its distance from the middle, in four parts in double precision.
typedef struct {
    double moment;
    unsigned jump, peak;
} marey_swing;

// Writes `count` values less `level` into `row`, and tells what these show.
static marey_swing marey_centre(const float *values, long count, float level, float *row) {
#pragma STDC FP_CONTRACT OFF
    double middle = (double)(count - 1) / 2;
    marey_d4 sum = 0, distance = (marey_d4){0, 1, 2, 3} - middle;
    marey_i8 jump = 0, peak = 0;
    long place = 0, whole = count / 4 * 4;
    for (; place + 9 <= count; place += 8) {
        marey_f8 here = marey_load(values + place) - level, next = marey_load(values + place + 1) - level;
        marey_store(here, row + place);
        jump = marey_larger((marey_i8)(next - here) & 0x7fffffff, jump);
        peak = marey_larger((marey_i8)here & 0x7fffffff, peak);
        sum = sum + marey_wide(here.lo) * distance;
        distance = distance + 4;
        sum = sum + marey_wide(here.hi) * distance;
        distance = distance + 4;
    }
    marey_swing found = {0, (unsigned)__builtin_reduce_max(jump), (unsigned)__builtin_reduce_max(peak)};
    for (long rest = place; rest < count; rest++) row[rest] = values[rest] - level;
    for (long rest = place; rest < count; rest++) {
        float step = rest + 1 < count ? row[rest + 1] - row[rest] : 0;
        unsigned bits;
        __builtin_memcpy(&bits, &step, sizeof bits);
        bits &= 0x7fffffff;
        if (bits > found.jump) found.jump = bits;
        __builtin_memcpy(&bits, row + rest, sizeof bits);
        bits &= 0x7fffffff;
        if (bits > found.peak) found.peak = bits;
    }
    for (; place < whole; place += 4) {
        sum = sum + marey_wide(*(const marey_f4_anywhere *)(row + place)) * distance;
        distance = distance + 4;
    }
    double parts[4] = {sum.x, sum.y, sum.z, sum.w};
    for (; place < count; place++) parts[place - whole] += row[place] * ((double)place - middle);
    found.moment = (parts[0] + parts[1]) + (parts[2] + parts[3]);
    return found;
}

// Takes a line that rises by `slope` from one value to the next, and is 0 in the middle, out of `count` values.
static void marey_take_out_line(float *row, long count, double slope) {
#pragma STDC FP_CONTRACT OFF
    double middle = (double)(count - 1) / 2;
    marey_d4 distance = (marey_d4){0, 1, 2, 3} - middle;
    long place = 0;
    for (; place + 4 <= count; place += 4) {
        marey_f4_anywhere *four = (marey_f4_anywhere *)(row + place);
        *four = *four - marey_narrow(slope * distance);
        distance = distance + 4;
    }
    for (; place < count; place++) row[place] -= (float)(slope * ((double)place - middle));
}

#endif
