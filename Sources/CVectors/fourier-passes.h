// Fourier transforms of a power of two of real values, one at a time, on vectors of neighbours: FLOATS is the vector's type,
// NUMBER that of its lanes, WIDTH how many there are, WIDENED makes one of floats. fourier.h includes this for each precision.
//
// As many values as pairs make half as many complex ones (Press et al., Numerical Recipes, section 12.3), which go through
// Stockham's self-sorting passes of radix 4, and one of radix 2 if need be (van Loan, Computational Frameworks for the FFT,
// section 1.7), on real and imaginary parts apart. Nothing is fused.

typedef struct {
    FLOATS re, im;
} PART;

MAREY_INLINE FLOATS marey_at(const NUMBER *values) { return *(const ANYWHERE *)values; }
MAREY_INLINE void marey_put(FLOATS a, NUMBER *values) { *(ANYWHERE *)values = a; }

MAREY_INLINE PART marey_part(const NUMBER *re, const NUMBER *im, long place) {
    return (PART){marey_at(re + place), marey_at(im + place)};
}

// a times w.
MAREY_INLINE PART marey_times(PART a, FLOATS re, FLOATS im) {
#pragma STDC FP_CONTRACT OFF
    return (PART){a.re * re - a.im * im, a.re * im + a.im * re};
}

// The Fourier transform of four values, in place.
MAREY_INLINE void marey_four(PART *a) {
#pragma STDC FP_CONTRACT OFF
    PART s = {a[0].re + a[2].re, a[0].im + a[2].im}, d = {a[0].re - a[2].re, a[0].im - a[2].im};
    PART t = {a[1].re + a[3].re, a[1].im + a[3].im}, e = {a[1].re - a[3].re, a[1].im - a[3].im};
    a[0] = (PART){s.re + t.re, s.im + t.im};
    a[1] = (PART){d.re + e.im, d.im - e.re};
    a[2] = (PART){s.re - t.re, s.im - t.im};
    a[3] = (PART){d.re - e.im, d.im + e.re};
}

// The second to the fourth times their factors, a vector of real parts and one of imaginary parts each.
MAREY_INLINE void marey_twiddle(PART *a, const NUMBER *factors) {
    MAREY_UNROLLED
    for (int k = 1; k < 4; k++) {
        a[k] = marey_times(a[k], marey_at(factors + (2 * k - 2) * WIDTH), marey_at(factors + (2 * k - 1) * WIDTH));
    }
}

// Complex values to transform: `re` holds the real parts and `im` the imaginary ones; or `re` holds them in turn where there is
// no `im`; or `floats` does where there is no `re`, each less the mean and times a value of the taper.
typedef struct {
    const NUMBER *re, *im;
    const float *floats;
    NUMBER mean;
    const NUMBER *taper;
} SOURCE;

// A vector of values, real and imaginary parts in turn.
MAREY_INLINE FLOATS marey_turns(SOURCE from, long place) {
    if (from.re) return marey_at(from.re + place);
    return (WIDENED(from.floats + place) - (FLOATS)(from.mean)) * marey_at(from.taper + place);
}

// The first pass over `count` complex values. Gives what is behind its factors.
MAREY_INLINE const NUMBER *marey_first_pass(
    SOURCE from, NUMBER *out_re, NUMBER *out_im, long count, const NUMBER *factors) {
    long quarter = count / 4;
    for (long p = 0; p < quarter; p += WIDTH) {
        PART a[4];
        MAREY_UNROLLED
        for (int k = 0; k < 4; k++) {
            long place = p + k * quarter;
            if (from.im) {
                a[k] = marey_part(from.re, from.im, place);
            } else {
                FLOATS one = marey_turns(from, 2 * place), other = marey_turns(from, 2 * place + WIDTH);
                a[k] = (PART){marey_even(one, other), marey_odd(one, other)};
            }
        }
        marey_four(a);
        marey_twiddle(a, factors);
        factors += 6 * WIDTH;
        FLOATS real[4] = {a[0].re, a[1].re, a[2].re, a[3].re}, imaginary[4] = {a[0].im, a[1].im, a[2].im, a[3].im};
        marey_mix(real);
        marey_mix(imaginary);
        MAREY_UNROLLED
        for (int k = 0; k < 4; k++) {
            marey_put(real[k], out_re + 4 * p + k * WIDTH);
            marey_put(imaginary[k], out_im + 4 * p + k * WIDTH);
        }
    }
    return factors;
}

// Stores four values `stride` apart.
MAREY_INLINE void marey_put_four(const PART *a, NUMBER *re, NUMBER *im, long stride) {
    MAREY_UNROLLED
    for (int k = 0; k < 4; k++) {
        marey_put(a[k].re, re + k * stride);
        marey_put(a[k].im, im + k * stride);
    }
}

// A pass of radix 4 over groups of `stride` values, whole vectors of them. Told as a number, `stride` makes places that need no
// register.
MAREY_INLINE const NUMBER *marey_pass(
    const NUMBER *re, const NUMBER *im, NUMBER *out_re, NUMBER *out_im, long count, long stride, const NUMBER *factors) {
    long quarter = count / 4;
    for (long first = 0; first < quarter; first += stride) {
        for (long q = first; q < first + stride; q += WIDTH) {
            PART a[4];
            MAREY_UNROLLED
            for (int k = 0; k < 4; k++) a[k] = marey_part(re, im, q + k * quarter);
            marey_four(a);
            MAREY_UNROLLED
            for (int k = 1; k < 4; k++) a[k] = marey_times(a[k], (FLOATS)(factors[2 * k - 2]), (FLOATS)(factors[2 * k - 1]));
            marey_put_four(a, out_re + 3 * first + q, out_im + 3 * first + q, stride);
        }
        factors += 6;
    }
    return factors;
}

// The last pass of radix 4 where none of radix 2 follows: nothing is left to multiply.
MAREY_INLINE void marey_quarters(const NUMBER *re, const NUMBER *im, NUMBER *out_re, NUMBER *out_im, long count) {
    long quarter = count / 4;
    for (long q = 0; q < quarter; q += WIDTH) {
        PART a[4];
        MAREY_UNROLLED
        for (int k = 0; k < 4; k++) a[k] = marey_part(re, im, q + k * quarter);
        marey_four(a);
        marey_put_four(a, out_re + q, out_im + q, quarter);
    }
}

#if WIDTH > 4
// The second pass, of groups of four values, two of them in a vector.
MAREY_INLINE const NUMBER *marey_second_pass(
    const NUMBER *re, const NUMBER *im, NUMBER *out_re, NUMBER *out_im, long count, const NUMBER *factors) {
    long quarter = count / 4;
    for (long first = 0; first < quarter; first += WIDTH) {
        PART a[4];
        MAREY_UNROLLED
        for (int k = 0; k < 4; k++) a[k] = marey_part(re, im, first + k * quarter);
        marey_four(a);
        marey_twiddle(a, factors);
        factors += 6 * WIDTH;
        MAREY_UNROLLED
        for (int k = 0; k < 4; k += 2) {
            NUMBER *real = out_re + 4 * first + k * 4, *imaginary = out_im + 4 * first + k * 4;
            marey_put(marey_lows(a[k].re, a[k + 1].re), real);
            marey_put(marey_highs(a[k].re, a[k + 1].re), real + 2 * WIDTH);
            marey_put(marey_lows(a[k].im, a[k + 1].im), imaginary);
            marey_put(marey_highs(a[k].im, a[k + 1].im), imaginary + 2 * WIDTH);
        }
    }
    return factors;
}
#endif

// The last pass of radix 2.
MAREY_INLINE void marey_halves(const NUMBER *re, const NUMBER *im, NUMBER *out_re, NUMBER *out_im, long count) {
    long half = count / 2;
    for (long q = 0; q < half; q += WIDTH) {
        PART a = marey_part(re, im, q), b = marey_part(re, im, q + half);
        marey_put(a.re + b.re, out_re + q);
        marey_put(a.im + b.im, out_im + q);
        marey_put(a.re - b.re, out_re + q + half);
        marey_put(a.im - b.im, out_im + q + half);
    }
}

// The transform of `count` complex values. The parts of the result stand in `work`, which has room for four times `count`
// and four vectors more: real parts, and `count` and a vector behind them the imaginary parts. Gives where.
MAREY_INLINE NUMBER *marey_complex(SOURCE from, long count, const NUMBER *factors, NUMBER *work) {
    long room = count + WIDTH;
    NUMBER *here = work, *there = work + 2 * room;
    factors = marey_first_pass(from, here, here + room, count, factors);
    long stride = 4;
#if WIDTH > 4
    factors = marey_second_pass(here, here + room, there, there + room, count, factors);
    stride = 16;
    here = there, there = work;
#endif
    for (; 4 * stride < count; stride *= 4) {
        if (stride == 4) {
            factors = marey_pass(here, here + room, there, there + room, count, 4, factors);
        } else if (stride == 16) {
            factors = marey_pass(here, here + room, there, there + room, count, 16, factors);
        } else {
            factors = marey_pass(here, here + room, there, there + room, count, stride, factors);
        }
        NUMBER *other = here;
        here = there, there = other;
    }
    if (4 * stride == count) {
        marey_quarters(here, here + room, there, there + room, count);
    } else {
        marey_halves(here, here + room, there, there + room, count);
    }
    return there;
}

// The spectrum of real values at `place` and after, and at as many frequencies as far from the last, from the transform
// of the pairs; backwards there.
MAREY_INLINE void marey_split(
    const NUMBER *re, const NUMBER *im, const NUMBER *split, long count, long place, PART *front, PART *back) {
#pragma STDC FP_CONTRACT OFF
    long mirror = count - place - WIDTH + 1;
    PART a = marey_part(re, im, place), b = {marey_reverse(marey_at(re + mirror)), marey_reverse(marey_at(im + mirror))};
    FLOATS half = (NUMBER)0.5;
    PART even = {(a.re + b.re) * half, (a.im - b.im) * half}, rest = {(a.im + b.im) * half, (b.re - a.re) * half};
    PART odd = marey_times(rest, marey_at(split + 2 * place), marey_at(split + 2 * place + WIDTH));
    *front = (PART){even.re + odd.re, even.im + odd.im};
    *back = (PART){even.re - odd.re, odd.im - even.im};
}

// The spectrum of twice `count` real values: `count` + 1 real and imaginary parts. `table` holds `count` numbers for the split,
// then the factors of the passes.
MAREY_APART void marey_real_forward(
    const NUMBER *x, NUMBER *re, NUMBER *im, long count, const NUMBER *table, NUMBER *work) {
    SOURCE from = {.re = x};
    NUMBER *z = marey_complex(from, count, table + count, work), *zi = z + count + WIDTH;
    // What follows the last is the first again.
    z[count] = z[0], zi[count] = zi[0];
    for (long place = 0; place < count / 2; place += WIDTH) {
        PART front, back;
        marey_split(z, zi, table, count, place, &front, &back);
        long mirror = count - place - WIDTH + 1;
        marey_put(front.re, re + place);
        marey_put(front.im, im + place);
        marey_put(marey_reverse(back.re), re + mirror);
        marey_put(marey_reverse(back.im), im + mirror);
    }
    re[count / 2] = z[count / 2], im[count / 2] = -zi[count / 2];
}

// Adds the squared magnitudes of the spectrum of twice `count` real values to `count` + 1 sums.
MAREY_INLINE void marey_add_power(SOURCE from, NUMBER *sums, long count, const NUMBER *table, NUMBER *work) {
#pragma STDC FP_CONTRACT OFF
    NUMBER *z = marey_complex(from, count, table + count, work), *zi = z + count + WIDTH;
    z[count] = z[0], zi[count] = zi[0];
    for (long place = 0; place < count / 2; place += WIDTH) {
        PART front, back;
        marey_split(z, zi, table, count, place, &front, &back);
        long mirror = count - place - WIDTH + 1;
        marey_put(marey_at(sums + place) + (front.re * front.re + front.im * front.im), sums + place);
        FLOATS power = back.re * back.re + back.im * back.im;
        marey_put(marey_at(sums + mirror) + marey_reverse(power), sums + mirror);
    }
    NUMBER middle = z[count / 2] * z[count / 2], other = zi[count / 2] * zi[count / 2];
    sums[count / 2] = sums[count / 2] + (middle + other);
}

MAREY_APART void marey_real_power(const NUMBER *x, NUMBER *sums, long count, const NUMBER *table, NUMBER *work) {
    SOURCE from = {.re = x};
    marey_add_power(from, sums, count, table, work);
}

// The same of floats, each less `mean` and times a value of `taper`.
MAREY_APART void marey_centred_power(
    const float *x, NUMBER mean, const NUMBER *taper, NUMBER *sums, long count, const NUMBER *table, NUMBER *work) {
    SOURCE from = {.floats = x, .mean = mean, .taper = taper};
    marey_add_power(from, sums, count, table, work);
}

// What the spectrum of real values, scaled, is before the transform back of the pairs: from the values `a` at `place` and after
// and `b` as far from the last. Real and imaginary part are exchanged, so that the way there is the way back.
MAREY_INLINE void marey_join(
    PART a, PART b, const NUMBER *split, NUMBER scale, long count, long place, NUMBER *z, NUMBER *zi) {
#pragma STDC FP_CONTRACT OFF
    long mirror = count - place - WIDTH + 1;
    PART even = {(a.re + b.re) * scale, (a.im - b.im) * scale}, turned = {(a.re - b.re) * scale, (a.im + b.im) * scale};
    PART odd = marey_times(turned, marey_at(split + 2 * place), -marey_at(split + 2 * place + WIDTH));
    marey_put(even.im + odd.re, z + place);
    marey_put(even.re - odd.im, zi + place);
    marey_put(marey_reverse(odd.re - even.im), z + mirror);
    marey_put(marey_reverse(even.re + odd.im), zi + mirror);
}

// The same of the first and the last value, whose imaginary parts count as 0, and of the one in the middle.
MAREY_INLINE void marey_join_ends(
    NUMBER first, NUMBER last, NUMBER re, NUMBER im, NUMBER scale, long count, NUMBER *z, NUMBER *zi) {
#pragma STDC FP_CONTRACT OFF
    z[0] = (first - last) * scale, zi[0] = (first + last) * scale;
    z[count / 2] = -2 * im * scale, zi[count / 2] = 2 * re * scale;
}

// The real values from `begin` on, from what was joined.
MAREY_INLINE void marey_pairs(
    const NUMBER *z, const NUMBER *zi, NUMBER *x, long begin, long count, const NUMBER *table, NUMBER *work) {
    SOURCE from = {.re = z, .im = zi};
    NUMBER *y = marey_complex(from, count, table + count, work), *yi = y + count + WIDTH;
    for (long place = begin / 2; place < count; place += WIDTH) {
        FLOATS one = marey_at(yi + place), other = marey_at(y + place);
        NUMBER *to = x + 2 * place - begin;
        marey_put(marey_low_pairs(one, other), to);
        marey_put(marey_high_pairs(one, other), to + WIDTH);
    }
}

// Twice `count` real values from their spectrum, `count` + 1 real and imaginary parts; those from `begin` on, a multiple of
// twice the vector's width, are written, the first of them at `x`. The imaginary parts of the first and the last count as 0.
MAREY_APART void marey_real_inverse(
    const NUMBER *re, const NUMBER *im, NUMBER *x, long begin, long count, const NUMBER *table, NUMBER *work) {
    NUMBER *z = work, *zi = z + count + WIDTH, scale = (NUMBER)1 / (NUMBER)(2 * count);
    for (long place = 0; place < count / 2; place += WIDTH) {
        long mirror = count - place - WIDTH + 1;
        PART a = marey_part(re, im, place), b = {marey_reverse(marey_at(re + mirror)), marey_reverse(marey_at(im + mirror))};
        marey_join(a, b, table, scale, count, place, z, zi);
    }
    marey_join_ends(re[0], re[count], re[count / 2], im[count / 2], scale, count, z, zi);
    marey_pairs(z, zi, x, begin, count, table, zi + count + WIDTH);
}
