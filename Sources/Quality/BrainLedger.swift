import Brain
import Signals

/// The seconds of an EEG that windows to come are made of.
struct BrainLedger: Sendable {
    private let channels: Int
    /// Of each channel whether it has its reference in common with others.
    private let comparable: [Bool]
    private let step: Seconds
    private let length: Seconds
    private var seconds: [Second] = []
    private var motion: [HeadMotion.Second] = []
    private var contacts: [HeadContact.Second] = []
    private var blinks: [Seconds] = []
    /// Number, on the grid, of the window to come; nil before the first second.
    private var next: Int?
    private var given = 0
    /// Up to when seconds are known, and where the last unbroken row of them began.
    private(set) var known = 0.0
    private(set) var runStart = 0.0

    /// What windows ask of a second.
    struct Second: Sendable {
        let onset: Seconds
        let coverage: Double
        /// Empty where the second is not complete.
        let channels: [ChannelSecond]
        let agreement: [Float]

        init(_ second: EEGSecond) {
            (onset, coverage) = (second.onset, second.coverage)
            (channels, agreement) = (second.channels.map(ChannelSecond.init), second.agreement)
        }

        /// Whether there is enough of both to tell of them.
        func measures(_ channel: Int, _ other: Int) -> Bool {
            channels[channel].isMeasured && channels[other].isMeasured
        }
    }

    init(comparable: [Bool], parameters: QualityParameters) {
        self.comparable = comparable
        channels = comparable.count
        step = parameters.usedStep
        length = Double(parameters.stepsPerWindow) * parameters.usedStep
    }

    mutating func take(_ second: EEGSecond) {
        if seconds.last.map({ second.onset > $0.onset + 1.5 }) ?? true { runStart = second.onset }
        if next == nil { next = Int((second.onset / step).rounded(.up)) }
        seconds.append(Second(second))
        known = second.onset + 1
    }

    mutating func take(_ second: HeadMotion.Second) {
        motion.append(second)
        if seconds.isEmpty, motion.count > 600 { motion.removeFirst(motion.count - 600) }
    }

    mutating func take(_ second: HeadContact.Second) {
        contacts.append(second)
        if seconds.isEmpty, contacts.count > 600 { contacts.removeFirst(contacts.count - 600) }
    }

    mutating func take(_ event: EyeEvent) {
        blinks.append(event.onset)
    }

    /// Windows that end by `end`.
    mutating func give(until end: Seconds, into outputs: inout [BrainWindow]) {
        while let number = next, Double(number) * step + length <= end + 1e-9 {
            let onset = Double(number) * step
            if inWindow(onset, length).isEmpty {
                // A gap of a window or more is one.
                guard let later = seconds.first(where: { $0.onset >= onset + length - 0.5 }) else { return }
                outputs.append(gap(onset, later.onset - onset))
                next = max(number + 1, Int(((later.onset + 1 - length) / step).rounded(.up)))
            } else {
                outputs.append(window(onset, length))
                next = number + 1
            }
            given += 1
            forget(before: Double(next ?? 0) * step)
        }
    }

    /// The recording ends: one that was shorter than a window is one.
    mutating func finish(into outputs: inout [BrainWindow]) {
        give(until: known, into: &outputs)
        guard given == 0, let first = seconds.first, known > first.onset else { return }
        outputs.append(window(first.onset, known - first.onset))
        given += 1
    }

    /// Whether each of the last two seconds, by itself, says that the headband is off the head: what a window of many
    /// seconds tells later, when blinks and motion are known, too.
    var saysOffHead: Bool {
        [2.0, 1].allSatisfy { ago in
            let onset = known - ago
            return !inWindow(onset, 1).isEmpty && window(onset, 1).whole.reasons.contains(.headbandOffHead)
        }
    }

    private mutating func forget(before onset: Seconds) {
        seconds.removeFirst(seconds.firstIndex { $0.onset + 1 > onset } ?? seconds.count)
        // Mostly there are none, which is told faster than none is taken away.
        if !motion.isEmpty { motion.removeAll { $0.onset + 1 <= onset } }
        if !contacts.isEmpty { contacts.removeAll { $0.onset + 1 <= onset } }
        if !blinks.isEmpty { blinks.removeAll { $0 < onset } }
    }

    /// Seconds come in order of time, so those of a window follow one another.
    private func inWindow(_ onset: Seconds, _ length: Seconds) -> ArraySlice<Second> {
        let first = seconds.firstIndex { $0.onset + 0.5 >= onset } ?? seconds.count
        let end = seconds[first...].firstIndex { $0.onset + 0.5 >= onset + length } ?? seconds.count
        return seconds[first..<end]
    }

    private func gap(_ onset: Seconds, _ duration: Seconds) -> BrainWindow {
        let none = QualityWindow(onset: onset, duration: duration, coverage: 0, quality: 0, reasons: [.gap])
        return BrainWindow(whole: none, channels: Array(repeating: none, count: channels))
    }

    private func window(_ onset: Seconds, _ length: Seconds) -> BrainWindow {
        let all = inWindow(onset, length)
        let complete = all.allSatisfy { !$0.channels.isEmpty } ? all : ArraySlice(all.filter { !$0.channels.isEmpty })
        let coverage = min(1, all.reduce(0) { $0 + $1.coverage } / length)
        func isIn(_ second: Seconds) -> Bool { second + 0.5 >= onset && second + 0.5 < onset + length }
        let moving = motion.filter { isIn($0.onset) }
        let moved =
            moving.isEmpty
            ? 0 : Double(moving.count { $0.movement ?? 0 > HeadMotion.limit }) / Double(moving.count)
        let told = contacts.filter { isIn($0.onset) }
        func share(_ says: (HeadContact.Second) -> Bool?) -> Double {
            let said = told.compactMap(says)
            return Double(said.count(where: \.self)) / Double(max(1, said.count))
        }
        let off = share(\.isOff)
        let agreements = ChannelAgreements(complete, channels: channels)
        let each = (0..<channels).map { channel in
            var found = measures(of: channel, complete, coverage: coverage, length)
            found.agreement = agreements.best[channel]
            found.loose = share { $0.isLoose.indices.contains(channel) ? $0.isLoose[channel] : nil }
            return found
        }
        let blinking = Double(blinks.count { $0 >= onset && $0 < onset + length }) * 60 / length
        return BrainWindow.combined(
            each, motion: moved, offHead: off, blinksPerMinute: length >= 5 ? blinking : 0, onset: onset,
            duration: length)
    }

    private func measures(
        of channel: Int, _ seconds: ArraySlice<Second>, coverage: Double, _ length: Seconds
    ) -> BrainMeasures {
        var found = BrainMeasures()
        found.others = comparable[channel] ? channels - 1 : 0
        guard !seconds.isEmpty else {
            found.coverage = coverage
            return found
        }
        var (missing, whole) = (0.0, 0)
        seconds.withUnsafeBufferPointer { seconds in
            for index in seconds.indices {
                seconds[index].channels.withUnsafeBufferPointer { channels in
                    missing += channels[channel].missing
                    if channels[channel].missing == 0 { whole += 1 }
                    if channels[channel].isMeasured { found.count(channels[channel]) }
                }
            }
        }
        found.coverage = coverage * (1 - missing / Double(seconds.count))
        // Seconds with a gap between two runs are not among them.
        found.whole = min(1, Double(whole) / max(1, length))
        found.share()
        return found
    }
}
