// Vector arithmetic for Swift's SIMD types. Swift 6.3 spells SIMD8<Float> + SIMD8<Float> out lane by lane and hopes
// that LLVM finds the vector again, which in Fourier passes it does not; clang's vector types are vectors from the
// start. Nothing is fused: each function is one operation, so results are the same on every instruction set.
#ifndef MAREY_VECTORS_H
#define MAREY_VECTORS_H

typedef float marey_f8 __attribute__((ext_vector_type(8)));
typedef float marey_f4 __attribute__((ext_vector_type(4)));
typedef double marey_d4 __attribute__((ext_vector_type(4)));
// In memory Swift aligns its vectors to 16 bytes only.
typedef marey_f8 marey_f8_anywhere __attribute__((aligned(4)));
typedef marey_f4 marey_f4_anywhere __attribute__((aligned(4)));
typedef marey_d4 marey_d4_anywhere __attribute__((aligned(8)));

#define MAREY_INLINE static inline __attribute__((always_inline, overloadable))
// Before a short loop: Swift unrolls none that it is not told to, and what a loop indexes stays in memory.
#define MAREY_UNROLLED _Pragma("clang loop unroll(full)")

MAREY_INLINE marey_f8 marey_load(const float *values) { return *(const marey_f8_anywhere *)values; }
MAREY_INLINE void marey_store(marey_f8 a, float *values) { *(marey_f8_anywhere *)values = a; }

MAREY_INLINE marey_f8 marey_add(marey_f8 a, marey_f8 b) { return a + b; }
MAREY_INLINE marey_f8 marey_sub(marey_f8 a, marey_f8 b) { return a - b; }
MAREY_INLINE marey_f8 marey_mul(marey_f8 a, marey_f8 b) { return a * b; }
MAREY_INLINE marey_d4 marey_add(marey_d4 a, marey_d4 b) { return a + b; }
MAREY_INLINE marey_d4 marey_sub(marey_d4 a, marey_d4 b) { return a - b; }
MAREY_INLINE marey_d4 marey_mul(marey_d4 a, marey_d4 b) { return a * b; }

// a * b + c, rounded once.
MAREY_INLINE marey_d4 marey_fused(marey_d4 a, marey_d4 b, marey_d4 c) { return __builtin_elementwise_fma(a, b, c); }

// Square roots, correctly rounded.
MAREY_INLINE marey_f8 marey_root(marey_f8 a) { return __builtin_elementwise_sqrt(a); }

// The smaller and the larger lanes; b where a is no number.
MAREY_INLINE marey_f8 marey_min(marey_f8 a, marey_f8 b) { return a < b ? a : b; }
MAREY_INLINE marey_f8 marey_max(marey_f8 a, marey_f8 b) { return a > b ? a : b; }

// The lanes of `yes` where a is above b, and those of `no` elsewhere.
MAREY_INLINE marey_f8 marey_above(marey_f8 a, marey_f8 b, marey_f8 yes, marey_f8 no) { return a > b ? yes : no; }

// Every lane the same.
MAREY_INLINE marey_f8 marey_all(float a) { return (marey_f8)(a); }
MAREY_INLINE marey_d4 marey_all(double a) { return (marey_d4)(a); }

// Conversion between the two precisions.
MAREY_INLINE marey_d4 marey_wide(marey_f4 a) { return __builtin_convertvector(a, marey_d4); }
MAREY_INLINE marey_f4 marey_narrow(marey_d4 a) { return __builtin_convertvector(a, marey_f4); }
MAREY_INLINE marey_f8 marey_narrow(marey_d4 low, marey_d4 high) {
    marey_f8 both;
    both.lo = marey_narrow(low);
    both.hi = marey_narrow(high);
    return both;
}

// Lanes back to front.
MAREY_INLINE marey_f8 marey_reverse(marey_f8 a) { return __builtin_shufflevector(a, a, 7, 6, 5, 4, 3, 2, 1, 0); }
MAREY_INLINE marey_d4 marey_reverse(marey_d4 a) { return __builtin_shufflevector(a, a, 3, 2, 1, 0); }

// The lowest and the highest of the lanes, where all are numbers.
MAREY_INLINE float marey_lowest(marey_f8 a) {
    a = marey_min(a, __builtin_shufflevector(a, a, 4, 5, 6, 7, 0, 1, 2, 3));
    a = marey_min(a, __builtin_shufflevector(a, a, 2, 3, 0, 1, 6, 7, 4, 5));
    return marey_min(a, __builtin_shufflevector(a, a, 1, 0, 3, 2, 5, 4, 7, 6))[0];
}
MAREY_INLINE float marey_highest(marey_f8 a) {
    a = marey_max(a, __builtin_shufflevector(a, a, 4, 5, 6, 7, 0, 1, 2, 3));
    a = marey_max(a, __builtin_shufflevector(a, a, 2, 3, 0, 1, 6, 7, 4, 5));
    return marey_max(a, __builtin_shufflevector(a, a, 1, 0, 3, 2, 5, 4, 7, 6))[0];
}

// The sum of the lanes, halves first.
MAREY_INLINE float marey_sum(marey_f8 a) {
    float __attribute__((ext_vector_type(4))) b = a.lo + a.hi;
    float __attribute__((ext_vector_type(2))) c = b.lo + b.hi;
    return c.x + c.y;
}

// Of the first `count` of sixteen values: the sum, how many are at least the floor, and the one with `rank` smaller
// ones. What stands behind them is read but does not count.
typedef int marey_i8 __attribute__((ext_vector_type(8)));
typedef marey_i8 marey_i8_anywhere __attribute__((aligned(4)));
#define MAREY_LANES ((marey_i8){0, 1, 2, 3, 4, 5, 6, 7})
MAREY_INLINE float marey_first_sum(const float *values, int count) {
    marey_f8 a = *(const marey_f8_anywhere *)values, zero = 0;
    // What was written just before may stand behind, and is waited for.
    if (count <= 8) return marey_sum((MAREY_LANES < count ? a : zero) + zero);
    marey_f8 b = *(const marey_f8_anywhere *)(values + 8);
    return marey_sum((MAREY_LANES < count ? a : zero) + (MAREY_LANES < count - 8 ? b : zero));
}
MAREY_INLINE int marey_first_reaching(const float *values, int count, float floor) {
    marey_f8 a = *(const marey_f8_anywhere *)values;
    if (count <= 8) return -__builtin_reduce_add((a >= (marey_f8)(floor)) & (MAREY_LANES < count));
    marey_f8 b = *(const marey_f8_anywhere *)(values + 8);
    marey_i8 found = ((a >= (marey_f8)(floor)) & (MAREY_LANES < count)) + ((b >= (marey_f8)(floor)) & (MAREY_LANES < count - 8));
    return -__builtin_reduce_add(found);
}
MAREY_INLINE float marey_first_ranked(const float *values, int count, int rank) {
    marey_f8 infinite = __builtin_inff();
    marey_f8 a = *(const marey_f8_anywhere *)values, b = *(const marey_f8_anywhere *)(values + 8);
    a = MAREY_LANES < count ? a : infinite;
    b = MAREY_LANES < count - 8 ? b : infinite;
    marey_i8 under_a = 0, under_b = 0;
    for (int i = 0; i < count; i++) {
        under_a += (marey_f8)(values[i]) <= a;
        under_b += (marey_f8)(values[i]) <= b;
    }
    marey_f8 left = marey_min(under_a < -rank ? a : infinite, under_b < -rank ? b : infinite);
    float __attribute__((ext_vector_type(4))) half = left.lo < left.hi ? left.lo : left.hi;
    float __attribute__((ext_vector_type(2))) two = half.lo < half.hi ? half.lo : half.hi;
    return two.x < two.y ? two.x : two.y;
}

// The bits of the lanes that are all ones; the others are zero.
MAREY_INLINE unsigned marey_bits(marey_i8 lanes) {
#ifdef __AVX__
    return (unsigned)__builtin_ia32_movmskps256((marey_f8)lanes);
#else
    return (unsigned)__builtin_reduce_or(lanes & (marey_i8){1, 2, 4, 8, 16, 32, 64, 128});
#endif
}

// The highest of `count` values less the lowest; 8 values at least.
MAREY_INLINE float marey_range(const float *values, int count) {
    marey_f8 low = *(const marey_f8_anywhere *)(values + count - 8), high = low;
    for (int place = 0; place < count - 8; place += 8) {
        marey_f8 here = *(const marey_f8_anywhere *)(values + place);
        low = marey_min(low, here);
        high = marey_max(high, here);
    }
    return marey_highest(high) - marey_lowest(low);
}

// Lowers `low` to the lowest of `count` values, all of them numbers, and raises `high` to the highest.
MAREY_INLINE void marey_extend(const float *values, long count, float *low, float *high) {
    marey_f8 lowest = *low, highest = *high;
    long place = 0;
    for (; place + 8 <= count; place += 8) {
        marey_f8 here = marey_load(values + place);
        lowest = marey_min(here, lowest);
        highest = marey_max(here, highest);
    }
    *low = marey_lowest(lowest);
    *high = marey_highest(highest);
    for (; place < count; place++) {
        if (values[place] < *low) *low = values[place];
        if (values[place] > *high) *high = values[place];
    }
}

// The smallest step but 0 from one of `count` values to the next; infinite where there is none.
MAREY_INLINE float marey_smallest_step(const float *values, long count) {
    marey_f8 infinite = __builtin_inff(), least = infinite;
    long place = 0;
    for (; place + 9 <= count; place += 8) {
        marey_f8 step = __builtin_elementwise_abs(marey_sub(marey_load(values + place + 1), marey_load(values + place)));
        least = marey_min(step > 0 ? step : infinite, least);
    }
    float smallest = marey_lowest(least);
    for (; place + 1 < count; place++) {
        float step = __builtin_fabsf(values[place + 1] - values[place]);
        if (step > 0 && step < smallest) smallest = step;
    }
    return smallest;
}

// The magnitudes of values[lag ...] - values[...], vector number `place` of them.
MAREY_INLINE marey_f8 marey_distance(const float *values, int lag, int place) {
    const float *here = values + 8 * (long)place;
    return __builtin_elementwise_abs(*(const marey_f8_anywhere *)(here + lag) - *(const marey_f8_anywhere *)here);
}

// Their sums, lane by lane, over every `stride`-th vector from `first` to before `end`, and so for each of the `width`
// vectors from `first` on; at least as many vectors apart.
MAREY_INLINE void marey_distances(const float *values, int lag, int first, int width, int end, int stride, float *sums) {
    marey_f8 even[4] = {0, 0, 0, 0}, odd[4] = {0, 0, 0, 0};
    int place = first;
    for (; place + stride + width <= end; place += 2 * stride) {
        for (int i = 0; i < width; i++) {
            even[i] += marey_distance(values, lag, place + i);
            odd[i] += marey_distance(values, lag, place + stride + i);
        }
    }
    for (int i = 0; i < width; i++) {
        if (place + i < end) even[i] += marey_distance(values, lag, place + i);
        if (place + stride + i < end) odd[i] += marey_distance(values, lag, place + stride + i);
        *(marey_f8_anywhere *)(sums + 8 * i) = even[i] + odd[i];
    }
}

// For each r below `lag` the sum of |values[t + lag] - values[t]| over t = r, r + lag, r + 2 lag ..., as far as whole
// vectors go; `lag` is at most 64. Vectors `stride` vectors apart hold the same remainders, lane by lane.
MAREY_INLINE void marey_lagged_sums(const float *values, int lag, int vectors, int stride, double *sums) {
    float lanes[8 * 64];
    int rows = stride < vectors ? stride : vectors;
    for (int first = 0; first < rows; first += 4) {
        switch (rows - first) {
            case 1: marey_distances(values, lag, first, 1, vectors, stride, lanes + 8 * first); break;
            case 2: marey_distances(values, lag, first, 2, vectors, stride, lanes + 8 * first); break;
            case 3: marey_distances(values, lag, first, 3, vectors, stride, lanes + 8 * first); break;
            default: marey_distances(values, lag, first, 4, vectors, stride, lanes + 8 * first);
        }
    }
    for (int rest = 0; rest < lag; rest++) {
        double sum = 0;
        for (int place = rest; place < 8 * rows; place += lag) sum += lanes[place];
        sums[rest] = sum;
    }
}

// Rows and columns of a square exchanged.
MAREY_INLINE void marey_turn(marey_f4 *a) {
    marey_f4 b = __builtin_shufflevector(a[0], a[1], 0, 4, 1, 5), c = __builtin_shufflevector(a[0], a[1], 2, 6, 3, 7);
    marey_f4 d = __builtin_shufflevector(a[2], a[3], 0, 4, 1, 5), e = __builtin_shufflevector(a[2], a[3], 2, 6, 3, 7);
    a[0] = __builtin_shufflevector(b, d, 0, 1, 4, 5), a[1] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
    a[2] = __builtin_shufflevector(c, e, 0, 1, 4, 5), a[3] = __builtin_shufflevector(c, e, 2, 3, 6, 7);
}

// Four instants of four channels, of which each begins in `starts`; and back.
MAREY_INLINE void marey_instants_of(const float *values, const long *starts, marey_f4 *instants) {
    for (int i = 0; i < 4; i++) instants[i] = *(const marey_f4_anywhere *)(values + starts[i]);
    marey_turn(instants);
}
MAREY_INLINE void marey_set_instants(marey_f4 *instants, float *values, const long *starts) {
    marey_turn(instants);
    for (int i = 0; i < 4; i++) *(marey_f4_anywhere *)(values + starts[i]) = instants[i];
}

// The same address, as if it were news: what is there is read again where it is used, and does not take the registers that
// a loop has better use for.
MAREY_INLINE const void *marey_anew(const void *address) {
    __asm__ volatile("" : "+r"(address));
    return address;
}

// Asks for `count` values that are read soon, so that memory need not be waited for then.
MAREY_INLINE void marey_fetch(const float *values, long count) {
    for (long place = 0; place < count; place += 16) __builtin_prefetch(values + place);
}

// Which of the first `count` lanes is the highest, the first of equal ones.
MAREY_INLINE int marey_highest(marey_f8 a, int count) {
    a = MAREY_LANES < count ? a : (marey_f8)(-__builtin_inff());
    marey_f8 high = marey_max(a, __builtin_shufflevector(a, a, 4, 5, 6, 7, 0, 1, 2, 3));
    high = marey_max(high, __builtin_shufflevector(high, high, 2, 3, 0, 1, 6, 7, 4, 5));
    high = marey_max(high, __builtin_shufflevector(high, high, 1, 0, 3, 2, 5, 4, 7, 6));
    unsigned bits = (unsigned)__builtin_reduce_or((a == high) & (marey_i8){1, 2, 4, 8, 16, 32, 64, 128});
    return bits ? __builtin_ctz(bits) : 0;
}

// A bit for each of 64 bytes that is one of the two.
typedef unsigned char marey_b64 __attribute__((ext_vector_type(64)));
MAREY_INLINE unsigned long long marey_either(const unsigned char *bytes, unsigned char a, unsigned char b) {
    typedef marey_b64 marey_b64_anywhere __attribute__((aligned(1)));
    typedef _Bool bits __attribute__((ext_vector_type(64)));
    marey_b64 here = *(const marey_b64_anywhere *)bytes;
    bits found = __builtin_convertvector((here == a) | (here == b), bits);
    unsigned long long mask;
    __builtin_memcpy(&mask, &found, sizeof mask);
    return mask;
}

// The even and the odd lanes of two vectors in a row.
MAREY_INLINE marey_f8 marey_even(marey_f8 a, marey_f8 b) {
    return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
}
MAREY_INLINE marey_f8 marey_odd(marey_f8 a, marey_f8 b) {
    return __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
}
// The same with the middle pairs of the eight exchanged, which takes half as long; and those brought into their order.
MAREY_INLINE marey_f8 marey_even_mixed(marey_f8 a, marey_f8 b) {
    return __builtin_shufflevector(a, b, 0, 2, 8, 10, 4, 6, 12, 14);
}
MAREY_INLINE marey_f8 marey_odd_mixed(marey_f8 a, marey_f8 b) {
    return __builtin_shufflevector(a, b, 1, 3, 9, 11, 5, 7, 13, 15);
}
MAREY_INLINE marey_f8 marey_in_order(marey_f8 mixed) {
    return __builtin_shufflevector(mixed, mixed, 0, 1, 4, 5, 2, 3, 6, 7);
}
MAREY_INLINE marey_d4 marey_even(marey_d4 a, marey_d4 b) { return __builtin_shufflevector(a, b, 0, 2, 4, 6); }
MAREY_INLINE marey_d4 marey_odd(marey_d4 a, marey_d4 b) { return __builtin_shufflevector(a, b, 1, 3, 5, 7); }

// Rows and columns of a square of vectors exchanged: pairs, pairs of pairs, halves.
MAREY_INLINE void marey_transpose(float *square) {
    marey_f8_anywhere *p = (marey_f8_anywhere *)square;
    marey_f8 a[8], b[8];
    MAREY_UNROLLED
    for (int i = 0; i < 4; i++) {
        a[2 * i] = __builtin_shufflevector(p[2 * i], p[2 * i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        a[2 * i + 1] = __builtin_shufflevector(p[2 * i], p[2 * i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    MAREY_UNROLLED
    for (int i = 0; i < 8; i += 4) {
        MAREY_UNROLLED
        for (int j = 0; j < 2; j++) {
            b[i + j] = __builtin_shufflevector(a[i + j], a[i + j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            b[i + j + 2] = __builtin_shufflevector(a[i + j], a[i + j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    }
    MAREY_UNROLLED
    for (int i = 0; i < 4; i++) {
        p[i] = __builtin_shufflevector(b[i], b[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        p[i + 4] = __builtin_shufflevector(b[i], b[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}
MAREY_INLINE void marey_transpose(double *square) {
    marey_d4_anywhere *p = (marey_d4_anywhere *)square;
    marey_d4 a = __builtin_shufflevector(p[0], p[1], 0, 4, 2, 6), b = __builtin_shufflevector(p[0], p[1], 1, 5, 3, 7);
    marey_d4 c = __builtin_shufflevector(p[2], p[3], 0, 4, 2, 6), d = __builtin_shufflevector(p[2], p[3], 1, 5, 3, 7);
    p[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    p[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    p[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    p[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

#endif
