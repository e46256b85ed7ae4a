#include "native/fortran_declarations.hpp"

namespace mosim::native {

std::span<const FortranDeclaration> blas_declarations() {
  static constexpr FortranDeclaration all[] = {
      // Vectors.
      {"dasum", "real", "int n, real x[strided(n, incx)], int incx"},
      {"dnrm2", "real", "int n, real x[strided(n, incx)], int incx"},
      {"idamax", "int", "int n, real x[strided(n, incx)], int incx"},
      {"ddot", "real", "int n, real x[strided(n, incx)], int incx, real y[strided(n, incy)], int incy"},
      {"daxpy", "", "int n, real alpha, real x[strided(n, incx)], int incx, inout real y[strided(n, incy)], int incy"},
      {"dcopy", "", "int n, real x[strided(n, incx)], int incx, inout real y[strided(n, incy)], int incy"},
      {"dswap", "", "int n, inout real x[strided(n, incx)], int incx, inout real y[strided(n, incy)], int incy"},
      {"dscal", "", "int n, real alpha, inout real x[strided(n, incx)], int incx"},
      {"drot", "", "int n, inout real x[strided(n, incx)], int incx, inout real y[strided(n, incy)], int incy, real c, real s"},

      // A matrix and vectors.
      {"dgemv", "",
       "char trans{NTC}, int m, int n, real alpha, real A[m, n, lda], int lda, real x[strided(trans=N ? n : m, incx)], int incx, real beta, "
       "inout real y[strided(trans=N ? m : n, incy)], int incy"},
      {"dsymv", "",
       "char uplo{UL}, int n, real alpha, real A[n, n, lda], int lda, real x[strided(n, incx)], int incx, real beta, "
       "inout real y[strided(n, incy)], int incy"},
      {"dtrmv", "", "char uplo{UL}, char trans{NTC}, char diag{NU}, int n, real A[n, n, lda], int lda, inout real x[strided(n, incx)], int incx"},
      {"dtrsv", "", "char uplo{UL}, char trans{NTC}, char diag{NU}, int n, real A[n, n, lda], int lda, inout real x[strided(n, incx)], int incx"},
      {"dger", "",
       "int m, int n, real alpha, real x[strided(m, incx)], int incx, real y[strided(n, incy)], int incy, inout real A[m, n, lda], int lda"},

      // Matrices.
      {"dgemm", "",
       "char transa{NTC}, char transb{NTC}, int m, int n, int k, real alpha, real A[transa=N ? m : k, transa=N ? k : m, lda], int lda, "
       "real B[transb=N ? k : n, transb=N ? n : k, ldb], int ldb, real beta, inout real C[m, n, ldc], int ldc"},
      {"dsymm", "",
       "char side{LR}, char uplo{UL}, int m, int n, real alpha, real A[side=L ? m : n, side=L ? m : n, lda], int lda, "
       "real B[m, n, ldb], int ldb, real beta, inout real C[m, n, ldc], int ldc"},
      {"dsyrk", "",
       "char uplo{UL}, char trans{NTC}, int n, int k, real alpha, real A[trans=N ? n : k, trans=N ? k : n, lda], int lda, real beta, "
       "inout real C[n, n, ldc], int ldc"},
      {"dtrmm", "",
       "char side{LR}, char uplo{UL}, char transa{NTC}, char diag{NU}, int m, int n, real alpha, real A[side=L ? m : n, side=L ? m : n, lda], int lda, "
       "inout real B[m, n, ldb], int ldb"},
      {"dtrsm", "",
       "char side{LR}, char uplo{UL}, char transa{NTC}, char diag{NU}, int m, int n, real alpha, real A[side=L ? m : n, side=L ? m : n, lda], int lda, "
       "inout real B[m, n, ldb], int ldb"},
  };
  return all;
}

}  // namespace mosim::native
