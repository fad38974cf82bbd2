import Brain
import Signals

/// The seconds of an EEG that windows to come are made of.
struct BrainLedger: Sendable {
    private let channels: Int
    private let step: Seconds
    private let length: Seconds
    private var seconds: [EEGSecond] = []
    private var motion: [HeadMotion.Second] = []
    private var blinks: [Seconds] = []
    /// Number, on the grid, of the window to come; nil before the first second.
    private var next: Int?
    private var given = 0
    /// Up to when seconds are known, and where the last unbroken row of them began.
    private(set) var known = 0.0
    private(set) var runStart = 0.0

    init(channels: Int, parameters: QualityParameters) {
        self.channels = channels
        step = parameters.usedStep
        length = Double(parameters.stepsPerWindow) * parameters.usedStep
    }

    mutating func take(_ second: EEGSecond) {
        if seconds.last.map({ second.onset > $0.onset + 1.5 }) ?? true { runStart = second.onset }
        if next == nil { next = Int((second.onset / step).rounded(.up)) }
        seconds.append(second)
        known = second.onset + 1
    }

    mutating func take(_ second: HeadMotion.Second) {
        motion.append(second)
        if seconds.isEmpty, motion.count > 600 { motion.removeFirst(motion.count - 600) }
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

    private mutating func forget(before onset: Seconds) {
        seconds.removeAll { $0.onset + 1 <= onset }
        motion.removeAll { $0.onset + 1 <= onset }
        blinks.removeAll { $0 < onset }
    }

    private func inWindow(_ onset: Seconds, _ length: Seconds) -> [EEGSecond] {
        seconds.filter { $0.onset + 0.5 >= onset && $0.onset + 0.5 < onset + length }
    }

    private func gap(_ onset: Seconds, _ duration: Seconds) -> BrainWindow {
        let none = QualityWindow(onset: onset, duration: duration, coverage: 0, quality: 0, reasons: [.gap])
        return BrainWindow(whole: none, channels: Array(repeating: none, count: channels))
    }

    private func window(_ onset: Seconds, _ length: Seconds) -> BrainWindow {
        let all = inWindow(onset, length)
        let complete = all.filter { !$0.channels.isEmpty }
        let coverage = min(1, all.reduce(0) { $0 + $1.coverage } / length)
        let each = (0..<channels).map { measures(of: $0, complete, coverage: coverage) }
        let moving = motion.filter { $0.onset + 0.5 >= onset && $0.onset + 0.5 < onset + length }
        let moved =
            moving.isEmpty
            ? 0 : Double(moving.count { $0.movement ?? 0 > HeadMotion.limit }) / Double(moving.count)
        let blinking = Double(blinks.count { $0 >= onset && $0 < onset + length }) * 60 / length
        return BrainWindow.combined(
            each, motion: moved, blinksPerMinute: length >= 5 ? blinking : 0, onset: onset,
            duration: length)
    }

    private func measures(of channel: Int, _ seconds: [EEGSecond], coverage: Double) -> BrainMeasures {
        var found = BrainMeasures()
        let there = seconds.filter { $0.channels[channel].missing == 0 }
        found.seconds = there.count
        guard !seconds.isEmpty else {
            found.coverage = coverage
            return found
        }
        let missing = seconds.reduce(0) { $0 + $1.channels[channel].missing } / Double(seconds.count)
        found.coverage = coverage * (1 - missing)
        guard !there.isEmpty else { return found }
        let count = Double(there.count)
        func share(_ fits: (EEGSecond.Channel) -> Bool) -> Double {
            Double(there.count { fits($0.channels[channel]) }) / count
        }
        found.flat =
            there.reduce(0) { $0 + ($1.channels[channel].isFlat ? max($1.channels[channel].flat, 0.5) : 0) }
            / count
        found.clipped = there.reduce(0) { $0 + $1.channels[channel].clipped } / count
        found.fast = share(\.isFast)
        found.hum = share(\.isHum)
        found.huge = share(\.isHuge)
        found.pop = share(\.isPop)
        found.agreement = agreement(of: channel, there)
        return found
    }

    /// How much a channel has in common with the one it agrees with best: the mean of the seconds' agreement, as far as
    /// it is certain. Four standard errors make the limit: of independent channels, whatever their spectrum, few pairs
    /// in a thousand come so far by chance.
    private func agreement(of channel: Int, _ seconds: [EEGSecond]) -> Double? {
        guard channels > 2, seconds.count > 1 else { return nil }
        return (0..<channels).filter { $0 != channel }.map { other in
            let place = EEGSecond.pair(channel, other, of: channels)
            let values = seconds.map { Double($0.agreement[place]) }
            let mean = values.reduce(0, +) / Double(values.count)
            let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1)
            let error = (variance / Double(values.count)).squareRoot()
            return error > 0 ? min(abs(mean), ChannelLimits.agreement * abs(mean) / (4 * error)) : abs(mean)
        }.max()
    }
}
