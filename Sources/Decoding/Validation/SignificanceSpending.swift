/// The significance level of each attempt to calibrate a prediction.
///
/// All attempts of a participant with one prediction and montage together spend `total`: the first 0.03, the second and the third
/// 0.008 each, which six blocks of each state can reach, and each later one half of the rest (Lan & DeMets 1983, Biometrika
/// 70:659, for repeated looks). So noise gets a model in 5 % of participants at most,
/// however often the calibration is repeated.
public enum SignificanceSpending {
    /// The level of all attempts together.
    public static let total = 0.05
    /// The level of the first attempt.
    public static let first = 0.03
    /// The level of the second and of the third attempt.
    public static let second = 0.008

    /// The level of an attempt, counted from 1.
    public static func level(ofAttempt number: Int) -> Double {
        guard number > 1 else { return first }
        guard number > 3 else { return second }
        return (total - first - 2 * second) / Double(1 << min(number - 3, 40))
    }
}
