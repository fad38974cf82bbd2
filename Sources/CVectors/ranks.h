// Ranks of whole numbers; in C for the reason that vectors.h gives.
#ifndef MAREY_RANKS_H
#define MAREY_RANKS_H

#include "vectors.h"

// Copies those of `count` values that lie from `low` to `high`, in order, and says how many lie below; `found` has room for
// all of them. Gives how many were copied.
MAREY_INLINE int marey_gather(const int *values, int count, int low, int high, int *found, int *below) {
    marey_i8 under = 0;
    int gathered = 0, place = 0;
    for (; place + 8 <= count; place += 8) {
        marey_i8 here = *(const marey_i8_anywhere *)(values + place);
        under += here < low;
        for (unsigned bits = marey_bits((here >= low) & (here <= high)); bits; bits &= bits - 1) {
            found[gathered++] = values[place + __builtin_ctz(bits)];
        }
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
    int found = -__builtin_reduce_add(one + other);
    for (; place < count; place++) found += values[place] <= most;
    return found;
}

// The value of `rank`, from 0, of `count` ones, which lies from `low` to `high`; and the next one, itself if it is the last.
MAREY_INLINE int marey_selected(const int *values, int count, int rank, int low, int high, int *next) {
    while (low < high) {
        int middle = low + (int)(((unsigned)high - (unsigned)low) / 2);
        if (marey_count_to(values, count, middle) > rank) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    *next = low;
    if (rank + 1 < count && marey_count_to(values, count, low) == rank + 1) {
        *next = 0x7fffffff;
        for (int place = 0; place < count; place++) {
            int here = values[place];
            *next = here > low && here < *next ? here : *next;
        }
    }
    return low;
}

#endif
