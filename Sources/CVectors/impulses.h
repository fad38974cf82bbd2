// What the search for a pacemaker's impulses reads; in C for the reason that vectors.h gives.
#ifndef MAREY_IMPULSES_H
#define MAREY_IMPULSES_H

#include "vectors.h"

// Whether among eight values one stands out to one side from both values `width` away by more than `prominence` times what
// all values once, twice and three times as far away differ.
MAREY_INLINE _Bool marey_stand_out(const float *place, long width, float prominence) {
    marey_f8 here = marey_load(place), before = marey_load(place - width), after = marey_load(place + width);
    marey_f8 lower = marey_min(before, after), upper = marey_max(before, after);
    marey_f8 two = marey_load(place - 2 * width), three = marey_load(place - 3 * width);
    marey_f8 low = marey_min(marey_min(lower, two), three), high = marey_max(marey_max(upper, two), three);
    two = marey_load(place + 2 * width);
    three = marey_load(place + 3 * width);
    low = marey_min(marey_min(low, two), three);
    high = marey_max(marey_max(high, two), three);
    marey_f8 moved = (high - low) * prominence;
    return marey_bits(marey_max(here - upper, lower - here) > moved) != 0;
}

// Whether among sixteen values one may stand out so from the values beside it, told for pairs of values: either stands out
// from the other and from the next one on its side, and what the pairs beside them differ counts for both.
MAREY_INLINE _Bool marey_may_stand_out(const float *place, float prominence) {
    marey_f8 a = marey_load(place - 2), b = marey_load(place + 6);
    marey_f8 first_before = marey_even_mixed(a, b), second_before = marey_odd_mixed(a, b);
    a = marey_load(place), b = marey_load(place + 8);
    marey_f8 first = marey_even_mixed(a, b), second = marey_odd_mixed(a, b);
    a = marey_load(place + 2), b = marey_load(place + 10);
    marey_f8 first_after = marey_even_mixed(a, b), second_after = marey_odd_mixed(a, b);
    marey_f8 high = marey_max(marey_max(first_before, second_before), marey_max(first_after, second_after));
    marey_f8 low = marey_min(marey_min(first_before, second_before), marey_min(first_after, second_after));
    marey_f8 out = marey_max(
        __builtin_elementwise_abs(first - second_before), __builtin_elementwise_abs(second - first_after));
    out = marey_min(out, __builtin_elementwise_abs(first - second));
    marey_f8 moved = (high - low) * prominence;
    return marey_bits(out > moved) != 0;
}

// A bit for each of eight values that stands out to the same side from both values `width` away, by more than
// `prominence` times what these and the one twice as far before differ.
MAREY_INLINE unsigned marey_spikes(const float *values, int width, float prominence) {
    marey_f8 here = *(const marey_f8_anywhere *)values;
    marey_f8 before = *(const marey_f8_anywhere *)(values - width), after = *(const marey_f8_anywhere *)(values + width);
    marey_f8 beyond = __builtin_elementwise_abs(before - *(const marey_f8_anywhere *)(values - 2 * width));
    marey_f8 moved = marey_max(__builtin_elementwise_abs(before - after), beyond) * prominence;
    marey_f8 up = marey_min(here - before, here - after), down = marey_min(before - here, after - here);
    return marey_bits(marey_max(up, down) > moved);
}

// Groups of sixteen values among up to 64 of them, a bit for each in which one may stand out.
MAREY_INLINE unsigned long long marey_may_stand_out(const float *values, int groups, float prominence) {
    unsigned long long found = 0;
    for (int group = groups - 1; group >= 0; group--) {
        found = found << 1 | marey_may_stand_out(values + 16 * group, prominence);
    }
    return found;
}

#endif
