#pragma once

namespace conesweep::ensemble {

/// The straight line through points by weighted least squares, from five sums:
///
///   (1)  slope = (Σw Σwxy - Σwx Σwy) / (Σw Σwxx - (Σwx)²),   through the point of the weighted means
class LineFit {
 public:
  void see(double x, double y, double weight) {
    ++points_, w_ += weight, x_ += weight * x, y_ += weight * y, xx_ += weight * x * x, xy_ += weight * x * y;
  }

  /// Are there two points with different x?
  bool is_determined() const { return points_ >= 2 && determinant() > 0; }

  /// (1) as it stands.
  double slope() const { return (w_ * xy_ - x_ * y_) / determinant(); }

  /// (1) divided through by Σw, about the means: another rounding of the same number. Published orders have this one,
  /// published rates the one above.
  double slope_about_means() const { return (xy_ - x_ * y_ / w_) / spread(); }

  /// Σw (x - mean)²: 1 / spread is the variance of the slope where weights are 1 / variance.
  double spread() const { return xx_ - x_ * x_ / w_; }

  /// How far a point lies above the line.
  double miss(double x, double y) const { return y - (y_ / w_ + slope_about_means() * (x - x_ / w_)); }

 private:
  double determinant() const { return w_ * xx_ - x_ * x_; }

  int points_ = 0;
  double w_ = 0, x_ = 0, y_ = 0, xx_ = 0, xy_ = 0;
};

}  // namespace conesweep::ensemble
