// lapacke.h pulls in C99 complex types, which Swift cannot import: plain structs stand in for them.
typedef struct { float real, imag; } marey_complex_float;
typedef struct { double real, imag; } marey_complex_double;
#define LAPACK_COMPLEX_CUSTOM
#define lapack_complex_float marey_complex_float
#define lapack_complex_double marey_complex_double
#include <lapacke.h>
