#pragma once
// A file of results, as a run sees it.

#include "mosim/result_file.hpp"
#include "runtime/results.hpp"

namespace mosim {

struct ResultFile::Impl {
  Impl(std::shared_ptr<const Model> of, const std::string& path, const ResultFileOptions& options);
  ~Impl() { finish(time); }

  /// For a run whose rows have these variables, those of the file among them. Throws std::invalid_argument if the file is of another model, or has
  /// had a run.
  void attach(const Model& to, const std::vector<runtime::Index>& recorded);
  bool take(std::span<const double> row, std::uint64_t jumps);
  void finish(double reached);

  std::shared_ptr<const Model> model;
  runtime::Contents contents;
  std::unique_ptr<runtime::ResultFile> file;
  std::vector<std::size_t> positions;   // of its variables in the run's rows; empty: those are its own
  std::vector<double> own;              // a row
  double time = 0;                      // of the last row
  bool is_attached = false, is_finished = false;
};

}  // namespace mosim
