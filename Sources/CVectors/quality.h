// The loops of the judges of quality; in C for the reason that vectors.h gives.
#ifndef MAREY_QUALITY_H
#define MAREY_QUALITY_H

#include "vectors.h"

// What tells points on a straight line: how far back the points lie that are compared, the share of a value that is lost in
// rounding, the least value that is a share of, and the steps of the values, 0 where they are coarse.
typedef struct {
    long lag;
    float digits, least, step;
} marey_line_rules;

// A bit for each of the first `count` of eight points that lies on a line with those before it. What stands behind them is
// read but does not count.
MAREY_INLINE unsigned marey_on_line(const float *points, int count, marey_line_rules rules) {
    marey_f8 here = marey_load(points), first = marey_load(points - 2 * rules.lag);
    marey_f8 size = marey_max(__builtin_elementwise_abs(here), __builtin_elementwise_abs(first));
    marey_f8 rounding = marey_mul(marey_max(size, rules.least), rules.digits);
    marey_f8 tolerance = marey_mul(marey_max(rounding, rules.step), 2.2f);
    marey_f8 near = marey_sub(here, marey_mul(marey_load(points - 1), 2));
    near = marey_add(near, marey_load(points - 2));
    marey_f8 far = marey_sub(here, marey_mul(marey_load(points - rules.lag), 2));
    far = marey_add(far, first);
    marey_i8 found = (__builtin_elementwise_abs(near) <= tolerance) & (__builtin_elementwise_abs(far) <= tolerance);
    unsigned bits = marey_bits(found & (MAREY_LANES < count));
    // Steps as coarse as parts of a beat are level between beats, and never straight elsewhere.
    if (bits && rules.step == 0) bits &= ~marey_bits(__builtin_elementwise_abs(marey_sub(here, first)) <= rounding);
    return bits;
}

// The first place from `place` on at which a run of `length` equal values may end, or later ones of a longer run: where both
// ends of such a run show two equal values; `count` where there is none. At least `length` values stand before it.
MAREY_INLINE long marey_next_plateau(const float *values, long place, long count, long length) {
    long back = length - 2;
    for (; place + 8 <= count; place += 8) {
        const float *here = values + place;
        marey_i8 last = marey_load(here) == marey_load(here - 1);
        unsigned bits = marey_bits(last & (marey_load(here - back) == marey_load(here - back - 1)));
        if (bits) return place + __builtin_ctz(bits);
    }
    for (; place < count; place++) {
        const float *here = values + place;
        if (here[0] == here[-1] && here[-back] == here[-back - 1]) return place;
    }
    return count;
}

// The sum of the squares of `count` second differences, a multiple of 4, over twice `spacing`.
MAREY_INLINE float marey_bends(const float *values, long spacing, long count) {
    marey_f4 sums = 0;
    for (long place = 0; place < count; place += 4) {
        marey_f4 middle = *(const marey_f4_anywhere *)(values + place - spacing);
        marey_f4 ends = *(const marey_f4_anywhere *)(values + place);
        ends += *(const marey_f4_anywhere *)(values + place - 2 * spacing);
        marey_f4 bend = ends - (middle + middle);
        marey_f4 squares = bend * bend;
        sums += squares;
    }
    float __attribute__((ext_vector_type(2))) pair = sums.lo + sums.hi;
    return pair.x + pair.y;
}

// The sum of `length` values, one after the other.
MAREY_INLINE float marey_part(const float *values, long length) {
    float sum = 0;
    for (long place = 0; place < length; place++) sum += values[place];
    return sum;
}

// The sums of `parts` parts of as many values each. The usual lengths are known to the compiler.
MAREY_INLINE void marey_parts(const float *values, long length, long parts, float *sums) {
    switch (length) {
        case 5: for (long part = 0; part < parts; part++) sums[part] = marey_part(values + 5 * part, 5); break;
        case 6: for (long part = 0; part < parts; part++) sums[part] = marey_part(values + 6 * part, 6); break;
        default: for (long part = 0; part < parts; part++) sums[part] = marey_part(values + length * part, length);
    }
}

// Sums of `length` values each, times `scale`, from each of `count` places on, a multiple of 8. The length at which ECGs are
// looked at is known to the compiler.
MAREY_INLINE marey_f8 marey_mean(const float *values, long length, float scale) {
    marey_f8 sum = 0;
    for (long tap = 0; tap < length; tap++) sum += marey_load(values + tap);
    return marey_mul(sum, scale);
}
MAREY_INLINE void marey_means(const float *values, long length, float scale, float *means, long count) {
    if (length == 3) {
        for (long place = 0; place < count; place += 8) marey_store(marey_mean(values + place, 3, scale), means + place);
    } else {
        for (long place = 0; place < count; place += 8) marey_store(marey_mean(values + place, length, scale), means + place);
    }
}

// Whether the size of one of `count` values, times its share, is above the limit.
MAREY_INLINE _Bool marey_any_above(const float *values, const float *shares, long count, float limit) {
    marey_i8 found = 0;
    long place = 0;
    for (; place + 8 <= count; place += 8) {
        marey_f8 part = marey_mul(__builtin_elementwise_abs(marey_load(values + place)), marey_load(shares + place));
        found |= part > limit;
    }
    if (marey_bits(found)) return 1;
    for (; place < count; place++) {
        if (__builtin_fabsf(values[place]) * shares[place] > limit) return 1;
    }
    return 0;
}

// How many of `count` values are above the floor.
MAREY_INLINE long marey_count_above(const float *values, long count, float floor) {
    marey_i8 found = 0;
    long place = 0;
    for (; place + 8 <= count; place += 8) found += marey_load(values + place) > floor;
    long above = -__builtin_reduce_add(found);
    for (; place < count; place++) above += values[place] > floor;
    return above;
}

// A bit for each of the first `count` of 64 values or fewer that is above 0. As many as whole eights take are read.
MAREY_INLINE unsigned long long marey_positive(const float *values, long count) {
    unsigned long long bits = 0;
    for (long place = 0; place < count; place += 8) {
        bits |= (unsigned long long)marey_bits(marey_load(values + place) > 0) << place;
    }
    return count < 64 ? bits & ((1ull << count) - 1) : bits;
}

// The smallest of the first `count` numbers of 0 or more that fewer than `above` of them exceed. What stands behind them, up to
// `padded` numbers, a multiple of 16, is infinite as a Float's bits are.
MAREY_INLINE int marey_middle(const int *values, int count, int padded, int above) {
    marey_i8 middle = 0x7f800000;
    for (int vector = 0; vector < padded; vector += 16) {
        marey_i8 one = *(const marey_i8_anywhere *)(values + vector), other = *(const marey_i8_anywhere *)(values + vector + 8);
        marey_i8 over_one = 0, over_other = 0;
        for (int place = 0; place < count; place++) {
            over_one -= (marey_i8)(values[place]) > one;
            over_other -= (marey_i8)(values[place]) > other;
        }
        one = over_one < above ? one : (marey_i8)0x7f800000;
        other = over_other < above ? other : (marey_i8)0x7f800000;
        one = __builtin_elementwise_min(one, other);
        middle = __builtin_elementwise_min(middle, one);
    }
    return __builtin_reduce_min(middle);
}

#endif
