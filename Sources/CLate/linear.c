#include "linear.h"

#include "late.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

static void *openblas, *lapacke;

// Both libraries with what they bring along take 50 MB of address space, and the buffer of one thread 128 MB.
static const size_t librariesSize = (size_t)56 << 20, bufferSize = (size_t)136 << 20;

// Whether all of it is to be had at once: OpenBLAS asks for its buffer again and again for ever where it is refused.
static int has_room(void) {
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *libraries = mmap(NULL, librariesSize, PROT_NONE, flags, -1, 0);
    // To be written, as limits on data (ulimit -d) count only that.
    void *buffer = mmap(NULL, bufferSize, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (libraries != MAP_FAILED) munmap(libraries, librariesSize);
    if (buffer != MAP_FAILED) munmap(buffer, bufferSize);
    return libraries != MAP_FAILED && buffer != MAP_FAILED;
}

// Takes the buffer while there is room: it is kept, and serves whatever is computed later.
static void take_buffer(void) {
    void *(*take)(int) = (void *(*)(int))dlsym(openblas, "blas_memory_alloc");
    void (*leave)(void *) = (void (*)(void *))dlsym(openblas, "blas_memory_free");
    if (take && leave) leave(take(0));
}

static void load_openblas(void) {
    if (!has_room())
        marey_late_end("libopenblas.so.0",
                       "there is no memory for it, and it needs 192 MB of address space; allow the program more "
                       "(ulimit -v or -d, or h_vmem of a cluster)",
                       NULL);
    // Its threads would each take a stack and a buffer, to be ended unused.
    setenv("OPENBLAS_NUM_THREADS", "1", 0);
    // LAPACKE finds its routines here before it looks into libraries of its own.
    openblas = marey_late_library("libopenblas.so.0", 1, "libopenblas0");
    ((void (*)(int))marey_late_function(openblas, "openblas_set_num_threads"))(1);
    // The threads that it made when it was loaded would turn in circles for some time before they sleep.
    int (*shutdown)(void) = (int (*)(void))dlsym(openblas, "blas_thread_shutdown_");
    if (shutdown) shutdown();
    take_buffer();
}

static void *blas(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_openblas);
    return openblas;
}

static void load_lapacke(void) {
    blas();
    lapacke = marey_late_library("liblapacke.so.3", 0, "liblapacke");
}

static void *lapack(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_lapacke);
    return lapacke;
}

MAREY_LATE(blas, double, cblas_ddot, (int n, const double *x, int incx, const double *y, int incy), n, x, incx, y, incy)
MAREY_LATE(blas, void, cblas_daxpy, (int n, double alpha, const double *x, int incx, double *y, int incy), n, alpha, x,
           incx, y, incy)
MAREY_LATE(blas, void, cblas_dgemv,
           (enum CBLAS_ORDER order, enum CBLAS_TRANSPOSE transa, int m, int n, double alpha, const double *a, int lda,
            const double *x, int incx, double beta, double *y, int incy),
           order, transa, m, n, alpha, a, lda, x, incx, beta, y, incy)
MAREY_LATE(blas, void, cblas_dger,
           (enum CBLAS_ORDER order, int m, int n, double alpha, const double *x, int incx, const double *y, int incy,
            double *a, int lda),
           order, m, n, alpha, x, incx, y, incy, a, lda)
MAREY_LATE(blas, void, cblas_dgemm,
           (enum CBLAS_ORDER order, enum CBLAS_TRANSPOSE transa, enum CBLAS_TRANSPOSE transb, int m, int n, int k,
            double alpha, const double *a, int lda, const double *b, int ldb, double beta, double *c, int ldc),
           order, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
MAREY_LATE(blas, void, cblas_dsyrk,
           (enum CBLAS_ORDER order, enum CBLAS_UPLO uplo, enum CBLAS_TRANSPOSE trans, int n, int k, double alpha,
            const double *a, int lda, double beta, double *c, int ldc),
           order, uplo, trans, n, k, alpha, a, lda, beta, c, ldc)

MAREY_LATE(lapack, int, LAPACKE_dposv, (int layout, char uplo, int n, int nrhs, double *a, int lda, double *b, int ldb),
           layout, uplo, n, nrhs, a, lda, b, ldb)
MAREY_LATE(lapack, int, LAPACKE_dpotrf, (int layout, char uplo, int n, double *a, int lda), layout, uplo, n, a, lda)
MAREY_LATE(lapack, int, LAPACKE_dgels,
           (int layout, char trans, int m, int n, int nrhs, double *a, int lda, double *b, int ldb), layout, trans, m,
           n, nrhs, a, lda, b, ldb)
MAREY_LATE(lapack, int, LAPACKE_dsyevd, (int layout, char jobz, char uplo, int n, double *a, int lda, double *w),
           layout, jobz, uplo, n, a, lda, w)
MAREY_LATE(lapack, int, LAPACKE_dgesdd,
           (int layout, char jobz, int m, int n, double *a, int lda, double *s, double *u, int ldu, double *vt,
            int ldvt),
           layout, jobz, m, n, a, lda, s, u, ldu, vt, ldvt)
MAREY_LATE(lapack, int, LAPACKE_dstevx,
           (int layout, char jobz, char range, int n, double *d, double *e, double vl, double vu, int il, int iu,
            double abstol, int *m, double *w, double *z, int ldz, int *ifail),
           layout, jobz, range, n, d, e, vl, vu, il, iu, abstol, m, w, z, ldz, ifail)
