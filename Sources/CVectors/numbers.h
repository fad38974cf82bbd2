// Rows of numbers in text, read four numbers at a time; in C for the reason that vectors.h gives.
#ifndef MAREY_NUMBERS_H
#define MAREY_NUMBERS_H

#include "vectors.h"

typedef unsigned long long marey_u64x4 __attribute__((ext_vector_type(4)));
typedef unsigned marey_u32x8 __attribute__((ext_vector_type(8)));
typedef unsigned short marey_u16x16 __attribute__((ext_vector_type(16)));
typedef unsigned char marey_u8x32 __attribute__((ext_vector_type(32)));

// Reads a plain number: digits with at most one point among them and at most a minus before, nothing else, of such size
// that the result is exact. Gives 0 when it is not, which may be a number all the same.
MAREY_INLINE int marey_plain_number(const unsigned char *text, const unsigned char *end, double *value) {
    static const double powers[] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8, 1e9,
                                    1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18};
    int minus = text < end && *text == '-';
    text += minus;
    const unsigned char *point = end;
    unsigned long long sum = 0;
    // The digits of 19 characters cannot exceed what `sum` holds.
    if (end - text > 19) return 0;
    long digits = 0;
    for (; text < end; text++) {
        unsigned digit = *text - '0';
        if (digit < 10) {
            sum = sum * 10 + digit;
            digits++;
        } else if (*text == '.' && point == end) {
            point = text;
        } else {
            return 0;
        }
    }
    long decimals = point == end ? 0 : end - point - 1;
    if (digits == 0 || decimals > 18 || sum > 1ULL << 53) return 0;
    // Clinger 1990: both factors are exact, so one division rounds once.
    double size = (double)sum / powers[decimals];
    *value = minus ? -size : size;
    return 1;
}

// Reads the four plain numbers that end right before text + ends[1…4]; the one before the first ends at text + ends[0].
// Gives a bit for each that is not plain or has more than eight characters without its sign; its value is of no use then.
// The eight bytes before each end are looked at.
MAREY_INLINE unsigned marey_four_numbers(const unsigned char *text, const int *ends, double *values) {
    marey_u64x4 word, minus, size;
    for (int i = 0; i < 4; i++) {
        unsigned long long bytes;
        __builtin_memcpy(&bytes, text + ends[i + 1] - 8, 8);
        word[i] = bytes;
        minus[i] = text[ends[i] + 1] == '-';
        size[i] = (unsigned long long)(long long)(ends[i + 1] - ends[i] - 1);
    }
    size -= minus;
    marey_u64x4 wrong = (marey_u64x4)(size - 1 > 7);
    // A byte per character, 0…9 for digits; what stands before the number is nothing.
    marey_u64x4 others = (64 - 8 * size) & 63;
    marey_u64x4 digits = ((word ^ 0x3030303030303030) >> others) << others;
    marey_u8x32 bytes = (marey_u8x32)digits;
    marey_u64x4 point = (marey_u64x4)(bytes == ('.' ^ '0'));
    wrong |= (marey_u64x4)(bytes > 9) ^ point;
    point &= 0x0101010101010101;
    // No second point, and something beside the first.
    wrong |= (marey_u64x4)((point & (point - 1)) != 0) | ((marey_u64x4)(size == 1) & (marey_u64x4)(point != 0));
    // Without a point, all stands before it.
    marey_u64x4 before = point - 1, after = ~(before | point * 0xFF);
    marey_u64x4 decimals = after & 0x0101010101010101;
    decimals += decimals >> 32;
    decimals += decimals >> 16;
    decimals += decimals >> 8;
    digits = (digits & after) | (digits & before) << (8 & (marey_u64x4)(point != 0));
    // Digits become pairs, those fours, and those the number.
    marey_u16x16 one = (marey_u16x16)digits;
    one = (one & 0xFF) * 10 + (one >> 8);
    marey_u32x8 two = (marey_u32x8)one;
    two = (two & 0xFFFF) * 100 + (two >> 16);
    marey_u64x4 four = (marey_u64x4)two;
    four = (four & 0xFFFFFFFF) * 10000 + (four >> 32);
    typedef int whole __attribute__((ext_vector_type(4)));
    static const double powers[8] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};
    marey_d4 value = __builtin_convertvector(__builtin_convertvector(four, whole), marey_d4);
    if (__builtin_reduce_or(decimals) & 7) {
        // Clinger 1990, as above.
        value /= (marey_d4){powers[decimals[0] & 7], powers[decimals[1] & 7], powers[decimals[2] & 7], powers[decimals[3] & 7]};
    }
    *(marey_d4_anywhere *)values = (marey_d4)((marey_u64x4)value | minus << 63);
    whole lanes = __builtin_convertvector((marey_u64x4)(wrong != 0), whole);
    return (unsigned)__builtin_reduce_or(lanes & (whole){1, 2, 4, 8});
}

// Writes where up to `most` commas and line feeds stand, and gives how many there are. There must be room for 76 more.
MAREY_INLINE int marey_number_ends(const unsigned char *text, const unsigned char *end, int most, int *ends) {
    int found = 0;
    for (const unsigned char *place = text; found < most && place < end; place += 64) {
        unsigned char rest[64];
        const unsigned char *here = place;
        if (end - place < 64) {
            __builtin_memset(rest, 0, 64);
            __builtin_memcpy(rest, place, (unsigned long)(end - place));
            here = rest;
        }
        unsigned long long marks = marey_either(here, '\n', ',');
        int count = __builtin_popcountll(marks), base = (int)(place - text);
        // Twelve at a time, often more than there are: how many is what a processor cannot guess.
        for (int done = 0; done < count; done += 12) {
            for (int i = 0; i < 12; i++) {
                ends[found + done + i] = base + __builtin_ctzll(marks | 1ULL << 63);
                marks &= marks - 1;
            }
        }
        found += count;
    }
    return found < most ? found : most;
}

// Reads up to `limit` rows of plain numbers with commas between them and a line feed behind, and stops before one that is
// not. `begin` is the first byte that may be looked at; `values` has room for three numbers more. Gives the number of
// rows; `read` becomes where they end.
MAREY_INLINE long marey_number_rows(const unsigned char *begin, const unsigned char *text, const unsigned char *end,
                                    long columns, long limit, double *values, const unsigned char **read) {
    enum { batch = 256 };
    // The end before the first number and those after.
    int ends[1 + batch + 76];
    unsigned char marks[batch];
    for (long i = 0; i < batch; i++) marks[i] = ',';
    for (long i = columns - 1; i < batch; i += columns) marks[i] = '\n';
    long rows = 0, whole = 0;
    int count, number, most = 32;
    do {
        long room = (limit - rows) * columns;
        ends[0] = -1;
        count = marey_number_ends(text, end, room < most ? (int)room : most, ends + 1);
        for (int i = 1; i < 4; i++) ends[count + i] = ends[count];
        double *out = values + rows * columns;
        for (number = 0; number < count; number += 4) {
            unsigned wrong = text + ends[number + 1] - begin < 8 ? 15 : marey_four_numbers(text, ends + number, out + number);
            for (; wrong; wrong &= wrong - 1) {
                int i = number + __builtin_ctz(wrong);
                if (i < count && !marey_plain_number(text + ends[i] + 1, text + ends[i + 1], out + i)) break;
            }
            if (wrong) {
                number += __builtin_ctz(wrong);
                break;
            }
        }
        if (number > count) number = count;
        // Mostly all marks are as they should be, which is told without a guess for each.
        int plain = 0;
        unsigned other = 0;
        for (int i = 0; i < number; i++) other |= text[ends[i + 1]] ^ marks[i];
        if (!other) plain = number;
        while (plain < number && text[ends[plain + 1]] == marks[plain]) plain++;
        whole = plain / columns;
        text += ends[whole * columns] + 1;
        rows += whole;
        most = batch;
        number = plain;
    } while (whole > 0 && number == count && rows < limit);
    *read = text;
    return rows;
}

// The digits at the front of eight bytes as a number, and how many they are.
MAREY_INLINE unsigned long long marey_eight_digits(const unsigned char *text, int *count) {
    unsigned long long word;
    __builtin_memcpy(&word, text, 8);
    word ^= 0x3030303030303030;
    // A byte whose sum overflows is no digit itself, so that the first other one is told apart from all before it.
    unsigned long long others = ((word + 0x7676767676767676) | word) & 0x8080808080808080;
    int digits = others ? __builtin_ctzll(others) >> 3 : 8;
    // What stands behind them goes; zeros come in front.
    word = digits ? word << (64 - 8 * digits) : 0;
    // Digits become pairs, those fours, and those the number.
    word = word * 10 + (word >> 8);
    word = ((word & 0x000000FF000000FF) * 0x000F424000000064 + ((word >> 16) & 0x000000FF000000FF) * 0x0000271000000001) >> 32;
    *count = digits;
    return word & 0xFFFFFFFF;
}

// Reads a plain number that a tab or a line feed ends: digits with at most one point among them, at most seven before and
// fifteen behind it, and at most a minus before, of such size that the result is exact. Gives 0 when it is not, which may
// be a number all the same. 26 bytes are looked at.
MAREY_INLINE int marey_cell_number(const unsigned char *text, double *value) {
    static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    static const unsigned long long factors[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    int minus = *text == '-', before, first, second;
    text += minus;
    unsigned long long sum = marey_eight_digits(text, &before);
    text += before;
    int decimals = 0;
    if (*text == '.') {
        unsigned long long high = marey_eight_digits(text + 1, &first), low = marey_eight_digits(text + 9, &second);
        // Behind fewer than eight there are no more.
        int more = first == 8;
        second = more ? second : 0;
        low = more ? low : 0;
        decimals = first + second;
        // What goes on and what 64 bits do not hold is told by length.
        if (second > 7 || before + decimals > 18) return 0;
        sum = (sum * factors[first] + high) * factors[second] + low;
        text += 1 + decimals;
    }
    if (before > 7 || before + decimals == 0 || (*text != '\t' && *text != '\n') || sum > 1ULL << 53) return 0;
    // Clinger 1990: both factors are exact, so one division rounds once.
    double size = (double)sum / powers[decimals];
    *value = minus ? -size : size;
    return 1;
}

#endif
