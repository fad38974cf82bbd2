/// What follows from the sample rate: the lower rate beats are looked for at, and the lengths of everything, in
/// samples of that rate.
struct ECGFrame {
    /// Samples per second of the input.
    let sampleRate: Double
    /// Input samples per low-rate sample.
    let factor: Int
    /// Low-rate samples per second, 83…188 where the input has 100 or more.
    let lowRate: Double
    /// Low-rate samples per block; everything is decided at block ends, which are counted from the run's start.
    let block: Int
    /// Low-rate samples within which only the highest top is a candidate.
    let separation: Int
    /// Blocks without any change that are a silence, in which no beat could have been seen: 2 s.
    let silence: Int
    /// Blocks a candidate waits before it is weighed.
    let weighingDelay: Int
    /// Blocks a weighed candidate waits before the path through it is settled.
    let settlingDelay: Int
    /// Blocks before the candidate's block that tell of the signal's level.
    let levelPast: Int
    /// Blocks of a run that must be there before its first candidate is weighed.
    let startBlocks: Int

    /// Rates the detector works at, in Hz.
    static let usableRates = 50.0...20_000.0

    init(sampleRate: Double) {
        let rate = Self.usableRates.contains(sampleRate) ? sampleRate : 250
        self.sampleRate = rate
        factor = max(1, Int((rate / 125).rounded()))
        lowRate = rate / Double(factor)
        block = max(16, Int((lowRate * 0.25 / 16).rounded()) * 16)
        separation = Int(lowRate * 0.12)
        let blockDuration = Double(block) / lowRate
        silence = Int((2 / blockDuration).rounded(.up))
        weighingDelay = max(1, Int((1.15 / blockDuration).rounded()))
        let rest = 2.75 - blockDuration * Double(weighingDelay + 1)
        settlingDelay = max(1, Int((rest / blockDuration).rounded(.down)))
        levelPast = min(Int((2.5 / blockDuration).rounded()), QRSLevel.capacity - weighingDelay - 1)
        startBlocks = weighingDelay + settlingDelay
    }

    /// Seconds between an input sample and the last output that may depend on it.
    var lookAhead: Double {
        Double((weighingDelay + settlingDelay + 1) * block + 2) / lowRate + 0.1
    }
}
