// Numbers written with nine significant digits as C's %.9g does, without needless zeros; in C for the reason that vectors.h
// gives. What stands where is told by tables: what the next number looks like is what a processor cannot guess.
#ifndef MAREY_DIGITS_H
#define MAREY_DIGITS_H

#include "numbers.h"

typedef int marey_i4 __attribute__((ext_vector_type(4)));

// The form of a number: the power of ten of its first digit, -4 to 8, as 0 to 12; 13 is n/a.
enum { marey_no_number = 13 };

// The form that a number of these bits, without the sign, has where it is one that is plain to see; some form where not.
MAREY_INLINE unsigned marey_form(unsigned long long bits) {
    // The bits of 1e-4 … 1e9: what is no less than another has bits that are no less.
    static const unsigned long long least[] = {
        0x3F1A36E2EB1C432D, 0x3F50624DD2F1A9FC, 0x3F847AE147AE147B, 0x3FB999999999999A, 0x3FF0000000000000,
        0x4024000000000000, 0x4059000000000000, 0x408F400000000000, 0x40C3880000000000, 0x40F86A0000000000,
        0x412E848000000000, 0x416312D000000000, 0x4197D78400000000, 0x41CDCD6500000000};
    unsigned binary = (unsigned)(bits >> 52) - (1023 - 14);
    binary = binary < 43 ? binary : 43;
    // The power of ten of a power of two, 0.30103 to one of two; the next one where the rest of the number is large.
    unsigned form = (binary * 1233 + 5 * 4096 - 14 * 1233) >> 12;
    form += (unsigned)(bits >= least[form]) - 1;
    form = form < 12 ? form : 12;
    return bits >= 0x7FF0000000000000 ? marey_no_number : form;
}

// By what a number of this form becomes one of nine digits.
MAREY_INLINE double marey_form_power(unsigned form) {
    static const double powers[] = {1e12, 1e11, 1e10, 1e9, 1e8, 1e7, 1e6, 1e5, 1e4, 1e3, 1e2, 1e1, 1, 1};
    return powers[form];
}

// Writes a number of this form and a tab, and gives how many characters that takes; 24 bytes may be written over. `last` has
// the eight digits after the first, a byte each.
MAREY_INLINE long marey_put_form(unsigned char *text, unsigned form, unsigned minus, unsigned first, unsigned long long last) {
    // Where the first digit stands, how far those behind the point are moved and where to, and where the point stands.
    static const struct {
        unsigned char lead, shift, tail, point;
    } places[] = {{5, 0, 6, 1},  {4, 0, 5, 1},  {3, 0, 4, 1},  {2, 0, 3, 1},  {0, 0, 2, 1},  {0, 8, 3, 2},   {0, 16, 4, 3},
                  {0, 24, 5, 4}, {0, 32, 6, 5}, {0, 40, 7, 6}, {0, 48, 8, 7}, {0, 56, 9, 8}, {0, 56, 10, 9}, {0, 0, 1, 4}};
    // By how many of the eight digits are left without the zeros at the end.
    static const unsigned char lengths[][9] = {
        {6, 7, 8, 9, 10, 11, 12, 13, 14}, {5, 6, 7, 8, 9, 10, 11, 12, 13}, {4, 5, 6, 7, 8, 9, 10, 11, 12},
        {3, 4, 5, 6, 7, 8, 9, 10, 11},    {1, 3, 4, 5, 6, 7, 8, 9, 10},    {2, 2, 4, 5, 6, 7, 8, 9, 10},
        {3, 3, 3, 5, 6, 7, 8, 9, 10},     {4, 4, 4, 4, 6, 7, 8, 9, 10},    {5, 5, 5, 5, 5, 7, 8, 9, 10},
        {6, 6, 6, 6, 6, 6, 8, 9, 10},     {7, 7, 7, 7, 7, 7, 7, 9, 10},    {8, 8, 8, 8, 8, 8, 8, 8, 10},
        {9, 9, 9, 9, 9, 9, 9, 9, 9},      {3, 3, 3, 3, 3, 3, 3, 3, 3}};
    unsigned long long zeros = 0x3030303030302E30, characters = last + 0x3030303030303030;
    *text = '-';
    unsigned char *place = text + minus;
    __builtin_memcpy(place, &zeros, 8);
    place[places[form].lead] = (unsigned char)first;
    __builtin_memcpy(place + places[form].lead + 1, &characters, 8);
    characters >>= places[form].shift;
    __builtin_memcpy(place + places[form].tail, &characters, 8);
    place[places[form].point] = '.';
    // The last digits are the highest bytes.
    long behind = last ? 8 - (__builtin_clzll(last) >> 3) : 0, length = lengths[form][behind];
    place[length] = '\t';
    return minus + length + 1;
}

// Whether a number of these bits has a minus before it: one below 0 that is finite.
MAREY_INLINE unsigned marey_minus(unsigned long long bits) {
    return bits - 0x8000000000000001 < 0x7FF0000000000000 - 1;
}

// Writes a number and a tab, and gives how many characters that takes; 0 where it is not plain to see: 0 itself, what takes an
// exponent, what stands next to a tie. 24 bytes may be written over. `told` gets what the characters say.
MAREY_INLINE long marey_put_number(double value, unsigned char *text, double *told) {
    unsigned long long bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    unsigned form = marey_form(bits & ~0ULL >> 1);
    double power = marey_form_power(form), scaled = __builtin_fabs(value) * power;
    // The product is off by 2^-24 at most, and so is not rounded up or down by mistake.
    double raised = scaled + 0x1p52, whole = raised - 0x1p52;
    if (!(scaled >= 1e8 && whole <= 999999999 && __builtin_fabs(scaled - whole) < 0.499999)) return 0;
    // Clinger 1990: both factors are exact, so one division rounds once.
    *told = __builtin_copysign(whole / power, value);
    unsigned long long digits;
    __builtin_memcpy(&digits, &raised, sizeof digits);
    digits &= 0x3FFFFFFF;
    // Fours become pairs, and those digits: quotients by 100 and 10 are exact for what there is.
    unsigned long long high = digits / 10000, first = high / 10000;
    unsigned long long fours = (high - first * 10000) | (digits - high * 10000) << 32;
    unsigned long long hundreds = (fours * 10486) >> 20 & 0x7F0000007F, pairs = hundreds | (fours - 100 * hundreds) << 16;
    unsigned long long tens = (pairs * 103) >> 10 & 0xF000F000F000F, last = tens | (pairs - 10 * tens) << 8;
    return marey_put_form(text, form, marey_minus(bits), '0' + (unsigned)first, last);
}

// What is known of numbers before they are written.
typedef struct {
    unsigned long long last[32], first[32];
    unsigned form[32];
} marey_digits;

// The same for four numbers, whose digits go to `place`; what is not finite is n/a. Gives a bit for each that is not plain to
// see.
MAREY_INLINE unsigned marey_four_digits(const double *values, marey_digits *digits, long place, double *told) {
    double powers[4];
    MAREY_UNROLLED for (int i = 0; i < 4; i++) {
        unsigned long long bits;
        __builtin_memcpy(&bits, values + i, sizeof bits);
        digits->form[place + i] = marey_form(bits & ~0ULL >> 1);
        powers[i] = marey_form_power(digits->form[place + i]);
    }
    marey_d4 value = *(const marey_d4_anywhere *)values, power = {powers[0], powers[1], powers[2], powers[3]};
    marey_d4 size = __builtin_elementwise_abs(value), scaled = size * power;
    marey_d4 raised = scaled + 0x1p52, whole = raised - 0x1p52, nothing = (marey_d4)(__builtin_nan(""));
    marey_u64x4 missing = (marey_u64x4) ~(size < __builtin_inf());
    marey_u64x4 plain = (marey_u64x4)((scaled >= 1e8) & (whole <= 999999999) & (__builtin_elementwise_abs(scaled - whole) < 0.499999));
    marey_u64x4 said = (marey_u64x4)(whole / power) | ((marey_u64x4)value & 1ULL << 63);
    *(marey_d4_anywhere *)told = (marey_d4)(missing ? (marey_u64x4)nothing : said);
    // As above; quotients by 10000 are exact, too.
    marey_u64x4 all = (marey_u64x4)raised & 0x3FFFFFFF;
    marey_u64x4 high = (all * 1759218605) >> 44, first = (high * 107375) >> 30;
    marey_u64x4 fours = (high - first * 10000) | (all - high * 10000) << 32;
    marey_u64x4 hundreds = (marey_u64x4)(((marey_u32x8)fours * 10486) >> 20);
    marey_u64x4 pairs = hundreds | (marey_u64x4)((marey_u32x8)fours - 100 * (marey_u32x8)hundreds) << 16;
    marey_u64x4 tens = (marey_u64x4)(((marey_u16x16)pairs * 103) >> 10);
    marey_u64x4 last = tens | (marey_u64x4)((marey_u16x16)pairs - 10 * (marey_u16x16)tens) << 8;
    first = missing ? (marey_u64x4)('n') : first + '0';
    last = missing ? (marey_u64x4)('/' + ('a' << 8) - 0x3030303030303030) : last;
    __builtin_memcpy(digits->first + place, &first, sizeof first);
    __builtin_memcpy(digits->last + place, &last, sizeof last);
    marey_i4 lanes = __builtin_convertvector(plain | missing, marey_i4);
    return (unsigned)__builtin_reduce_or(~lanes & (marey_i4){1, 2, 4, 8});
}

// Writes up to 32 numbers, at least four, and a tab behind each, and gives how many: it stops before one that is not plain to
// see. 16 bytes for each and 24 more may be written over; `length` becomes how many characters there are. `told` gets what
// they say, for all of the numbers; it may be null.
MAREY_INLINE long marey_put_numbers(const double *values, long count, unsigned char *text, double *told, long *length) {
    marey_digits digits;
    double own[32], *said = told ? told : own;
    unsigned others = 0;
    // The last four overlap others rather than being fewer.
    for (long i = 0; i < count; i += 4) {
        long place = i < count - 4 ? i : count - 4;
        others |= marey_four_digits(values + place, &digits, place, said + place) << place;
    }
    long most = others ? __builtin_ctz(others) : count;
    unsigned char *place = text;
    for (long i = 0; i < most; i++) {
        unsigned long long bits;
        __builtin_memcpy(&bits, values + i, sizeof bits);
        place += marey_put_form(place, digits.form[i], marey_minus(bits), (unsigned)digits.first[i], digits.last[i]);
    }
    *length = place - text;
    return most;
}

#endif
