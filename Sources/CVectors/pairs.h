// Comparing the patterns of a series with one another; in C for the reason that vectors.h gives.
#ifndef MAREY_PAIRS_H
#define MAREY_PAIRS_H

#include "vectors.h"

typedef long marey_l4 __attribute__((ext_vector_type(4)));
typedef unsigned long marey_u4 __attribute__((ext_vector_type(4)));
typedef marey_l4 marey_l4_anywhere __attribute__((aligned(8)));

MAREY_INLINE marey_d4 marey_max(marey_d4 a, marey_d4 b) { return a > b ? a : b; }
MAREY_INLINE double marey_sum(marey_d4 a) { return (a.x + a.y) + (a.z + a.w); }
MAREY_INLINE marey_d4 marey_load(const double *values) { return *(const marey_d4_anywhere *)values; }

// Whether a lane is all ones.
MAREY_INLINE _Bool marey_any(marey_l4 lanes) { return __builtin_reduce_or(lanes) != 0; }

// The places of `count` values in the rising order of these, from 1 to 2^31 of them; `packed` and `spare` have room for as
// many. Two passes sort them by 65,536 levels from the lowest to the highest, and a third within a level, where few are.
MAREY_INLINE void marey_put_in_order(
    const double *values, int count, int *places, unsigned long *packed, unsigned long *spare) {
    double low = values[0], high = low;
    for (int i = 1; i < count; i++) {
        low = values[i] < low ? values[i] : low;
        high = values[i] > high ? values[i] : high;
    }
    double factor = 65535 / (high - low);
    int starts[2][256] = {0};
    for (int i = 0; i < count; i++) {
        // Also what is no number, as where all are the same, has a level.
        double level = (values[i] - low) * factor;
        level = level > 0 ? level : 0;
        unsigned long key = (unsigned long)(long)(level < 65535 ? level : 65535);
        packed[i] = key << 32 | (unsigned)i;
        starts[0][key & 255]++;
        starts[1][key >> 8 & 255]++;
    }
    for (int pass = 0, before = 0; pass < 2; pass++, before = 0) {
        for (int i = 0; i < 256; i++) {
            int here = starts[pass][i];
            starts[pass][i] = before;
            before += here;
        }
    }
    for (int i = 0; i < count; i++) spare[starts[0][packed[i] >> 32 & 255]++] = packed[i];
    for (int i = 0; i < count; i++) places[starts[1][spare[i] >> 40 & 255]++] = (int)spare[i];
    for (int i = 1; i < count; i++) {
        int place = places[i], next = i;
        for (; next > 0 && values[places[next - 1]] > values[place]; next--) places[next] = places[next - 1];
        places[next] = place;
    }
}

// Lanes of -1 where all values of a pattern but the last are no further than `tolerance` from those of four others, and of
// -2^32 less 1 where the last one is not either.
MAREY_INLINE marey_l4 marey_alike(
    const double *rows, long stride, int length, long place, long other, double tolerance) {
    marey_l4 alike = rows[place] - marey_load(rows + other) >= -tolerance;
    for (int step = 1; step < length - 1; step++) {
        const double *row = rows + step * stride;
        alike &= __builtin_elementwise_abs(row[place] - marey_load(row + other)) <= tolerance;
    }
    const double *row = rows + (length - 1) * stride;
    marey_l4 next = __builtin_elementwise_abs(row[place] - marey_load(row + other)) <= tolerance;
    return alike + (alike & next & -(1L << 32));
}

// How many pairs of patterns match in all values but the last, and in all.
typedef struct {
    long shorts, longs;
} marey_match_counts;

// Counts the pairs of `count` patterns of `length` values, 2 at least, that match. Row k of `rows` holds their values at k,
// rising in row 0, and then four infinite ones. To `counts`, where it is given, the matches of each pattern are added: those in
// all values but the last, and 2^32 for each in all.
MAREY_INLINE marey_match_counts marey_count_alike(
    const double *rows, long stride, int length, long count, double tolerance, long *counts) {
    marey_match_counts pairs = {0, 0};
    long end = 0;
    for (long place = 0; place < count; place++) {
        while (end < count && rows[end] - rows[place] <= tolerance) end++;
        // Groups begin at multiples of four: what was just written is read again as it was written.
        long other = (place + 1) & ~3L;
        marey_l4 lanes = {0, 1, 2, 3}, isLater = lanes > place - other, own = 0;
        for (; other < end; other += 4) {
            marey_l4 alike = marey_alike(rows, stride, length, place, other, tolerance) & isLater;
            isLater = -1;
            own -= alike;
            if (counts) *(marey_l4_anywhere *)(counts + other) -= alike;
        }
        long sum = __builtin_reduce_add(own);
        if (counts) counts[place] += sum;
        pairs.shorts += sum & 0xffffffff;
        pairs.longs += sum >> 32;
    }
    return pairs;
}

// The same, where patterns of three values are faster.
MAREY_INLINE marey_match_counts marey_count_matches(
    const double *rows, long stride, int length, long count, double tolerance) {
    if (length == 3) return marey_count_alike(rows, stride, 3, count, tolerance, 0);
    return marey_count_alike(rows, stride, length, count, tolerance, 0);
}
MAREY_INLINE void marey_count_neighbours(
    const double *rows, long stride, int length, long count, double tolerance, long *counts) {
    if (length == 3) {
        marey_count_alike(rows, stride, 3, count, tolerance, counts);
    } else {
        marey_count_alike(rows, stride, length, count, tolerance, counts);
    }
}

// The squared differences between four values and one.
MAREY_INLINE marey_d4 marey_squares(const double *values, double one) {
    marey_d4 difference = marey_load(values) - one;
    return difference * difference;
}

// How many groups of four go side by side: each waits for itself alone.
#define MAREY_ABREAST 4

// Adds 2^-x for x >= 0, to a relative error below 1e-12, group after group; 0 where that leaves the exponent's range.
MAREY_INLINE marey_d4 marey_add_halvings(marey_d4 sum, const marey_d4 *x) {
    // The polynomial of least relative error on |f| <= 1/2.
    static const double factors[9] = {
        1.3175727515128416e-06, 1.5309736278438065e-05, 0.00015403852402840265, 0.0013333452066279445, 0.009618128541844568,
        0.0555041093933915,     0.24022650698885722,    0.6931471805465109,     0.9999999999997625};
    marey_d4 magic = 6755399441055744.0, part[MAREY_ABREAST], series[MAREY_ABREAST];
    MAREY_UNROLLED for (int i = 0; i < MAREY_ABREAST; i++) {
        // 2^k 2^f with |f| <= 1/2: adding 1.5 2^52 leaves k in the lowest bits.
        part[i] = (magic - (magic - x[i])) - x[i];
        series[i] = factors[0];
    }
    MAREY_UNROLLED for (int k = 1; k < 9; k++) {
        MAREY_UNROLLED for (int i = 0; i < MAREY_ABREAST; i++) {
            series[i] = marey_add(marey_mul(series[i], part[i]), (marey_d4)factors[k]);
        }
    }
    MAREY_UNROLLED for (int i = 0; i < MAREY_ABREAST; i++) {
        // Into the exponent.
        marey_u4 power = (marey_u4)series[i] + ((marey_u4)(magic - x[i]) << 52);
        sum += (marey_d4)(power & (marey_u4)(x[i] <= 1000));
    }
    return sum;
}

// The sums of 2^-d over the pairs of `count` patterns, d being the greatest squared difference of their values, in lanes: that
// of a pattern and the one n places after it goes into lane (n - 1) % 4. Row k holds the values at k, and then as many infinite
// ones as go side by side.
MAREY_INLINE marey_d4 marey_memberships_of(const double *rows, long stride, int length, long count) {
    marey_d4 sum = 0;
    for (long place = 0; place < count - 1; place++) {
        for (long other = place + 1; other < count; other += 4 * MAREY_ABREAST) {
            marey_d4 furthest[MAREY_ABREAST];
            const double *here = rows + other;
            MAREY_UNROLLED for (int i = 0; i < MAREY_ABREAST; i++) furthest[i] = marey_squares(here + 4 * i, rows[place]);
            for (int step = 1; step < length; step++) {
                MAREY_UNROLLED for (int i = 0; i < MAREY_ABREAST; i++) {
                    const double *row = rows + step * stride;
                    marey_d4 next = marey_squares(row + other + 4 * i, row[place]);
                    furthest[i] = next > furthest[i] ? next : furthest[i];
                }
            }
            sum = marey_add_halvings(sum, furthest);
        }
    }
    return sum;
}

// The same, where patterns of one and of three values are faster.
MAREY_INLINE marey_d4 marey_memberships(const double *rows, long stride, int length, long count) {
    switch (length) {
        case 1: return marey_memberships_of(rows, stride, 1, count);
        case 3: return marey_memberships_of(rows, stride, 3, count);
        default: return marey_memberships_of(rows, stride, length, count);
    }
}

// Counts of squared distances by size: four rows of `steps` counts, each step a 32nd of a factor of two and the first one at
// `lowest`, which is in the bits of a number of twice the exponent's place and five places of the fraction.
typedef struct {
    long *counts;
    double scale;
    int steps, lowest;
} marey_histogram;

// The number whose bits begin so.
MAREY_INLINE double marey_step_edge(int step) {
    unsigned long bits = (unsigned long)(unsigned)step << 47;
    double edge;
    __builtin_memcpy(&edge, &bits, sizeof edge);
    return edge;
}

// Counts lines by their lengths, where these are not 0.
MAREY_INLINE void marey_end_lines(marey_l4 some, marey_l4 others, long *lines) {
    MAREY_UNROLLED for (int i = 0; i < 4; i++) {
        if (some[i]) lines[some[i]]++;
        if (others[i]) lines[others[i]]++;
    }
}

// Counts four squared distances over the scale.
MAREY_INLINE void marey_count_sizes(marey_histogram histogram, marey_d4 squares) {
    double first = marey_step_edge(histogram.lowest), last = marey_step_edge(histogram.lowest + histogram.steps - 1);
    marey_d4 size = squares / histogram.scale;
    size = size > first ? size : first;
    size = size < last ? size : last;
    marey_l4 step = ((marey_l4)size >> 47) - histogram.lowest;
    MAREY_UNROLLED for (int i = 0; i < 4; i++) histogram.counts[step[i] + i * (long)histogram.steps]++;
}

// Walks along eight neighbouring diagonals, the first of `patterns` places, of the matrix of squared distances between the
// patterns of `dimension` successive values, and counts the distances and, by their length, the lines of those up to `limit`.
// Seven infinite values stand behind the series, and what is beyond the end of a diagonal is infinite, too.
MAREY_INLINE void marey_walk_diagonals(
    const double *series, long lag, long patterns, int dimension, double limit, long *lines, marey_histogram histogram) {
    const double *later = series + lag;
    marey_d4 one = 0, other = 0;
    marey_l4 run = 0, otherRun = 0;
    for (int place = 0; place < dimension - 1; place++) {
        one += marey_squares(later + place, series[place]);
        other += marey_squares(later + place + 4, series[place]);
    }
    for (long place = 0; place < patterns; place++) {
        double last = series[place + dimension - 1], first = series[place];
        one += marey_squares(later + place + dimension - 1, last);
        other += marey_squares(later + place + dimension + 3, last);
        marey_count_sizes(histogram, one);
        marey_count_sizes(histogram, other);
        marey_l4 near = one <= limit, otherNear = other <= limit;
        marey_l4 ended = run & ~near, otherEnded = otherRun & ~otherNear;
        if (marey_any(ended | otherEnded)) marey_end_lines(ended, otherEnded, lines);
        run = (run + 1) & near;
        otherRun = (otherRun + 1) & otherNear;
        one = marey_max(one - marey_squares(later + place, first), 0);
        other = marey_max(other - marey_squares(later + place + 4, first), 0);
    }
    marey_end_lines(run, otherRun, lines);
}

// The mean of some values, and of what they are without it and what their neighbours on both sides come to without it: the
// sums of their squares and of their products, the first and the last value not counted.
typedef struct {
    double mean, power, product, neighbours;
} marey_moments;
MAREY_INLINE marey_moments marey_wave_moments(const double *values, long count) {
    marey_d4 sum = 0, other = 0, power = 0, product = 0, neighbours = 0;
    long place = 0;
    for (; place + 8 <= count; place += 8) {
        sum += marey_load(values + place);
        other += marey_load(values + place + 4);
    }
    double mean = marey_sum(sum + other);
    for (; place < count; place++) mean += values[place];
    mean /= (double)count;
    for (place = 1; place + 5 <= count; place += 4) {
        marey_d4 here = marey_load(values + place) - mean;
        marey_d4 beside = marey_load(values + place - 1) + marey_load(values + place + 1) - 2 * mean;
        power = marey_add(power, marey_mul(here, here));
        product = marey_add(product, marey_mul(here, beside));
        neighbours = marey_add(neighbours, marey_mul(beside, beside));
    }
    marey_moments moments = {mean, marey_sum(power), marey_sum(product), marey_sum(neighbours)};
    for (; place + 1 < count; place++) {
        double here = values[place] - mean, beside = values[place - 1] + values[place + 1] - 2 * mean;
        moments.power += here * here;
        moments.product += here * beside;
        moments.neighbours += beside * beside;
    }
    return moments;
}

#endif
