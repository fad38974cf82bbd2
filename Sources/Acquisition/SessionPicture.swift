import Cardiac
import Devices
import Foundation
import Pipeline
import Quality
import Recorder
public import Signals

/// What a session's events have come to: the state a screen shows. Pure: events in, lines of text out.
public struct SessionPicture: Sendable {
    private struct StreamLine: Sendable {
        var header: StreamHeader
        var device: String
        var pulse: StreamPulse?
        var lane: [Bool?] = []
        /// The last arrival before the stream became silent; nil for a stream that is not.
        var silentSince: Seconds?
    }

    /// What a stream told of the heart last.
    private struct Heart: Sendable {
        var rate: (perMinute: Double, onset: Seconds)?
        var rmssd: Double?
        var rhythm: String?
    }

    private var devices = DeviceStates()
    private var streams: [StreamLine] = []
    private var hearts: [Int: Heart] = [:]
    private var predictions: [PredictionValue] = []
    private var tags = 0
    private var remarks: [String] = []
    private var pulse: SessionPulse?
    private var scripts = ScriptPane()
    private var showsScripts = false
    private let file: String
    private let planned: Seconds?

    /// A session recorded into `file`, planned to last so many seconds.
    public init(file: String, planned: Seconds?) {
        (self.file, self.planned) = (file, planned)
    }

    // MARK: - Events

    /// Takes an event in.
    public mutating func take(_ event: SessionEvent) {
        devices.take(event)
        switch event {
        case .identity(let name, let identity, _): scripts.take(identity, of: name)
        case .remark(let name, let text, _, _): remarks = Array((remarks + ["\(name): \(text)".shown]).suffix(3))
        case .script(let device, let output, let moment): scripts.take(output, of: device, at: moment)
        case .stream(_, let device, let header, _, _): streams.append(StreamLine(header: header, device: device))
        case .update(let update): take(update)
        case .gap(let gap, _):
            if streams.indices.contains(gap.stream) { streams[gap.stream].silentSince = gap.isOpen ? gap.since : nil }
        case .marker(let marker): if marker.stream == "tags" { tags += 1 }
        case .pulse(let pulse):
            self.pulse = pulse
            for (index, stream) in pulse.streams.enumerated() where streams.indices.contains(index) {
                streams[index].pulse = stream
            }
        // The pulse tells of the disk as well.
        case .lapse(let lapse, _): take(lapse)
        case .connection, .retrying, .status, .signal, .verdict, .disk, .finished: break
        }
    }

    /// Shows the log and the table of running scripts in the streams' place, or the streams again.
    public mutating func toggleScripts() {
        showsScripts.toggle()
    }

    private mutating func take(_ update: LiveUpdate) {
        switch update {
        case .heartRate(let stream, let onset, let rate):
            hearts[stream, default: Heart()].rate = (rate, onset)
        case .quality(let stream, let window) where streams.indices.contains(stream):
            streams[stream].lane = Array(
                (streams[stream].lane + [window.coverage > 0 ? window.isGood : nil]).suffix(60))
        case .hrv(let stream, let window): hearts[stream, default: Heart()].rmssd = Self.rmssd(window)
        case .rhythm(let stream, let change): hearts[stream, default: Heart()].rhythm = change.kind.rawValue
        case .prediction(_, let value):
            if let known = predictions.firstIndex(where: { $0.prediction == value.prediction }) {
                predictions[known] = value
            } else {
                predictions.append(value)
            }
        default: break
        }
    }

    private mutating func take(_ lapse: LiveLapse) {
        switch lapse.value {
        case .heartRate: hearts[lapse.stream]?.rate = nil
        case .variability: hearts[lapse.stream]?.rmssd = nil
        case .rhythm: hearts[lapse.stream]?.rhythm = nil
        case .prediction(let name):
            for index in predictions.indices where predictions[index].prediction == name {
                predictions[index].value = .nan
            }
        case .quality where streams.indices.contains(lapse.stream):
            streams[lapse.stream].lane = Array((streams[lapse.stream].lane + [nil]).suffix(60))
        case .quality, .electrodes, .respiration, .pulseRate: break
        }
    }

    // MARK: - Lines

    /// The picture as lines of at most `width` characters. Where there are more streams than fit into `height` lines, those
    /// that are sampled regularly come first. In a narrow window a stream has its rate and quality alone, in a low one there
    /// are no blank lines, no titles and no remarks.
    /// - Parameter hasColour: whether ANSI colours may be used.
    public func lines(width: Int, height: Int = .max, hasColour: Bool) -> [String] {
        let paint = Paint(isOn: hasColour)
        let head = [top(paint)] + devices.all.map { line($0.name, $0.device, paint) }
        let isLow = height < Self.lowest
        var foot = Array(heartLines(paint, width).prefix(isLow ? 1 : .max))
        let told = predictions.map { "\($0.prediction) \($0.value.isNaN ? "n/a" : Self.number($0.value))" }
        if !told.isEmpty { foot.append(told.joined(separator: " · ")) }
        if let problem = pulse?.recorder.problem { foot.append(paint.red(problem.description)) }
        if !isLow { foot += remarks.map { paint.dim($0) } }
        if !isLow, !foot.isEmpty { foot.insert("", at: 0) }
        let script =
            scripts.isEmpty
            ? "" : "s \(showsScripts ? "streams" : "script") · x stop the script · h halt it, go on · "
        foot.append(paint.dim("t tag · 1-9 numbered tag · p pause, go on · \(script)q finish"))
        let room = Swift.max(0, height - head.count - foot.count)
        let all =
            head
            + (showsScripts ? scripts.lines(room: room, heading: paint.dim) : table(paint, width, room: room, isLow))
            + foot
        let lines = all.count > height ? Array(all.prefix(Swift.max(1, height))) : all
        return lines.map { Self.cut($0, to: width) }
    }

    /// The streams, device by device, in at most `room` lines.
    private func table(_ paint: Paint, _ width: Int, room: Int, _ isLow: Bool) -> [String] {
        let title =
            isLow ? [] : ["", paint.dim(Self.row("stream", "rate", "lost", "last", width) + "quality, newest right")]
        let room = room - title.count
        guard !streams.isEmpty, room > 0 else { return [] }
        let names = devices.all.map(\.name)
        let places = streams.indices.sorted { first, second in
            let (a, b) = (names.firstIndex(of: streams[first].device), names.firstIndex(of: streams[second].device))
            return (a ?? 0, first) < (b ?? 0, second)
        }
        guard places.count > room else { return title + places.map { line(streams[$0], paint, width) } }
        let regular = places.filter { streams[$0].header.sampleRate > 0 }
        let chosen = Set((regular + places.filter { streams[$0].header.sampleRate == 0 }).prefix(room - 1))
        return title + places.filter(chosen.contains).map { line(streams[$0], paint, width) } + [
            paint.dim("and \(places.count - chosen.count) more streams, for which the window is too small")
        ]
    }

    private func top(_ paint: Paint) -> String {
        let elapsed = Self.clock(pulse?.moment ?? 0) + (planned.map { " of " + Self.clock($0) } ?? "")
        let written = pulse.map { Self.size(Double($0.recorder.written)) } ?? "0 B"
        let free = pulse?.recorder.free.map { " · \(Self.size(Double($0))) free" } ?? ""
        return paint.bold("● \(elapsed)") + "  \(written)\(free) · \(tags) tags · \(file)"
    }

    private func line(_ name: String, _ device: DeviceStates.Device, _ paint: Paint) -> String {
        let state = device.wait.map { "again in \(Self.number($0)) s" } ?? "\(device.connection)"
        var text = "\(name)  \(device.isConnected ? paint.green(state) : paint.yellow(state))"
        if !device.title.isEmpty { text += "  \(device.title.shown)" }
        if let location = device.location { text += ", \(location.shown)" }
        if device.isPaused { text += "  " + paint.yellow("paused") }
        if let battery = device.battery { text += "  battery \(Int((battery * 100).rounded())) %" }
        if let verdict = device.verdict {
            let reasons = verdict.reasons.map(\.explanation).joined(separator: ", ")
            text += verdict.passed ? "  " + paint.green("signals good") : "  " + paint.red(reasons)
            if let warning = verdict.warning { text += "  " + paint.yellow(warning) }
        }
        if !device.isConnected, let reason = device.reason, !reason.isEmpty { text += "  \(reason.shown)" }
        return text
    }

    private func line(_ stream: StreamLine, _ paint: Paint, _ width: Int) -> String {
        let silence = stream.silentSince.map { Int(Swift.max(0, (pulse?.moment ?? $0) - $0)) }
        let rate =
            silence.map { "silent \($0) s" }
            ?? (stream.header.sampleRate > 0
                ? "\(Self.number(stream.pulse?.rate ?? 0)) Hz" : "\(stream.pulse?.count ?? 0) rows")
        let last = (stream.pulse?.last ?? []).prefix(3).map { $0.map(Self.number) ?? "–" }.joined(separator: " ")
        let unit = stream.header.channels.first?.unit.rawValue ?? ""
        let lane = stream.lane.suffix(max(1, width - (width < Self.narrowest ? 28 : 72))).map { good in
            switch good {
            case true?: paint.green("▆")
            case false?: paint.red("▂")
            case nil: paint.dim("·")
            }
        }.joined()
        let (lost, missing) = (stream.pulse?.lost ?? 0, stream.pulse?.missing ?? 0)
        return Self.row(
            stream.header.name.shown, rate, missing > 0 ? "\(lost)+\(missing)" : "\(lost)",
            last + " " + (unit == "1" ? "" : unit.shown), width) + lane
    }

    /// Heart rates that are not out of date, as many to a line as it holds.
    private func heartLines(_ paint: Paint, _ width: Int) -> [String] {
        let oldest = (pulse?.moment ?? 0) - LiveFreshness.longestAge
        var parts: [(length: Int, text: String)] = []
        for (stream, heart) in hearts.sorted(by: { $0.key < $1.key }) {
            guard let (rate, onset) = heart.rate, onset > oldest else { continue }
            let name = streams.indices.contains(stream) ? streams[stream].header.name.shown : ""
            let text = "\(Self.number(rate)) bpm"
            let more =
                (heart.rmssd.map { " rmssd \(Self.number($0)) ms" } ?? "") + (heart.rhythm.map { " " + $0 } ?? "")
            parts.append((name.count + 1 + text.count + more.count, "\(name) " + paint.bold(text) + more))
        }
        var lines: [(length: Int, text: String)] = []
        for part in parts {
            if let last = lines.last, last.length + 3 + part.length <= width {
                lines[lines.count - 1] = (last.length + 3 + part.length, last.text + "   " + part.text)
            } else {
                lines.append((part.length + 2, (lines.isEmpty ? "♥ " : "  ") + part.text))
            }
        }
        return lines.map(\.text)
    }

    private static func rmssd(_ window: HRVWindow) -> Double? {
        HRVIndex.all.firstIndex { $0.name == "rmssd" }.flatMap { window.values[$0] }
    }

    // MARK: - Text

    /// Lines and characters below which a window is low, and narrow.
    private static let (lowest, narrowest) = (16, 79)

    /// A stream's name, rate, loss and last values; the first two where the window is narrow.
    private static func row(_ name: String, _ rate: String, _ lost: String, _ last: String, _ width: Int) -> String {
        width < narrowest
            ? padded(name, 18) + padded(rate, 10)
            : padded(name, 26) + padded(rate, 12) + padded(lost, 8) + padded(last, 26)
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text.count >= width
            ? String(text.prefix(width - 1)) + " " : text + String(repeating: " ", count: width - text.count)
    }

    /// Shortens to `width` visible characters, keeping escape sequences whole.
    private static func cut(_ text: String, to width: Int) -> String {
        var visible = 0
        var result = ""
        var isEscape = false
        for character in text {
            if character == "\u{1B}" { isEscape = true }
            if !isEscape {
                visible += 1
                if visible > width { continue }
            }
            result.append(character)
            if isEscape, character == "m" { isEscape = false }
        }
        return result
    }

    static func number(_ value: Double) -> String {
        guard value.isFinite else { return "–" }
        // Currents are small: two decimals would show none.
        if value != 0, abs(value) < 0.01 { return ScriptPane.engineering(value) }
        let digits = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : 2
        return String(format: "%.\(digits)f", value)
    }

    static func clock(_ seconds: Seconds) -> String {
        let whole = Int(Swift.max(0, seconds))
        return String(format: "%d:%02d:%02d", whole / 3_600, whole / 60 % 60, whole % 60)
    }

    static func size(_ bytes: Double) -> String {
        if bytes >= 1e9 { return number(bytes / 1e9) + " GB" }
        return bytes >= 1e6 ? number(bytes / 1e6) + " MB" : number(bytes / 1e3) + " kB"
    }
}

/// ANSI colours, where they are wanted.
private struct Paint {
    let isOn: Bool
    func red(_ text: String) -> String { code("31", text) }
    func green(_ text: String) -> String { code("32", text) }
    func yellow(_ text: String) -> String { code("33", text) }
    func bold(_ text: String) -> String { code("1", text) }
    func dim(_ text: String) -> String { code("2", text) }
    private func code(_ code: String, _ text: String) -> String { isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text }
}
