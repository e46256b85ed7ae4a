// fmt's functions inside the command and the shared libraries. Debian has them as a shared library alone, and loading that, with the shared standard library
// that it needs, takes as long as a short run. What another version has elsewhere still comes from its library.

#include <fmt/core.h>

#if FMT_VERSION >= 90000 && FMT_VERSION < 100000

#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {
template auto dragonbox::to_decimal(float) noexcept -> dragonbox::decimal_fp<float>;
template auto dragonbox::to_decimal(double) noexcept -> dragonbox::decimal_fp<double>;
template auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl(locale_ref) -> char;
}  // namespace detail
FMT_END_NAMESPACE

#endif
