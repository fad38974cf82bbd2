import Foundation
import Synchronization

/// A progress bar on the terminal; silent when messages go elsewhere, or the terminal cannot draw a line again.
final class ProgressBar {
    private let title: String
    private let width = 30
    private var shown = -1

    /// A bar for the work called `title`.
    init(_ title: String) {
        self.title = title
    }

    /// Shows `fraction` (0…1) of the work as done.
    func show(_ fraction: Double) { show(fraction, "") }

    /// Shows `fraction` (0…1) of the work as done, and what there is to say about it.
    func show(_ fraction: Double, _ words: String) {
        guard Terminal.redrawsMessages, fraction.isFinite else { return }
        let permille = Int((min(max(fraction, 0), 1) * 1_000).rounded())
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
