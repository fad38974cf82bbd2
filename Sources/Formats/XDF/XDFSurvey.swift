import Foundation
import Signals

/// What a file holds, found by walking over its chunks once: all but the samples themselves.
struct XDFSurvey {
    /// A stream as far as it is known without its samples.
    struct Stream {
        var info: XDFStreamInfo
        var clockTimes: [Seconds] = []
        var clockValues: [Seconds] = []
        /// Frames that its chunks hold.
        var frameCount = 0
        /// The frames' stamps on the stream's clock, while `hasStamps`.
        var stamps: [Seconds] = []
        /// What its first stamps tell where it is a signal that declares no rate.
        var pace: EvenPace?
        /// The first and the last of them.
        var first: Seconds?
        var last: Seconds = 0
        /// Seconds that damage inside the file took from the stream.
        var lost: Seconds = 0
        /// How many damaged places there were when its last chunk was read.
        var damageCount = 0
        /// Frames that its footer says there are.
        var footerCount: Int?
        /// Frames beyond this are not read.
        var frameLimit = Int.max
        /// Segments as our own recorder placed them.
        var segments: [XDFJournalLine] = []
    }

    var file: XDFElement?
    var streams: [Stream] = []
    /// The place in `streams` of each stream number.
    var places: [UInt32: Int] = [:]
    /// Lines about markers, by index among the markers.
    var markers: [Int: XDFJournalLine] = [:]
    /// The place of the journal of our own recordings.
    var journal: Int?
    var notes: [String] = []
    /// Chunks, by the byte at which they begin, that turned out to make no sense.
    var rejected: Set<Int> = []
    /// The streams that hold what was received as it was received.
    var received: [UInt32: XDFStreamInfo] = [:]
    /// Those of them that have their footer.
    private var endedCopies: Set<UInt32> = []
    /// Headers whose XML has errors, by the byte at which they begin, as far as they can be read.
    var mended: [Int: XDFElement] = [:]
    /// Chunks that no header says how to read.
    var headerless = XDFHeaderless()
    /// What could not be read as chunks.
    var damage: [XDFScanner.Damage] = []
    /// Whether all stamps are kept: a long recording's are walked over again instead.
    var hasStamps = true
    private var stampCount = 0
    /// Lines of the journal whose numbers cannot be.
    private var refusedLines = 0
    /// 32 MB of stamps.
    private static let mostStamps = 1 << 22
    /// Whether every stream has its footer: the recording was closed in order.
    var isClosed: Bool { streams.allSatisfy { $0.footerCount != nil } && openCopies.isEmpty }
    /// The copies of what was received that have no footer.
    var openCopies: [XDFStreamInfo] {
        received.values.filter { !endedCopies.contains($0.id) }.sorted { $0.id < $1.id }
    }

    init(_ window: XDFWindow) throws {
        var scanner = XDFScanner(window)
        var lasts: [UInt32: Seconds] = [:]
        while let chunk = try scanner.next() {
            if try !take(chunk, window, &lasts, damageCount: scanner.damage.count) {
                rejected.insert(chunk.offset)
                try scanner.reject(chunk)
            }
        }
        damage = scanner.damage
        if refusedLines > 0 {
            notes.append(
                "\(refusedLines) lines of \(XDFJournalLine.streamName) place segments or markers by numbers that cannot be "
                    + "or contradict each other, and are not used")
        }
        dropCorruptedEnds()
        findEvenRates()
    }

    /// False when the chunk makes no sense.
    private mutating func take(
        _ chunk: XDFChunk, _ window: XDFWindow, _ lasts: inout [UInt32: Seconds], damageCount: Int
    ) throws -> Bool {
        if headerless.contains(chunk) {
            try headerless.add(chunk, window)
            return true
        }
        switch chunk.tag {
        case nil: return true
        // Some programs put bytes of their own around the mark.
        case .boundary: return try window.holds(XDFBytes.boundary, in: chunk.content)
        case .fileHeader:
            guard let element = try element(chunk, window) else { return false }
            mend(element, chunk, "the file header")
            file = file ?? element
        case .streamHeader: return try declare(chunk, window)
        case .samples:
            guard let place = places[chunk.stream] else { return true }
            if place == journal { return try read(chunk, window, &lasts[chunk.stream, default: 0]) }
            return try count(chunk, place, window, damageCount)
        case .clockOffset:
            guard let bytes = try window.bytes(at: chunk.content.lowerBound, 16) else { return false }
            let (time, value) = (bytes.double(0), bytes.double(8))
            guard let place = places[chunk.stream] else { return true }
            guard time.isPlaceable, value.isPlaceable else { return false }
            streams[place].clockTimes.append(time)
            streams[place].clockValues.append(value)
        case .streamFooter:
            // A torn footer costs nothing: no number in it is needed.
            if received[chunk.stream] != nil, try element(chunk, window) != nil { endedCopies.insert(chunk.stream) }
            guard let place = places[chunk.stream], let element = try element(chunk, window) else { return true }
            streams[place].footerCount = element.value("sample_count").flatMap(Int.init) ?? .max
        }
        return true
    }

    private mutating func count(
        _ chunk: XDFChunk, _ place: Int, _ window: XDFWindow, _ damageCount: Int
    ) throws -> Bool {
        // The stream itself is lent out, not copied: its stamps grow in place.
        var last = streams[place].last
        var found = 0
        var first: Seconds?
        let keeps = hasStamps
        let isWhole = try XDFStamps.walk(chunk, streams[place].info, window, &last) { stamps in
            found += stamps.count
            first = first ?? stamps.first
            if keeps { streams[place].stamps.append(contentsOf: stamps) }
            streams[place].pace?.take(stamps)
        }
        guard isWhole else {
            if keeps { streams[place].stamps.removeLast(found) }
            return false
        }
        if let first, streams[place].damageCount != damageCount {
            let interval = streams[place].info.interval
            let gap = first - streams[place].last - interval
            if streams[place].frameCount > 0, interval > 0, gap > interval / 2, gap < 86_400 {
                streams[place].lost += gap
            }
            streams[place].damageCount = damageCount
        }
        streams[place].first = streams[place].first ?? first
        streams[place].last = last
        streams[place].frameCount += found
        stampCount += found
        if keeps, stampCount > Self.mostStamps {
            hasStamps = false
            for index in streams.indices { streams[index].stamps = [] }
        }
        return true
    }

    private func element(_ chunk: XDFChunk, _ window: XDFWindow) throws -> XDFElement? {
        guard chunk.content.count <= XDFBytes.longestXML,
            let bytes = try window.bytes(at: chunk.content.lowerBound, chunk.content.count)
        else { return nil }
        return XDFElement(bytes[..<chunk.content.count])
    }

    private mutating func declare(_ header: XDFElement, _ chunk: XDFChunk) {
        headerless.declare(chunk)
        mend(header, chunk, "the header of stream \(chunk.stream)")
    }

    /// Takes note of a header that is only read because errors in it are passed over.
    private mutating func mend(_ element: XDFElement, _ chunk: XDFChunk, _ name: String) {
        guard element.isMended else { return }
        mended[chunk.offset] = element
        notes.append("\(name) is damaged: of its XML only what stands before the damage is sure")
    }

    private mutating func declare(_ chunk: XDFChunk, _ window: XDFWindow) throws -> Bool {
        guard let element = try element(chunk, window) else { return false }
        let info: XDFStreamInfo
        do {
            info = try XDFStreamInfo(id: chunk.stream, element)
        } catch {
            notes.append("stream \(chunk.stream) is left out: \(error.text)")
            guard error.isOurLimit else { return false }
            declare(element, chunk)
            return true
        }
        declare(element, chunk)
        // Seen again, as after an appended recovery: the first one stands.
        guard places[chunk.stream] == nil, streams.count < 100_000 else { return true }
        // The same samples are in the streams that our recorder made of them.
        guard !info.isReceived else {
            received[info.id] = received[info.id] ?? info
            return true
        }
        places[chunk.stream] = streams.count
        if info.name == XDFJournalLine.streamName, info.marey != nil, info.format == .string {
            journal = streams.count
        }
        streams.append(Stream(info: info, pace: info.mayBeEven ? EvenPace() : nil))
        return true
    }

    /// Reads lines of the journal.
    private mutating func read(_ chunk: XDFChunk, _ window: XDFWindow, _ last: inout Seconds) throws -> Bool {
        guard let place = places[chunk.stream],
            let frames = try XDFTexts.frames(chunk, of: streams[place].info, in: window, after: &last)
        else { return false }
        streams[place].frameCount += frames.count
        for frame in frames {
            guard let text = frame.texts.first, XDFJournalLine.isPlacing(text), let line = XDFJournalLine(json: text)
            else { continue }
            guard line.isPlausible else {
                refusedLines += 1
                continue
            }
            if line.type == "marker", let index = line.frame { markers[index] = line }
            guard line.type == "segment", let frame = line.frame, let clock = line.clock, let start = line.start,
                let stream = streams.firstIndex(where: { $0.info.format != .string && $0.info.name == line.stream })
            else { continue }
            if let before = streams[stream].segments.last, let a = before.frame, let b = before.clock {
                if frame < a || clock <= b { continue }
                let end = before.start?.onset(ofOffset: frame - (line.filled ?? 0) - a) ?? 0
                guard start.onset > end - 0.5 / start.sampleRate else {
                    refusedLines += 1
                    continue
                }
            }
            streams[stream].segments.append(line)
        }
        return true
    }

    /// Streams of signals that declare no rate although their frames come evenly get the rate that their stamps tell.
    private mutating func findEvenRates() {
        for index in streams.indices {
            guard let rate = streams[index].pace?.rate else { continue }
            streams[index].info.nominalRate = rate
            notes.append(
                "\(streams[index].info.name): declares no sample rate; its frames come evenly, at "
                    + "\(NumberFormatting.text((rate * 100).rounded() / 100)) Hz by their stamps, and are read so")
        }
    }

    /// Some outlets, when they are destroyed, leave a last clock offset and a last frame of garbage (pylsl#67). Like
    /// pyxdf 1.17: where there are more frames than the footer counts and the last offset stands out from the others,
    /// both are dropped.
    private mutating func dropCorruptedEnds() {
        for index in streams.indices {
            let stream = streams[index]
            guard let count = stream.footerCount, stream.frameCount > count, stream.clockTimes.count >= 3,
                Self.isLastOutlying(stream.clockTimes, stream.clockValues)
            else { continue }
            streams[index].clockTimes.removeLast()
            streams[index].clockValues.removeLast()
            streams[index].frameLimit = max(0, count)
            notes.append(
                "\(stream.info.name): the last clock offset and the \(stream.frameCount - count) frames after the "
                    + "footer's count are garbage of a destroyed outlet and are not read")
        }
    }

    private static func isLastOutlying(_ times: [Seconds], _ values: [Seconds]) -> Bool {
        let steps = zip(times.dropFirst(), times).map { $0 - $1 }
        let usual = XDFClockSync.median(Array(steps.dropLast()))
        let last = abs(steps.last ?? 0)
        let ratio = usual > 0 ? last / usual : last > 0 ? .infinity : 1
        let middle = XDFClockSync.median(Array(values.dropLast()))
        let deviation = XDFClockSync.median(values.dropLast().map { abs($0 - middle) })
        let score = deviation > Double.ulpOfOne ? abs((values.last ?? 0) - middle) / (1.4826 * deviation) : 0
        return ratio > 10 || score > 10
    }
}
