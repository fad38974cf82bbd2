import Acquisition
import Foundation
import Synchronization

/// A session on the terminal: a picture drawn anew four times a second in place.
final class SessionScreen: Sendable {
    private let picture: Mutex<SessionPicture>
    private let drawn = Mutex(0)

    init(file: String, planned: Double?) {
        picture = Mutex(SessionPicture(file: file, planned: planned))
    }

    func show(_ event: SessionEvent) {
        picture.withLock { $0.take(event) }
    }

    /// Shows the log and table of running scripts, or the streams again.
    func toggleScripts() {
        picture.withLock { $0.toggleScripts() }
    }

    /// Draws until the task is cancelled.
    func draw() async {
        while !Task.isCancelled {
            redraw()
            try? await Task.sleep(for: .milliseconds(250))
        }
        redraw()
    }

    private func redraw() {
        let (width, height) = Self.size
        let lines = picture.withLock { $0.lines(width: width, height: height, hasColour: Terminal.hasColour) }
        let up = drawn.withLock { drawn in
            defer { drawn = lines.count }
            // Of a window that became smaller the upper lines are out of reach.
            let reach = Swift.min(drawn, height)
            return reach > 1 ? "\u{1B}[\(reach - 1)A" : ""
        }
        let text = up + "\r" + lines.joined(separator: "\u{1B}[K\n") + "\u{1B}[J"
        Terminal.write(text)
    }

    private static var size: (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20, size.ws_row > 5 else {
            return (100, 24)
        }
        return (Int(size.ws_col) - 1, Int(size.ws_row))
    }
}
