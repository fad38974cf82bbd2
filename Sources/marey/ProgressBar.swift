import Foundation
import Synchronization

/// A progress bar on a terminal. In a log, or on a terminal that cannot draw a line again, a line every 30 s.
final class ProgressBar {
    private let title: String
    private let width = 30
    private var shown = -1
    private var pace = LogPace()

    /// A bar for the work called `title`.
    init(_ title: String) {
        self.title = title
    }

    /// Shows `fraction` (0…1) of the work as done.
    func show(_ fraction: Double) { show(fraction, "") }

    /// Shows `fraction` (0…1) of the work as done, and what there is to say about it.
    func show(_ fraction: Double, _ words: String) {
        guard fraction.isFinite else { return }
        let permille = Int((min(max(fraction, 0), 1) * 1_000).rounded())
        guard Terminal.redrawsMessages else {
            if pace.isDue() {
                Terminal.note("\(title): \(permille / 10) % \(words)".trimmingCharacters(in: .whitespaces))
            }
            return
        }
        guard permille != shown || !words.isEmpty else { return }
        shown = permille
        let filled = permille * width / 1_000
        let bar = String(repeating: "█", count: filled) + String(repeating: "·", count: width - filled)
        write("\r\(title) \(bar) \(permille / 10) % \(words)\u{1B}[K")
    }

    /// Takes the bar away.
    func clear() {
        guard shown >= 0 else { return }
        write("\r\u{1B}[K")
        shown = -1
    }

    private func write(_ text: String) {
        Terminal.write(text)
    }
}

/// The distance of progress lines in a log.
struct LogPace {
    /// Seconds between lines; `MAREY_PROGRESS` changes it, 0 is never.
    private static let interval: TimeInterval = {
        let wish = ProcessInfo.processInfo.environment["MAREY_PROGRESS"].flatMap(TimeInterval.init) ?? 30
        return wish > 0 ? wish : .infinity
    }()
    private var last = ContinuousClock.now

    /// True when a line is due; the next is due an interval later.
    mutating func isDue() -> Bool {
        let now = ContinuousClock.now
        guard (now - last) / .seconds(1) >= Self.interval else { return false }
        last = now
        return true
    }
}

/// A progress bar that any thread may move.
final class ProgressBarBox: Sendable {
    private let bar: Mutex<ProgressBar>

    /// A bar for the work called `title`.
    init(_ title: String) {
        bar = Mutex(ProgressBar(title))
    }

    /// Shows `fraction` (0…1) of the work as done.
    func show(_ fraction: Double) { show(fraction, "") }

    /// Shows `fraction` (0…1) of the work as done, and what there is to say about it.
    func show(_ fraction: Double, _ words: String) {
        bar.withLock { $0.show(fraction, words) }
    }

    /// Takes the bar away.
    func clear() {
        bar.withLock { $0.clear() }
    }
}
