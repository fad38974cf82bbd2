// Linear algebra of OpenBLAS and LAPACKE. Both are loaded when one of these functions is first called: the thousands
// of names that they look up among themselves take longer than all else in starting the program, and most of what it
// does needs neither. They keep to the calling thread: parallelism is over recordings and windows, and their own
// threads make small problems many times slower.
#ifndef MAREY_LINEAR_H
#define MAREY_LINEAR_H

#include "late_exit.h"

// As their headers declare them, where indexes have 32 bits.
enum CBLAS_ORDER { CblasRowMajor = 101, CblasColMajor = 102 };
enum CBLAS_TRANSPOSE { CblasNoTrans = 111, CblasTrans = 112 };
enum CBLAS_UPLO { CblasUpper = 121, CblasLower = 122 };
#define LAPACK_ROW_MAJOR 101
#define LAPACK_COL_MAJOR 102

#pragma GCC visibility push(hidden)

double cblas_ddot(int n, const double *x, int incx, const double *y, int incy);
void cblas_daxpy(int n, double alpha, const double *x, int incx, double *y, int incy);
void cblas_dgemv(enum CBLAS_ORDER order, enum CBLAS_TRANSPOSE transa, int m, int n, double alpha, const double *a,
                 int lda, const double *x, int incx, double beta, double *y, int incy);
void cblas_dger(enum CBLAS_ORDER order, int m, int n, double alpha, const double *x, int incx, const double *y,
                int incy, double *a, int lda);
void cblas_dgemm(enum CBLAS_ORDER order, enum CBLAS_TRANSPOSE transa, enum CBLAS_TRANSPOSE transb, int m, int n, int k,
                 double alpha, const double *a, int lda, const double *b, int ldb, double beta, double *c, int ldc);
void cblas_dsyrk(enum CBLAS_ORDER order, enum CBLAS_UPLO uplo, enum CBLAS_TRANSPOSE trans, int n, int k, double alpha,
                 const double *a, int lda, double beta, double *c, int ldc);

int LAPACKE_dposv(int layout, char uplo, int n, int nrhs, double *a, int lda, double *b, int ldb);
int LAPACKE_dpotrf(int layout, char uplo, int n, double *a, int lda);
int LAPACKE_dgels(int layout, char trans, int m, int n, int nrhs, double *a, int lda, double *b, int ldb);
int LAPACKE_dsyevd(int layout, char jobz, char uplo, int n, double *a, int lda, double *w);
int LAPACKE_dgesdd(int layout, char jobz, int m, int n, double *a, int lda, double *s, double *u, int ldu, double *vt,
                   int ldvt);
int LAPACKE_dstevx(int layout, char jobz, char range, int n, double *d, double *e, double vl, double vu, int il, int iu,
                   double abstol, int *m, double *w, double *z, int ldz, int *ifail);

#pragma GCC visibility pop

#endif
