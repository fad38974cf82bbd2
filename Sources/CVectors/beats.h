// The loops of the detector of QRS complexes; in C for the reason that vectors.h gives.
#ifndef MAREY_BEATS_H
#define MAREY_BEATS_H

#include "vectors.h"

// Every second sample after a triangular average over three, all less `reference`: `count` of them, a multiple of 8.
MAREY_INLINE void marey_halve(const float *input, float *output, long count, float reference) {
    for (long place = 0; place < count; place += 8) {
        const float *here = input + 2 * place;
        marey_f8 one = marey_load(here), other = marey_load(here + 8);
        marey_f8 before = marey_even_mixed(marey_load(here - 1), marey_load(here + 7)) - reference;
        marey_f8 after = marey_odd_mixed(one, other) - reference;
        marey_f8 sides = marey_mul(before + after, 0.5f);
        marey_f8 mixed = marey_mul(marey_even_mixed(one, other) - reference + sides, 0.5f);
        marey_store(marey_in_order(mixed), output + place);
    }
}

// Where the tops among eight values are, in half steps behind theirs, and how high: a bit for each of eight values that stands
// above the floor and the value before it and is not below the next one.
MAREY_INLINE unsigned marey_tops(
    marey_f8 before, marey_f8 here, marey_f8 after, float floor, int *shifts, float *heights) {
    unsigned bits = marey_bits((here > floor) & (here > before) & (here >= after));
    marey_f8 two = marey_mul(here, 2), slope = before - after, none = 0;
    // Less than 0 at a top; 0 where it is lost in rounding.
    marey_f8 curvature = before - two + after;
    marey_f8 part = marey_mul(slope, 0.5f) / curvature;
    marey_f8 offset = curvature < none ? part : none, fall = marey_mul(marey_mul(slope, 0.25f), offset);
    marey_store(here - fall, heights);
    marey_f8 doubled = marey_mul(offset, 2);
    typedef marey_i8 marey_i8_anywhere __attribute__((aligned(4)));
    *(marey_i8_anywhere *)shifts = (doubled <= -0.5f) - (doubled >= 0.5f);
    // Further than the values beside it only by rounding.
    for (unsigned rest = bits & marey_bits(__builtin_elementwise_abs(doubled) >= 1.5f); rest; rest &= rest - 1) {
        shifts[__builtin_ctz(rest)] = (int)__builtin_roundf(doubled[__builtin_ctz(rest) & 7]);
    }
    return bits;
}

// A top of the QRS strength: its low-rate sample, the strength there, and the block in which it was seen.
typedef struct {
    long index;
    float height;
    int block;
} marey_candidate;

// Which tops are candidates: those before `end`, and not before `nearest` unless they are from `low` to `high`; of those
// nearer to each other than `separation` the highest.
typedef struct {
    float floor, low, high;
    long nearest, end, separation;
} marey_candidate_rules;

// What a block of strengths comes to: the highest of its tops, 0 where there is none, and the sum of the strengths, each one
// place later.
typedef struct {
    float highest, total;
} marey_block;

// Adds the tops of up to four groups of eight strengths to the `candidates`, which begin with the `begin`-th and end before
// the `*end`-th; one more may be read before them.
MAREY_INLINE marey_block marey_collect(
    const float *strengths, long first, int groups, int block, marey_candidate_rules rules, marey_candidate *candidates,
    long begin, long *end) {
    float heights[32], highest = 0;
    int shifts[32];
    unsigned bits = 0;
    marey_f8 total = 0;
#pragma clang loop unroll(disable)
    for (int i = 0; i < groups; i++) {
        const float *place = strengths + first + 8 * i;
        marey_f8 after = marey_load(place + 1);
        bits |= marey_tops(
            marey_load(place - 1), marey_load(place), after, rules.floor, shifts + 8 * i, heights + 8 * i) << 8 * i;
        total += after;
    }
    long next = *end;
    // In one loop, with nothing in it that cannot be foretold.
    for (; bits; bits &= bits - 1) {
        int lane = __builtin_ctz(bits);
        marey_candidate top = {2 * (first + lane) + shifts[lane], heights[lane], block};
        if (top.index < 0 || top.index >= rules.end) continue;
        if (top.index < rules.nearest && !(top.height >= rules.low && top.height <= rules.high)) continue;
        highest = highest > top.height ? highest : top.height;
        marey_candidate last = candidates[next - 1];
        long isNear = (next > begin) & (top.index - last.index < rules.separation);
        long isKept = isNear & !(top.height > last.height);
        candidates[next] = top;
        candidates[next - isNear] = isKept ? last : top;
        next += 1 - isNear;
    }
    *end = next;
    return (marey_block){highest, marey_sum(total)};
}

// The three highest of some values, highest first.
typedef struct {
    float first, second, third;
} marey_highest_three;

// Those of `known` and of one more.
MAREY_INLINE marey_highest_three marey_note(marey_highest_three known, float value) {
    float second = known.first < value ? known.first : value, third = known.second < value ? known.second : value;
    return (marey_highest_three){
        known.first > value ? known.first : value, known.second > second ? known.second : second,
        known.third > third ? known.third : third};
}

// Those of the first `count` of sixteen values, none of them below 0. What stands behind them is read but does not count.
MAREY_INLINE marey_highest_three marey_three_highest(const float *values, int count) {
    marey_f8 zero = 0, low = MAREY_LANES < count ? marey_load(values) : zero;
    marey_f8 high = MAREY_LANES < count - 8 ? marey_load(values + 8) : zero;
    float found[3];
    for (int i = 0; i < 3; i++) {
        marey_f8 most = marey_max(low, high);
        most = marey_max(most, __builtin_shufflevector(most, most, 4, 5, 6, 7, 0, 1, 2, 3));
        most = marey_max(most, __builtin_shufflevector(most, most, 2, 3, 0, 1, 6, 7, 4, 5));
        most = marey_max(most, __builtin_shufflevector(most, most, 1, 0, 3, 2, 5, 4, 7, 6));
        found[i] = most[0];
        // One of equal ones only.
        int place = __builtin_ctz(marey_bits(low == most) | marey_bits(high == most) << 8 | 0x10000);
        low = MAREY_LANES == place ? zero : low;
        high = MAREY_LANES == place - 8 ? zero : high;
    }
    return (marey_highest_three){found[0], found[1], found[2]};
}

// Eight numbers of which one is another.
typedef double marey_d8 __attribute__((ext_vector_type(8)));
MAREY_INLINE marey_d8 marey_with(marey_d8 values, long lane, double value) {
    typedef long lanes __attribute__((ext_vector_type(8)));
    return (lanes){0, 1, 2, 3, 4, 5, 6, 7} == lane ? value : values;
}

// Of up to eight numbers, infinite where there are fewer, the one with `rank` smaller ones.
MAREY_INLINE double marey_ranked(marey_d8 values, int rank) {
    typedef long lanes __attribute__((ext_vector_type(8)));
    lanes under = 0;
    for (int i = 0; i < 8; i++) under += (marey_d8)(values[i]) <= values;
    marey_d8 infinite = __builtin_inf();
    marey_d8 left = under < (long)-rank ? values : infinite;
    marey_d4 four = left.lo < left.hi ? left.lo : left.hi;
    four.lo = four.lo < four.hi ? four.lo : four.hi;
    return four.x < four.y ? four.x : four.y;
}

// Whether the value before `values` and `count` from there on, a multiple of 8, are all the same.
MAREY_INLINE _Bool marey_is_constant(const float *values, long count) {
    for (long place = 0; place < count; place += 8) {
        if (marey_bits(marey_load(values + place) != marey_load(values + place - 1))) return 0;
    }
    return 1;
}

// The sum of `count` values, a multiple of 8.
MAREY_INLINE float marey_total(const float *values, long count) {
    marey_f8 sum = 0;
    for (long place = 0; place < count; place += 8) sum += marey_load(values + place);
    return marey_sum(sum);
}

// Where slopes are most like a pattern of unit length.
typedef struct {
    // The correlation there, -2 where there is none, and the product with the pattern.
    float likeness, product;
    // Which place, and which pattern.
    int place, pattern;
} marey_match;

// Compares patterns of 16 slopes each, those that have their bit in `used`, with the slopes at `samples` and after, and then
// at the next of up to eight places. The first of equal ones.
MAREY_INLINE marey_match marey_likest(const float *samples, const float *patterns, unsigned used, int places) {
    marey_f8 slopes[16], first = 0, second = 0;
    for (int lag = 0; lag < 16; lag += 2) {
        slopes[lag] = marey_load(samples + lag + 1) - marey_load(samples + lag - 1);
        slopes[lag + 1] = marey_load(samples + lag + 2) - marey_load(samples + lag);
        first = marey_add(first, marey_mul(slopes[lag], slopes[lag]));
        second = marey_add(second, marey_mul(slopes[lag + 1], slopes[lag + 1]));
    }
    marey_f8 size = marey_root(first + second), likeness = -2, product = 0, pattern = 0;
    for (; used; used &= used - 1) {
        int index = __builtin_ctz(used);
        const float *taps = patterns + 16 * index;
        // Two sums, so that one addition need not wait for the other.
        first = 0;
        second = 0;
        for (int lag = 0; lag < 16; lag += 2) {
            first = marey_add(first, marey_mul(slopes[lag], taps[lag]));
            second = marey_add(second, marey_mul(slopes[lag + 1], taps[lag + 1]));
        }
        marey_f8 here = first + second;
        // No number where the slopes are 0, which is not above anything.
        marey_f8 ratio = here / size;
        product = marey_above(ratio, likeness, here, product);
        pattern = marey_above(ratio, likeness, (float)index, pattern);
        likeness = marey_above(ratio, likeness, ratio, likeness);
    }
    int best = marey_highest(likeness, places);
    return (marey_match){likeness[best & 7], product[best & 7], best, (int)pattern[best & 7]};
}

// Writes what is left of `count` samples when the mean over `reach` to either side is taken from each; room for 8 more is
// used. Gives the largest size, the two ends not counted.
MAREY_INLINE float marey_deflect(const float *samples, int reach, int count, float *deflections) {
    float reference = *samples, width = 2 * reach + 1, sum = 0;
    for (int lag = -reach; lag <= reach; lag++) sum += samples[lag] - reference;
    for (int place = 0; place < count; place++) {
        deflections[place] = sum;
        sum += samples[place + reach + 1] - samples[place - reach];
    }
    marey_f8 largest = 0, zero = 0;
    for (int place = 0; place < count; place += 8) {
        marey_f8 mean = marey_load(deflections + place) / width;
        marey_f8 deflection = marey_load(samples + place) - reference - mean;
        marey_store(deflection, deflections + place);
        marey_i8 isInside = (MAREY_LANES > -place) & (MAREY_LANES < count - 1 - place);
        largest = marey_max(isInside ? __builtin_elementwise_abs(deflection) : zero, largest);
    }
    return marey_highest(largest);
}

// The first of the deflections, the two ends not counted, whose size is at least `least` and not below those beside it; -1
// where there is none.
MAREY_INLINE int marey_first_top(const float *deflections, int count, float least) {
    for (int place = 1; place < count - 1; place += 8) {
        marey_f8 here = __builtin_elementwise_abs(marey_load(deflections + place));
        marey_f8 before = __builtin_elementwise_abs(marey_load(deflections + place - 1));
        marey_f8 after = __builtin_elementwise_abs(marey_load(deflections + place + 1));
        marey_i8 top = (here >= least) & (here >= before) & (here >= after) & (MAREY_LANES < count - 1 - place);
        unsigned bits = marey_bits(top);
        if (bits) return place + __builtin_ctz(bits);
    }
    return -1;
}

// Sums of eight values less `reference` and those `reach` to either side, `weights[lag]` times each, times `sign`.
MAREY_INLINE marey_f8 marey_smoothed(
    const float *values, const float *weights, int reach, float reference, float sign) {
    marey_f8 heights = (marey_load(values) - reference) * weights[0];
    for (int lag = 1; lag <= reach; lag++) {
        marey_f8 sides = (marey_load(values - lag) - reference) + (marey_load(values + lag) - reference);
        heights = marey_add(heights, marey_mul(sides, (marey_f8)weights[lag]));
    }
    return heights * sign;
}

// Writes `count` such sums in a row; room for 7 more is used.
MAREY_INLINE void marey_smooth(const float *values, int count, const float *weights, int reach, float *smooth) {
    float reference = *values;
    for (int place = 0; place < count; place += 8) {
        marey_store(marey_smoothed(values + place, weights, reach, reference, 1), smooth + place);
    }
}

// A top, and what stands before, at and after it.
typedef struct {
    int place;
    float before, height, after;
} marey_summit;

// The highest of `count` values once they are smoothed, the first of equal ones.
MAREY_INLINE marey_summit marey_smooth_top(
    const float *values, int count, const float *weights, int reach, float reference, float sign) {
    marey_f8 lowest = -__builtin_inff(), around = lowest;
    float highest = lowest[0];
    int best = 0, middle = 0;
    for (int place = 0; place < count; place += 8) {
        marey_f8 heights = marey_smoothed(values + place, weights, reach, reference, sign);
        // What is no number is not the highest.
        int lane = marey_highest(marey_max(heights, lowest), count - place);
        if (heights[lane & 7] > highest) {
            highest = heights[lane & 7];
            best = place + lane;
            middle = lane;
            around = heights;
        }
    }
    if (middle == 0 || middle == 7) {
        around = marey_smoothed(values + best - 1, weights, reach, reference, sign);
        middle = 1;
    }
    return (marey_summit){best, around[(middle - 1) & 7], around[middle & 7], around[(middle + 1) & 7]};
}

// The sum of sixteen numbers in their order.
typedef float marey_f16 __attribute__((ext_vector_type(16)));
MAREY_INLINE float marey_sum_in_order(marey_f16 a) {
    float sum = a[0];
    for (int i = 1; i < 16; i++) sum += a[i];
    return sum;
}

// Sixteen numbers at unit length, and a weighted sum of two times sixteen.
MAREY_INLINE marey_f16 marey_unit(marey_f16 a) {
    marey_f16 squares = a * a;
    return a / (marey_f16)(__builtin_sqrtf(marey_sum_in_order(squares)));
}
MAREY_INLINE marey_f16 marey_mixed(marey_f16 a, float share, marey_f16 b, float other) {
    marey_f16 one = a * share, two = b * other;
    return one + two;
}

// The highest of 16 scores whose times lie within `reach` of each of some parts of the `interval` that ends at `end`, and
// `least` where there is none.
typedef double marey_d16 __attribute__((ext_vector_type(16)));
MAREY_INLINE marey_d4 marey_highest_at(
    marey_d16 times, marey_d16 scores, double end, double interval, marey_d4 parts, double reach, double least) {
    marey_d16 part = 1 - (end - times) / interval, lowest = least;
    marey_d4 highest;
    for (int i = 0; i < 4; i++) {
        marey_d16 found = __builtin_elementwise_abs(part - parts[i]) < reach ? scores : lowest;
        found.lo = found.lo > found.hi ? found.lo : found.hi;
        marey_d4 four = found.lo.lo > found.lo.hi ? found.lo.lo : found.lo.hi;
        four.lo = four.lo > four.hi ? four.lo : four.hi;
        highest[i] = four.x > four.y ? four.x : four.y;
    }
    return highest;
}

// The responses of a long and a short wavelet at some place, their real and imaginary parts.
typedef struct {
    marey_f8 longs[2], shorts[2];
} marey_response;

// Adds what the samples at one lag to either side come to, `taps` being those of the long and of the short wavelet.
MAREY_INLINE void marey_respond(
    marey_response *response, const float *later, const float *earlier, const float *taps, int isShort) {
    marey_f8 one = marey_load(later), other = marey_load(earlier), sum = one + other, difference = one - other;
    response->longs[0] = marey_add(response->longs[0], marey_mul(sum, taps[0]));
    response->longs[1] = marey_add(response->longs[1], marey_mul(difference, taps[1]));
    if (!isShort) return;
    response->shorts[0] = marey_add(response->shorts[0], marey_mul(sum, taps[2]));
    response->shorts[1] = marey_add(response->shorts[1], marey_mul(difference, taps[3]));
}

MAREY_INLINE marey_f8 marey_power(const marey_f8 *parts) {
    return marey_add(marey_mul(parts[0], parts[0]), marey_mul(parts[1], parts[1]));
}

// The geometric means of the moduli at `groups` times eight places, one after the other: of samples at even places and those
// at odd ones. `taps` holds the wavelets at pairs of an odd lag and the next even one; the short one has fewer.
MAREY_INLINE void marey_moduli(
    const float *even, const float *odd, const float *centers, const float *taps, int shorts, int pairs, int groups,
    float *output) {
    marey_response responses[2];
    for (int i = 0; i < groups; i++) {
        marey_f8 here = marey_load(even + 8 * i);
        responses[i] = (marey_response){{marey_mul(here, centers[0]), 0}, {marey_mul(here, centers[1]), 0}};
    }
    int pair = 0;
    for (; pair < shorts; pair++) {
        for (int i = 0; i < groups; i++) {
            marey_respond(&responses[i], odd + 8 * i + pair, odd + 8 * i - 1 - pair, taps + 8 * pair, 1);
        }
        for (int i = 0; i < groups; i++) {
            marey_respond(&responses[i], even + 8 * i + 1 + pair, even + 8 * i - 1 - pair, taps + 8 * pair + 4, 1);
        }
    }
    for (; pair < pairs; pair++) {
        for (int i = 0; i < groups; i++) {
            marey_respond(&responses[i], odd + 8 * i + pair, odd + 8 * i - 1 - pair, taps + 8 * pair, 0);
            marey_respond(&responses[i], even + 8 * i + 1 + pair, even + 8 * i - 1 - pair, taps + 8 * pair + 4, 0);
        }
    }
    for (int i = 0; i < groups; i++) {
        marey_f8 product = marey_mul(marey_power(responses[i].longs), marey_power(responses[i].shorts));
        // Where the power leaves Float's range, no number beyond it may come out.
        marey_store(marey_min(marey_root(marey_root(product)), 4e9f), output + 8 * i);
    }
}

#endif
