public import Signals

/// Level and responses of skin conductance in a stretch of time.
public struct ElectrodermalWindow: Hashable, Codable, Sendable {
    /// Seconds from the recording's start.
    public var onset: Seconds
    /// Its length in seconds; longer than a window where a long gap is one.
    public var duration: Seconds
    /// Share of the time with samples that are no artefacts, 0…1.
    public var coverage: Double
    /// Mean tonic conductance (SCL) of the samples that are no artefacts, µS; nil without any.
    public var meanLevel: Double?
    /// How many responses begin in it, doubtful ones not counted; nil where no stretch is long enough to see one.
    public var responseCount: Int?
    /// Responses per minute of the time in which they can be seen; nil where that is less than half of the window.
    public var responseRate: Double?
    /// Mean amplitude of the responses in µS; nil without any.
    public var meanAmplitude: Double?
    /// Sum of their amplitudes in µS; nil where less than half of the window lets them be seen.
    public var sumAmplitude: Double?

    /// The shortest stretch without gap or artefact in which a response can be seen, in seconds: it begins, rises for a
    /// second or two and falls.
    static let shortestSight: Seconds = 5

    /// The windows of `length` seconds, on a grid from the recording's start, from the first sample's on, that hold these
    /// samples and responses, both in order of time. A gap of more than `WindowGrid.mostEmpty` windows is one window.
    /// - Parameters:
    ///   - rate: the working rate of the samples in Hz.
    ///   - origin: the moment that windows are counted from, such as the onset of a condition.
    public static func windows(
        _ samples: [ElectrodermalSample], _ responses: [SkinConductanceResponse], length: Seconds, rate: Double,
        origin: Seconds = 0
    ) -> [ElectrodermalWindow] {
        guard length > 0, rate > 0, let begin = samples.first?.onset, let last = samples.last?.onset,
            begin.isPlaceable, last.isPlaceable
        else { return [] }
        var windows: [ElectrodermalWindow] = []
        var grid = WindowGrid(length: length, step: length, from: max(0, begin), origin: origin)
        let sight = sight(samples, rate: rate)
        var (sample, response) = (0, 0)
        var dataEnd = -Seconds.infinity
        while sample < samples.count {
            // Empty where it ends before the next sample, else that sample's.
            let place = grid.take(endingBy: samples[sample].onset, dataEnd: dataEnd) ?? grid.take()
            var (sum, present, known, seen) = (0.0, 0, 0, 0)
            while sample < samples.count, samples[sample].onset < place.end {
                if !samples[sample].isArtefact {
                    present += 1
                    if samples[sample].tonic.isFinite {
                        sum += Double(samples[sample].tonic)
                        known += 1
                    }
                }
                seen += sight[sample]
                dataEnd = samples[sample].onset
                sample += 1
            }
            var amplitudes: [Double] = []
            while response < responses.count, responses[response].onset < place.end {
                if !responses[response].isDoubtful { amplitudes.append(responses[response].amplitude) }
                response += 1
            }
            let whole = place.duration * rate
            windows.append(
                ElectrodermalWindow(
                    onset: place.onset, duration: place.duration, coverage: min(1, Double(present) / whole),
                    sight: min(1, Double(seen) / whole), level: known > 0 ? sum / Double(known) : nil,
                    amplitudes: amplitudes))
        }
        return windows
    }

    /// Of each sample for how many samples it stands where it lies in a stretch in which responses can be seen: 1, and more
    /// for those missing before it; 0 elsewhere.
    private static func sight(_ samples: [ElectrodermalSample], rate: Double) -> [Int] {
        var sight = Array(repeating: 0, count: samples.count)
        var start = 0
        let longest = (ElectrodermalStage.longestHole * rate).rounded(.down) + 1.5
        for place in samples.indices {
            let isEnd =
                place + 1 == samples.count || samples[place + 1].isArtefact
                || steps(from: samples[place], to: samples[place + 1], rate) > longest
            if samples[place].isArtefact {
                start = place + 1
            } else if isEnd {
                let length = steps(from: samples[start], to: samples[place], rate) + 1
                if length >= shortestSight * rate {
                    sight[start] = 1
                    for seen in start + 1..<place + 1 {
                        sight[seen] = Int(steps(from: samples[seen - 1], to: samples[seen], rate).rounded())
                    }
                }
                start = place + 1
            }
        }
        return sight
    }

    private static func steps(
        from one: ElectrodermalSample, to other: ElectrodermalSample, _ rate: Double
    ) -> Double { (other.onset - one.onset) * rate }

    private init(
        onset: Seconds, duration: Seconds, coverage: Double, sight: Double, level: Double?, amplitudes: [Double]
    ) {
        (self.onset, self.duration, self.coverage, meanLevel) = (onset, duration, coverage, level)
        let sum = amplitudes.reduce(0, +)
        meanAmplitude = amplitudes.isEmpty ? nil : sum / Double(amplitudes.count)
        responseCount = sight > 0 ? amplitudes.count : nil
        guard sight >= 0.5 else { return }
        responseRate = Double(amplitudes.count) / (sight * duration) * 60
        sumAmplitude = sum
    }

    /// The columns of `table`.
    public static let columns = [
        Column("onset", unit: .seconds, "Start of the window, from the recording's start"),
        Column("duration", unit: .seconds, "Length of the window; a long gap is one window"),
        Column("coverage", unit: .dimensionless, "Share of the window with samples that are no artefacts, 0…1"),
        Column("meanSCL", unit: .microsiemens, "Mean tonic conductance, artefacts left out"),
        Column(
            "nSCR", unit: .dimensionless,
            "Number of responses that begin in the window and are cut by no artefact or gap of more than half a second",
            leastData: "5 s without such a gap or artefact"),
        Column(
            "rateSCR", unit: Unit("1/min"),
            "Responses per minute of the stretches of 5 s or more without artefact or gap of more than half a second",
            leastData: "such stretches in half of the window"),
        Column("meanAmplitude", unit: .microsiemens, "Mean amplitude of the responses", leastData: "one response"),
        Column(
            "sumAmplitude", unit: .microsiemens, "Sum of the amplitudes",
            leastData: "such stretches in half of the window"),
    ]

    /// One row per window.
    public static func table(_ windows: [ElectrodermalWindow]) -> Table {
        Table(
            columns: columns,
            rows: windows.map {
                [
                    .onset($0.onset), .onset($0.duration), .number($0.coverage), .optional($0.meanLevel),
                    $0.responseCount.map(Cell.integer) ?? .missing, .optional($0.responseRate),
                    .optional($0.meanAmplitude), .optional($0.sumAmplitude),
                ]
            })
    }
}
