public import Foundation
public import Signals

/// Reads what an instrument sent while a MethodSCRIPT ran, saved as text: lines `e`, `M…`, `P…` packages, `*`.
///
/// Each variable is an irregular stream, measured ones with their status (bits as the instrument sends them), range and
/// noise. The range is a full scale where the log begins with the instrument's answer to `t`, which says what it is; else
/// the instrument's own number for it, which a note says. Times are those of the instrument where the script sent them
/// (`eb`), from the first on; where they are set back they go on after the last package; else the packages are numbered
/// from 0, which a note says. No two packages share a time. Beginnings of measurements and scans, each at its first
/// package, texts of the script and errors are markers.
public final class MethodSCRIPTLog: RecordingReader {
    /// What the log holds.
    public let header: RecordingHeader
    private var pending: [RecordingEvent]
    private static let largest = 256 << 20
    private static let mostStreams = 64
    private static let valuesPerEvent = 4_096
    private static let rangesAreNumbers =
        "ranges are the instrument's own numbers for them: a log that begins with its answer to t, which says what it is, "
        + "gives full scales"

    fileprivate struct Content {
        var streams: [StreamHeader] = []
        var values: [[TimedValue]] = []
        var places: [String: Int] = [:]
        var markers: [Marker] = []
        var packages = 0
        /// Whose output it is; nil where the log does not say.
        var family: MethodSCRIPTFamily?
        var hasRanges = false
        var isIntroduced = false
        /// The time that the instrument told last; nil before the first.
        var lastTime: Double?
        /// Between the last two times of the instrument that advanced.
        var interval: Seconds = 0
        /// What makes an onset of the instrument's time.
        var shift: Seconds = 0
        var onset: Seconds = 0
        /// Markers that stand at the next package.
        var due: [String] = []
        /// The last error that the instrument told.
        var failure: MethodSCRIPTFailure?
        /// How far packages lie apart at the least, where the instrument's time tells them not apart.
        static let least: Seconds = 1e-6
    }

    /// Opens a log.
    /// - Throws: `FormatError` naming the line that is none of an instrument's output.
    public init(_ url: URL) throws {
        let input = try InputFile(url)
        guard input.size <= Self.largest else { throw FormatError(url, "is too large for a log of MethodSCRIPT") }
        var content = Content()
        let bytes = try input.read(at: 0, count: input.size)
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        var notes: [String] = []
        for (index, line) in lines.enumerated() {
            if content.packages == 0, content.introduce(Self.trimmed(line)) { continue }
            do throws(MethodSCRIPTProblem) {
                try content.add(MethodSCRIPTOutput(Self.trimmed(line)))
            } catch {
                // What stands behind the last line's end is cut off.
                guard index == lines.count - 1, content.packages > 0 else {
                    throw FormatError(url, at: "line \(index + 1)", error.description)
                }
                notes.append(CutOffLine.note(line: index + 1))
            }
            guard content.streams.count <= Self.mostStreams else {
                throw FormatError(url, at: "line \(index + 1)", "has more than \(Self.mostStreams) different variables")
            }
        }
        content.finish()
        guard content.packages > 0 else {
            let told = content.failure.map { ": the instrument told an error, \($0)" } ?? ""
            throw FormatError(url, "has no data packages\(told)")
        }
        if content.lastTime == nil {
            notes.append("the script sent no times: packages are numbered from 0, onsets are no seconds")
        }
        if content.hasRanges, content.family == nil { notes.append(Self.rangesAreNumbers) }
        for index in content.streams.indices { content.streams[index].frameCount = content.values[index].count }
        header = RecordingHeader(
            duration: content.lastTime == nil ? nil : content.onset, streams: content.streams,
            format: "MethodSCRIPT", notes: notes, hasTimes: content.lastTime != nil)
        pending = content.events(valuesPerEvent: Self.valuesPerEvent).reversed()
    }

    /// The next piece; nil at the end.
    public func next() -> RecordingEvent? { pending.popLast() }

    /// Whether a file begins with lines of an instrument's output, among them a data package, the beginning of a
    /// measurement or an error, which all that a script gave may be.
    public static func recognizes(_ head: [UInt8], url: URL) -> Bool {
        let lines = head.split(separator: 0x0A, omittingEmptySubsequences: false).prefix(40)
        var (hasPackage, isTold, content) = (false, false, Content())
        for (place, line) in lines.enumerated() {
            if !hasPackage, content.introduce(trimmed(line)) { continue }
            guard let output = try? MethodSCRIPTOutput(trimmed(line)) else {
                // The last line may be cut off.
                if place > 0, place == lines.count - 1 { break }
                return false
            }
            switch output {
            case .package(let package): hasPackage = hasPackage || !package.variables.isEmpty
            case .measurement, .failure: isTold = true
            default: break
            }
        }
        return hasPackage || isTold
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> [UInt8] {
        Array(line.last == 0x0D ? line.dropLast() : line)
    }
}

extension MethodSCRIPTLog.Content {
    /// Takes a line by which an instrument says who it is, before it runs a script: `tespico1304#…`, then such as `R*`.
    /// - Returns: whether it is one.
    fileprivate mutating func introduce(_ line: [UInt8]) -> Bool {
        let text = String(decoding: line, as: UTF8.self)
        if let firmware = MethodSCRIPTFirmware(line: text) {
            (family, isIntroduced) = (firmware.family, true)
            return true
        }
        return isIntroduced && line.count == 2 && text.hasSuffix("*")
    }

    fileprivate mutating func add(_ output: MethodSCRIPTOutput) {
        switch output {
        case .package(let package): add(package)
        case .measurement(let technique): due.append("measurement \(technique)")
        case .scan(let number): due.append("scan \(number)")
        case .text(let text): mark(text)
        case .failure(let failure):
            self.failure = failure
            mark("error: \(failure)")
        default: break
        }
    }

    /// What is told after a beginning stays behind it.
    private mutating func mark(_ label: String) {
        if due.isEmpty { markers.append(Marker(onset: onset, label: label)) } else { due.append(label) }
    }

    /// Sets the markers that no package follows.
    fileprivate mutating func finish() {
        let moment = onset
        let begun = due.map { Marker(onset: moment, label: $0) }
        markers += begun
        due = []
    }

    private mutating func add(_ package: MethodSCRIPTPackage) {
        advance(to: package["eb"]?.value.number)
        finish()
        packages += 1
        var seen: [String: Int] = [:]
        for variable in package.variables {
            let type = MethodSCRIPTVariableType(anyCode: variable.type)
            let occurrence = seen[variable.type, default: 0] + 1
            seen[variable.type] = occurrence
            if type.isTime, occurrence == 1 { continue }
            if variable.range != nil { hasRanges = true }
            let place = place(of: type, occurrence)
            values[place].append(TimedValue(onset: onset, values: variable.numbers(of: family)))
        }
    }

    /// Goes on to the next package, at this time of the instrument.
    private mutating func advance(to time: Double?) {
        guard let time, time.isPlaceable else {
            onset = lastTime == nil ? Double(packages) : onset + Self.least
            return
        }
        if let last = lastTime {
            // Scripts set the instrument's time back, as where each measurement begins at 0.
            if time < last { shift = onset + interval - time }
            if time > last { interval = time - last }
        } else {
            if packages > 0 { closeUp() }
            shift = (packages > 0 ? onset + Self.least : 0) - time
        }
        lastTime = time
        let placed = time + shift
        guard packages > 0 else {
            onset = placed
            return
        }
        onset = max(placed.isPlaceable ? placed : onset, onset + Self.least)
    }

    /// Numbers of packages are no seconds: what came before the first time is placed close before it.
    private mutating func closeUp() {
        for stream in values.indices {
            for index in values[stream].indices { values[stream][index].onset *= Self.least }
        }
        for index in markers.indices { markers[index].onset *= Self.least }
        onset *= Self.least
    }

    private mutating func place(of type: MethodSCRIPTVariableType, _ occurrence: Int) -> Int {
        let name = type.name + (occurrence == 1 ? "" : "_\(occurrence)")
        if let known = places[name] { return known }
        places[name] = streams.count
        streams.append(StreamHeader(name: name, kind: type.kind, channels: type.channels(of: family), sampleRate: 0))
        values.append([])
        return streams.count - 1
    }

    fileprivate func events(valuesPerEvent: Int) -> [RecordingEvent] {
        var events: [RecordingEvent] = []
        for (stream, list) in values.enumerated() {
            for first in stride(from: 0, to: list.count, by: valuesPerEvent) {
                events.append(
                    .values(stream: stream, Array(list[first..<min(first + valuesPerEvent, list.count)])))
            }
        }
        return events + markers.map { .marker($0) }
    }
}
