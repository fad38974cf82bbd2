// Ranks of whole numbers; in C for the reason that vectors.h gives.
#ifndef MAREY_RANKS_H
#define MAREY_RANKS_H

#include "vectors.h"

// Copies those of `count` values that lie from `low` to `high`, in order, and says how many lie below; `found` has room for
// all of them. Gives how many were copied.
MAREY_INLINE int marey_gather(const int *values, int count, int low, int high, int *found, int *below) {
    marey_i8 under = 0;
    int gathered = 0, place = 0, whole = count / 8 * 8;
    while (place < whole) {
        // 64 at a time: how many they are is what a processor cannot guess.
        const int *from = values + place;
        unsigned long long bits = 0;
        for (int shift = 0; shift < 64 && place < whole; shift += 8, place += 8) {
            marey_i8 here = *(const marey_i8_anywhere *)(values + place);
            under += here < low;
            bits |= (unsigned long long)marey_bits((here >= low) & (here <= high)) << shift;
        }
        for (; bits; bits &= bits - 1) found[gathered++] = from[__builtin_ctzll(bits)];
    }
    *below = -__builtin_reduce_add(under);
    for (; place < count; place++) {
        *below += values[place] < low;
        if (values[place] >= low && values[place] <= high) found[gathered++] = values[place];
    }
    return gathered;
}

// How many of `count` values are `most` or less.
MAREY_INLINE int marey_count_to(const int *values, int count, int most) {
    marey_i8 one = 0, other = 0;
    int place = 0;
    for (; place + 16 <= count; place += 16) {
        one += *(const marey_i8_anywhere *)(values + place) <= most;
        other += *(const marey_i8_anywhere *)(values + place + 8) <= most;
    }
    if (place + 8 <= count) {
        one += *(const marey_i8_anywhere *)(values + place) <= most;
        place += 8;
    }
    int found = -__builtin_reduce_add(one + other);
    for (; place < count; place++) found += values[place] <= most;
    return found;
}

// Of so few values each is compared with all.
enum { marey_few = 64 };

// The value of `rank`, from 0, of `count` ones, few of them and behind them room for 31 more; and the next one, itself if it is
// the last.
MAREY_INLINE int marey_ranked(int *values, int count, int rank, int *next) {
    marey_i8 most = 0x7fffffff, found = most, after = most;
    for (int place = count; place < count + 31; place++) values[place] = 0x7fffffff;
    for (int first = 0; first < count; first += 32) {
        marey_i8 here[4], over[4] = {0, 0, 0, 0};
        MAREY_UNROLLED
        for (int i = 0; i < 4; i++) here[i] = *(const marey_i8_anywhere *)(values + first + 8 * i);
        for (int place = 0; place < count; place++) {
            marey_i8 other = values[place];
            MAREY_UNROLLED
            for (int i = 0; i < 4; i++) over[i] += other > here[i];
        }
        // What no more than so many are above is of the rank or beyond it.
        MAREY_UNROLLED
        for (int i = 0; i < 4; i++) {
            found = __builtin_elementwise_min(found, over[i] > rank - count ? here[i] : most);
            after = __builtin_elementwise_min(after, over[i] > rank + 1 - count ? here[i] : most);
        }
    }
    int value = __builtin_reduce_min(found);
    *next = rank + 1 < count ? __builtin_reduce_min(after) : value;
    return value;
}

// The value of `rank`, from 0, of `count` ones, which all lie from `low` to `high`; and the next one, itself if it is the last.
MAREY_INLINE int marey_selected(const int *values, int count, int rank, int low, int high, int *next) {
    int below = 0, reached = count;
    while (low < high && reached - below > marey_few) {
        int middle = low + (int)(((unsigned)high - (unsigned)low) / 2), here = marey_count_to(values, count, middle);
        int isAbove = here > rank;
        reached = isAbove ? here : reached;
        below = isAbove ? below : here;
        high = isAbove ? middle : high;
        low = isAbove ? low : middle + 1;
    }
    if (low < high) {
        int few[marey_few + 31], under;
        int gathered = marey_gather(values, count, low, high, few, &under);
        low = marey_ranked(few, gathered, rank - below, next);
    } else {
        *next = low;
    }
    // The next one may lie beyond.
    if (rank + 1 == reached && reached < count) {
        *next = 0x7fffffff;
        for (int place = 0; place < count; place++) {
            int here = values[place];
            *next = here > low && here < *next ? here : *next;
        }
    }
    return low;
}

#endif
