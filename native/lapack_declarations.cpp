#include "native/fortran_declarations.hpp"

namespace mosim::native {

std::span<const FortranDeclaration> lapack_declarations() {
  static constexpr FortranDeclaration all[] = {
      // Linear systems. dgtsv, as dgelss, takes no right-hand side for one.
      {"dgesv", "", "int n, int nrhs, inout real A[n, n, lda], int lda, out int ipiv[n], inout real B[n, nrhs, ldb], int ldb, out int info"},
      {"dgesvx", "",
       "char fact, char trans, int n, int nrhs, inout real A[n, n, lda], int lda, inout real AF[n, n, ldaf], int ldaf, "
       "inout int ipiv[n] <= fact=F ? n : 0, char equed, inout real R[fact=N ? 0 : n], inout real C[fact=N ? 0 : n], "
       "inout real B[n, nrhs, ldb], int ldb, out real X[n, nrhs, ldx], int ldx, out real rcond, out real ferr[nrhs], out real berr[nrhs], "
       "scratch real work[4 * n], scratch int iwork[n], out int info"},
      {"dgetrf", "", "int m, int n, inout real A[m, n, lda], int lda, out int ipiv[min(m, n)], out int info"},
      {"dgetrs", "",
       "char trans{NTC}, int n, int nrhs, real A[n, n, lda], int lda, int ipiv[n] <= n, inout real B[n, nrhs, ldb], int ldb, out int info"},
      {"dgetri", "",
       "int n, inout real A[n, n, lda], int lda, int ipiv[n] <= n, out real work[max(1, lwork)], int lwork, out int info"},
      {"dgecon", "",
       "char norm, int n, real A[n, n, lda], int lda, real anorm, out real rcond, scratch real work[4 * n], scratch int iwork[n], out int info"},
      {"dgbsv", "",
       "int n, int kl, int ku, int nrhs, inout real AB[2 * kl + ku + 1, n, ldab], int ldab, out int ipiv[n], "
       "inout real B[n, nrhs, ldb], int ldb, out int info"},
      {"dgbtrf", "",
       "int m, int n, int kl, int ku, inout real AB[2 * kl + ku + 1, n, ldab], int ldab, out int ipiv[min(m, n)], out int info"},
      {"dgtsv", "",
       "int n, int nrhs, inout real DL[n - 1], inout real D[n], inout real DU[n - 1], inout real B[n, max(1, nrhs), ldb], int ldb, out int info"},
      {"dptsv", "", "int n, int nrhs, inout real D[n], inout real E[n - 1], inout real B[n, nrhs, ldb], int ldb, out int info"},
      {"dposv", "",
       "char uplo, int n, int nrhs, inout real A[n, n, lda], int lda, inout real B[n, nrhs, ldb], int ldb, out int info"},
      {"dpotrf", "", "char uplo{UL}, int n, inout real A[n, n, lda], int lda, out int info"},
      {"dpotrs", "", "char uplo{UL}, int n, int nrhs, real A[n, n, lda], int lda, inout real B[n, nrhs, ldb], int ldb, out int info"},
      {"dpotri", "", "char uplo{UL}, int n, inout real A[n, n, lda], int lda, out int info"},
      {"dpocon", "",
       "char uplo, int n, real A[n, n, lda], int lda, real anorm, out real rcond, scratch real work[3 * n], scratch int iwork[n], out int info"},
      {"dsysv", "",
       "char uplo, int n, int nrhs, inout real A[n, n, lda], int lda, out int ipiv[n], inout real B[n, nrhs, ldb], int ldb, "
       "out real work[max(1, lwork)], int lwork, out int info"},
      {"dtrtri", "", "char uplo{UL}, char diag{NU}, int n, inout real A[n, n, lda], int lda, out int info"},
      {"dtrtrs", "",
       "char uplo{UL}, char trans{NTC}, char diag{NU}, int n, int nrhs, real A[n, n, lda], int lda, inout real B[n, nrhs, ldb], int ldb, "
       "out int info"},
      {"dtrsyl", "",
       "char trana, char tranb, int isgn, int m, int n, real A[m, m, lda], int lda, real B[n, n, ldb], int ldb, inout real C[m, n, ldc], int ldc, "
       "out real scale, out int info"},

      // Least squares.
      {"dgels", "",
       "char trans, int m, int n, int nrhs, inout real A[m, n, lda], int lda, inout real B[max(m, n), nrhs, ldb], int ldb, "
       "out real work[max(1, lwork)], int lwork, out int info"},
      {"dgelss", "",
       "int m, int n, int nrhs, inout real A[m, n, lda], int lda, inout real B[max(m, n), max(1, nrhs), ldb], int ldb, out real S[min(m, n)], "
       "real rcond, out int rank, out real work[max(1, lwork)], int lwork, out int info", true},
      {"dgelsx", "",
       "int m, int n, int nrhs, inout real A[m, n, lda], int lda, inout real B[max(m, n), nrhs, ldb], int ldb, inout int jpvt[n], "
       "real rcond, out int rank, scratch real work[max(min(m, n) + 3 * n, 2 * min(m, n) + nrhs)], out int info"},
      {"dgelsy", "",
       "int m, int n, int nrhs, inout real A[m, n, lda], int lda, inout real B[max(m, n), nrhs, ldb], int ldb, inout int jpvt[n], "
       "real rcond, out int rank, out real work[max(1, lwork)], int lwork, out int info"},
      {"dgglse", "",
       "int m, int n, int p, inout real A[m, n, lda], int lda, inout real B[p, n, ldb], int ldb, inout real c[m], inout real d[p], "
       "out real x[n], out real work[max(1, lwork)], int lwork, out int info"},
      {"dggglm", "",
       "int n, int m, int p, inout real A[n, m, lda], int lda, inout real B[n, p, ldb], int ldb, inout real d[n], out real x[m], "
       "out real y[p], out real work[max(1, lwork)], int lwork, out int info"},

      // Orthogonal factors.
      {"dgeqrf", "",
       "int m, int n, inout real A[m, n, lda], int lda, out real tau[min(m, n)], out real work[max(1, lwork)], int lwork, out int info"},
      {"dgelqf", "",
       "int m, int n, inout real A[m, n, lda], int lda, out real tau[min(m, n)], out real work[max(1, lwork)], int lwork, out int info"},
      {"dgeqp3", "",
       "int m, int n, inout real A[m, n, lda], int lda, inout int jpvt[n], out real tau[min(m, n)], out real work[max(1, lwork)], int lwork, "
       "out int info"},
      {"dgeqpf", "",
       "int m, int n, inout real A[m, n, lda], int lda, inout int jpvt[n], out real tau[min(m, n)], scratch real work[3 * n], out int info"},
      {"dorgqr", "",
       "int m, int n, int k, inout real A[m, n, lda], int lda, real tau[k], out real work[max(1, lwork)], int lwork, out int info"},
      {"dorglq", "",
       "int m, int n, int k, inout real A[m, n, lda], int lda, real tau[k], out real work[max(1, lwork)], int lwork, out int info"},
      {"dormqr", "",
       "char side, char trans, int m, int n, int k, real A[side=L ? m : n, k, lda], int lda, real tau[k], inout real C[m, n, ldc], int ldc, "
       "out real work[max(1, lwork)], int lwork, out int info"},
      {"dormlq", "",
       "char side, char trans, int m, int n, int k, real A[k, side=L ? m : n, lda], int lda, real tau[k], inout real C[m, n, ldc], int ldc, "
       "out real work[max(1, lwork)], int lwork, out int info"},
      {"dgehrd", "",
       "int n, int ilo, int ihi, inout real A[n, n, lda], int lda, out real tau[n - 1], out real work[max(1, lwork)], int lwork, out int info"},
      {"dorghr", "",
       "int n, int ilo, int ihi, inout real A[n, n, lda], int lda, real tau[n - 1], out real work[max(1, lwork)], int lwork, out int info"},
      {"dormhr", "",
       "char side, char trans, int m, int n, int ilo, int ihi, real A[side=L ? m : n, side=L ? m : n, lda], int lda, "
       "real tau[side=L ? m - 1 : n - 1], inout real C[m, n, ldc], int ldc, out real work[max(1, lwork)], int lwork, out int info"},

      // Singular values.
      {"dgesvd", "",
       "char jobu, char jobvt, int m, int n, inout real A[m, n, lda], int lda, out real S[min(m, n)], "
       "out real U[m, jobu=A ? m : jobu=S ? min(m, n) : 0, ldu], int ldu, "
       "out real VT[jobvt=S ? min(m, n) : n, jobvt=AS ? n : 0, ldvt], int ldvt, out real work[max(1, lwork)], int lwork, out int info", true},
      {"dgesdd", "",
       "char jobz, int m, int n, inout real A[m, n, lda], int lda, out real S[min(m, n)], "
       "out real U[m, jobz=A ? m : jobz=S ? min(m, n) : jobz=O ? (m < n) * m : 0, ldu], int ldu, "
       "out real VT[jobz=S ? min(m, n) : n, jobz=AS ? n : jobz=O ? (m < n ? 0 : n) : 0, ldvt], int ldvt, "
       "out real work[max(1, lwork)], int lwork, scratch int iwork[8 * min(m, n)], out int info", true},

      // Eigenvalues.
      {"dgeev", "",
       "char jobvl, char jobvr, int n, inout real A[n, n, lda], int lda, out real wr[n], out real wi[n], "
       "out real VL[n, jobvl=V ? n : 0, ldvl], int ldvl, out real VR[n, jobvr=V ? n : 0, ldvr], int ldvr, "
       "out real work[max(1, lwork)], int lwork, out int info", true},
      {"dgeevx", "",
       "char balanc, char jobvl, char jobvr, char sense, int n, inout real A[n, n, lda], int lda, out real wr[n], out real wi[n], "
       "out real VL[n, jobvl=V ? n : 0, ldvl], int ldvl, out real VR[n, jobvr=V ? n : 0, ldvr], int ldvr, "
       "out int ilo, out int ihi, out real scale[n], out real abnrm, out real rconde[sense=EB ? n : 0], out real rcondv[sense=VB ? n : 0], "
       "out real work[max(1, lwork)], int lwork, scratch int iwork[sense=VB ? 2 * n - 2 : 0], out int info", true},
      {"dgees", "",
       "char jobvs, char sort{N}, function select, int n, inout real A[n, n, lda], int lda, out int sdim, out real wr[n], out real wi[n], "
       "out real VS[n, jobvs=V ? n : 0, ldvs], int ldvs, out real work[max(1, lwork)], int lwork, scratch bool bwork[n], out int info", true},
      {"dgebal", "", "char job, int n, inout real A[n, n, lda], int lda, out int ilo, out int ihi, out real scale[n], out int info", true},
      {"dhseqr", "",
       "char job, char compz, int n, int ilo, int ihi, inout real H[n, n, ldh], int ldh, out real wr[n], out real wi[n], "
       "inout real Z[n, compz=IV ? n : 0, ldz], int ldz, out real work[max(1, lwork)], int lwork, out int info", true},
      {"dtrevc", "",
       "char side, char howmny, inout bool select[howmny=S ? n : 0], int n, real T[n, n, ldt], int ldt, "
       "inout real VL[n, side=LB ? mm : 0, ldvl], int ldvl, inout real VR[n, side=RB ? mm : 0, ldvr], int ldvr, int mm, out int m, "
       "scratch real work[3 * n], out int info", true},
      {"dtrsen", "",
       "char job, char compq, bool select[n], int n, inout real T[n, n, ldt], int ldt, inout real Q[n, compq=V ? n : 0, ldq], int ldq, "
       "out real wr[n], out real wi[n], out int m, out real s, out real sep, out real work[max(1, lwork)], int lwork, "
       "out int iwork[max(1, liwork)], int liwork, out int info", true},
      {"dsyev", "",
       "char jobz, char uplo, int n, inout real A[n, n, lda], int lda, out real w[n], out real work[max(1, lwork)], int lwork, out int info", true},
      {"dsygv", "",
       "int itype, char jobz, char uplo, int n, inout real A[n, n, lda], int lda, inout real B[n, n, ldb], int ldb, out real w[n], "
       "out real work[max(1, lwork)], int lwork, out int info", true},
      {"dgegv", "",
       "char jobvl, char jobvr, int n, inout real A[n, n, lda], int lda, inout real B[n, n, ldb], int ldb, out real alphar[n], "
       "out real alphai[n], out real beta[n], out real VL[n, jobvl=V ? n : 0, ldvl], int ldvl, out real VR[n, jobvr=V ? n : 0, ldvr], int ldvr, "
       "out real work[max(1, lwork)], int lwork, out int info", true},
      {"dggev", "",
       "char jobvl, char jobvr, int n, inout real A[n, n, lda], int lda, inout real B[n, n, ldb], int ldb, out real alphar[n], "
       "out real alphai[n], out real beta[n], out real VL[n, jobvl=V ? n : 0, ldvl], int ldvl, out real VR[n, jobvr=V ? n : 0, ldvr], int ldvr, "
       "out real work[max(1, lwork)], int lwork, out int info", true},
      {"dggevx", "",
       "char balanc, char jobvl, char jobvr, char sense, int n, inout real A[n, n, lda], int lda, inout real B[n, n, ldb], int ldb, "
       "out real alphar[n], out real alphai[n], out real beta[n], out real VL[n, jobvl=V ? n : 0, ldvl], int ldvl, "
       "out real VR[n, jobvr=V ? n : 0, ldvr], int ldvr, out int ilo, out int ihi, out real lscale[n], out real rscale[n], "
       "out real abnrm, out real bbnrm, out real rconde[sense=EB ? n : 0], out real rcondv[sense=VB ? n : 0], "
       "out real work[max(1, lwork)], int lwork, scratch int iwork[n + 6], scratch bool bwork[n], out int info", true},
      {"dhgeqz", "",
       "char job, char compq, char compz, int n, int ilo, int ihi, inout real H[n, n, ldh], int ldh, inout real T[n, n, ldt], int ldt, "
       "out real alphar[n], out real alphai[n], out real beta[n], inout real Q[n, compq=IV ? n : 0, ldq], int ldq, "
       "inout real Z[n, compz=IV ? n : 0, ldz], int ldz, out real work[max(1, lwork)], int lwork, out int info", true},

      // Norms and copies, which check nothing themselves.
      {"dlange", "real", "char norm{M1OIFE}, int m, int n, real A[m, n, lda], int lda, out real work[norm=I ? m : 0]"},
      {"dlacpy", "", "char uplo{ULA}, int m, int n, real A[m, n, lda], int lda, inout real B[m, n, ldb], int ldb"},
  };
  return all;
}

}  // namespace mosim::native
