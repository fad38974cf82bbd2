import Signals

/// The unit that a heading states for intervals or beat times.
enum IntervalUnit: Hashable {
    /// A number of units in a second: 1 for seconds, 1000 for milliseconds, 1024 for the ticks of Bluetooth's heart rate
    /// profile.
    case perSecond(Double)
    /// Samples of a signal whose rate is not stated with them.
    case samples

    /// The unit that a name or a line above the numbers states: `RR (ms)`, `ibi_s`, `RR [1/1024 s]`, `RR_samples`,
    /// `samples at 256 Hz`; nil where it states none.
    init?(statedBy text: some StringProtocol) {
        let bracketed = DelimitedTime.bracketed(String(text))
        guard
            let unit = bracketed.flatMap({ Self(tokens: Self.tokens($0), isUnitAlone: true) })
                ?? Self(tokens: Self.tokens(text), isUnitAlone: false)
        else { return nil }
        self = unit
    }

    /// The unit that a cell of a row of units states; nil where it states none.
    init?(cell: some StringProtocol) {
        guard let unit = Self(tokens: Self.tokens(cell), isUnitAlone: true) else { return nil }
        self = unit
    }

    private init?(tokens: [Token], isUnitAlone: Bool) {
        if let ticks = Self.ticks(tokens) {
            self = .perSecond(ticks)
        } else if let last = tokens.reversed().lazy.compactMap(Self.time).first {
            self = last
        } else if isUnitAlone, let rate = Self.hertz(tokens) {
            self = .perSecond(rate)
        } else {
            return nil
        }
    }

    /// Units in a second at a sample rate; nil for samples without one.
    func perSecond(sampleRate: Double?) -> Double? {
        switch self {
        case .perSecond(let count): count
        case .samples: sampleRate
        }
    }

    /// The unit in words for notes.
    func description(sampleRate: Double? = nil) -> String {
        switch self {
        case .perSecond(1): "seconds"
        case .perSecond(1000): "milliseconds"
        case .perSecond(1e6): "microseconds"
        case .perSecond(1e9): "nanoseconds"
        case .perSecond(let count): "1/\(NumberFormatting.text(count)) s"
        case .samples:
            sampleRate.map { "samples at \(NumberFormatting.text($0)) Hz" } ?? "samples"
        }
    }

    /// The rate that a line states for samples, in Hz.
    static func hertz(in text: some StringProtocol) -> Double? { hertz(tokens(text)) }

    // MARK: words

    private enum Token: Hashable {
        case number(Double)
        case word(String)
        case slash
    }

    private static func tokens(_ text: some StringProtocol) -> [Token] {
        var tokens: [Token] = []
        var rest = text.lowercased()[...]
        while let first = rest.first {
            if first.isASCII, first.isNumber {
                let digits = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
                tokens.append(NumberParsing.double(digits).map(Token.number) ?? .word(String(digits)))
                rest = rest.dropFirst(digits.count)
            } else if first.isLetter {
                let word = rest.prefix(while: \.isLetter)
                tokens.append(.word(String(word)))
                rest = rest.dropFirst(word.count)
            } else {
                if first == "/" || first == "⁄" { tokens.append(.slash) }
                rest = rest.dropFirst()
            }
        }
        return tokens
    }

    /// Units in a second of `1/1024 s`, `s/256`, `1024ths of a second`, `samples at 256 Hz`.
    private static func ticks(_ tokens: [Token]) -> Double? {
        for place in tokens.indices.dropFirst() {
            switch (tokens[place - 1], tokens[place], place + 1 < tokens.count ? tokens[place + 1] : nil) {
            case (.number(1), .slash, .number(let count)) where ticksPerSecond.contains(count): return count
            case (.word(let word), .slash, .number(let count))
            where seconds.contains(word) && ticksPerSecond.contains(count):
                return count
            case (.number(let count), .word(let word), _)
            where ["th", "ths"].contains(word) && ticksPerSecond.contains(count):
                return count
            default: break
            }
        }
        return isOfSamples(tokens) ? hertz(tokens) : nil
    }

    private static func hertz(_ tokens: [Token]) -> Double? {
        for (number, word) in zip(tokens, tokens.dropFirst()) {
            guard case .number(let value) = number, case .word(let unit) = word else { continue }
            let scale = ["hz": 1.0, "hertz": 1, "sps": 1, "khz": 1_000][unit]
            if let scale, Plausible.sampleRates.contains(value * scale) { return value * scale }
        }
        return nil
    }

    private static func isOfSamples(_ tokens: [Token]) -> Bool {
        tokens.contains { if case .word(let word) = $0 { sampleWords.contains(word) } else { false } }
    }

    private static func time(_ token: Token) -> Self? {
        guard case .word(let word) = token else { return nil }
        if sampleWords.contains(word) { return .samples }
        guard let unit = DelimitedTime.unit(called: word) else { return nil }
        return switch unit {
        case .seconds, .milliseconds, .microseconds, .nanoseconds: .perSecond(unit.perSecond)
        case .minutes, .hours, .days, .iso8601, .dayFirst, .monthFirst: nil
        }
    }

    private static let seconds: Set<String> = ["s", "sec", "secs", "second", "seconds"]
    private static let sampleWords: Set<String> = [
        "sample", "samples", "samp", "smp", "smpl", "tick", "ticks", "frame", "frames", "datapoint", "datapoints",
    ]
    private static let ticksPerSecond = 50.0...1e9
}
