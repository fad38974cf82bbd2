public import Devices
import Dispatch
import Formats
public import Foundation
public import Signals
import Synchronization

/// Records a session: one append-only XDF file that opens whenever the recording ends, by a clean stop, a kill, a full
/// disk or a power cut.
///
/// Devices hand in what they said and get back at once what the live computation should see, which is what reading the
/// file will give. A thread of the recorder's own, which looks ten times a second whether chunks are due, writes about
/// three times a second and secures about twice, so that a slow disk blocks no device; what waits is bounded, and when
/// the bound is reached samples are neither recorded nor computed until there is room, which leaves a gap with its reason
/// (`bufferOverrun`).
public final class Recorder: Sendable {
    /// What is recorded, and where.
    public struct Session: Sendable {
        /// The file to create.
        public var url: URL
        /// BIDS labels, where known.
        public var subject: String?
        /// BIDS session label.
        public var session: String?
        /// BIDS task label.
        public var task: String?
        /// Program and version.
        public var software: String
        /// Whether a JSON file beside the recording says what it holds.
        public var hasSidecar = true
        /// Bytes that may wait for the disk.
        public var mostWaiting = 64 << 20

        /// A session recorded into `url`.
        public init(url: URL, subject: String? = nil, session: String? = nil, task: String? = nil, software: String) {
            (self.url, self.subject, self.session, self.task, self.software) = (url, subject, session, task, software)
        }

        /// The sidecar.
        public var sidecar: URL { url.jsonSidecar }
    }

    /// How the recorder does.
    public struct State: Hashable, Sendable {
        /// Bytes in the file.
        public var written = 0
        /// Bytes that wait for the disk.
        public var waiting = 0
        /// Why nothing can be written; nil when all is well.
        public var problem: RecorderError?
        /// Since when nothing can be written, seconds from the recording's start.
        public var problemSince: Seconds?
        /// Whether samples are refused because too much waits.
        public var isRefusing = false
        /// Frames and values refused so far.
        public var refused = 0
        /// Frames and values of each stream that are in the file; none yet of streams beyond its end.
        public var counts: [Int] = []
        /// When the file was last secured against a power cut, seconds from the recording's start.
        public var secured: Seconds = 0
        /// Bytes free on the disk, as of a few seconds ago; nil when that can't be told.
        public var free: Int?
    }

    private struct Content {
        var assembler: RecordingAssembler
        var state = State()
        var isFinished = false
        /// What was recorded since the live computation was given something last.
        var released: [RecordingEvent] = []

        mutating func takeReleased() -> [RecordingEvent] {
            defer { released = [] }
            return released
        }
    }

    /// Bytes for the file, and how many frames and values of each stream it holds once they are written.
    private struct Piece {
        var bytes: [UInt8]
        var counts: [Int]
    }

    private struct Disk {
        let file: any RecordingDisk
        var queue: [Piece] = []
        var counts: [Int] = []
        var isDirty = false
        var secured: Seconds = 0
        var examined: Seconds = -.infinity
        var sidecarWritten: Seconds = -.infinity
        var sidecarStreams = -1
        var isClosed = false
    }

    /// What is recorded, and where.
    public let session: Session
    /// When the recording began: its time 0.
    public let start: Timestamp
    /// The same on the host's monotonic clock, in seconds.
    public let startMoment: Seconds
    private let clock: any HostClock
    private let content: Mutex<Content>
    private let disk: Mutex<Disk>
    private let stopping = Interrupt()
    private let stopped = DispatchSemaphore(value: 0)
    private let hasThread: Bool

    /// Begins a recording.
    /// - Parameters:
    ///   - disk: takes the bytes; nil: a new file at the session's place.
    ///   - writesByItself: whether a thread of its own writes; else the caller calls `pump`.
    /// - Throws: `RecorderError` when the file exists already or cannot be created, or its sidecar would replace a file
    ///   that is none.
    public init(
        _ session: Session, clock: any HostClock = SystemClock(), disk: (any RecordingDisk)? = nil,
        writesByItself: Bool = true
    ) throws {
        self.session = session
        self.clock = clock
        (startMoment, start) = (clock.now, clock.wallClock)
        hasThread = writesByItself
        let file = XDFRecordingEncoder.File(
            start: start, subject: session.subject, session: session.session, task: session.task,
            software: session.software)
        content = Mutex(Content(assembler: RecordingAssembler(file, hostOrigin: startMoment)))
        if disk == nil, session.hasSidecar, RecordingSidecar.isForeign(session.sidecar) {
            throw RecorderError.exists(session.sidecar.relativePath)
        }
        self.disk = Mutex(Disk(file: try disk ?? RecordingFileOnDisk(session.url)))
        pump()
        if writesByItself {
            Thread.detachNewThread { [self] in
                while !stopping.wait(atMost: 0.1) { pump() }
                stopped.signal()
            }
        }
    }

    /// What the recording holds so far; a stream is meant by its place here.
    public var header: RecordingHeader { content.withLock { $0.assembler.header } }

    /// How the recorder does.
    public var state: State { content.withLock { $0.state } }

    /// What was measured of each stream's clock, in the order of the streams.
    public var clocks: [ClockReport] { content.withLock { $0.assembler.clocks } }

    /// The stream `id` of a device; nil before it was declared.
    public func stream(_ id: String, of device: String) -> Int? {
        content.withLock { $0.assembler.stream(id, of: device) }
    }

    /// Seconds from the recording's start to a moment on the host's monotonic clock.
    public func onset(_ moment: Seconds) -> Seconds { moment - startMoment }

    // MARK: what happens

    /// Records what `device` said at `moment` on the host's monotonic clock.
    /// - Returns: what the live computation gets.
    public func record(_ event: DeviceEvent, from device: String, at moment: Seconds) -> [RecordingEvent] {
        content.withLock { content in
            guard !content.isFinished else { return [] }
            if !refuses(event, &content, at: onset(moment)) {
                content.assembler.take(event, from: device, at: onset(moment), into: &content.released)
            }
            return content.takeReleased()
        }
    }

    /// Records values that were held back until a device's clock is known, and are due at `moment` on the host's monotonic
    /// clock; all of them at infinity, as at the end. `pump` and `record` do so, too.
    /// - Returns: what the live computation gets, of this and of what was written meanwhile.
    public func release(at moment: Seconds) -> [RecordingEvent] {
        content.withLock { content in
            guard !content.isFinished else { return [] }
            content.assembler.release(at: onset(moment), into: &content.released)
            return content.takeReleased()
        }
    }

    private func refuses(_ event: DeviceEvent, _ content: inout Content, at moment: Seconds) -> Bool {
        let count: Int
        switch event {
        case .samples(let samples): count = samples.block.frameCount
        case .values(_, let values): count = values.count
        // The same samples are counted as their stream's.
        case .received: count = 0
        default: return false
        }
        let waiting = content.state.waiting + content.assembler.pendingByteCount
        if content.state.isRefusing, waiting < session.mostWaiting / 2 { content.state.isRefusing = false }
        if !content.state.isRefusing, waiting > session.mostWaiting {
            content.state.isRefusing = true
            content.assembler.interrupt(nil, .bufferOverrun, at: moment)
        }
        if content.state.isRefusing { content.state.refused += count }
        return content.state.isRefusing
    }

    /// A device's streams, or all, are interrupted; when they go on, `reason` is why they paused.
    public func interrupted(_ device: String?, _ reason: Gap.Reason, at moment: Seconds) {
        content.withLock { $0.assembler.interrupt(device, reason, at: onset(moment)) }
    }

    /// Records an event of the session: a tag from the keyboard, a stimulus.
    /// - Parameter moment: when it happened, on the host's monotonic clock.
    /// - Returns: what the live computation gets.
    public func mark(
        _ label: String, at moment: Seconds, duration: Seconds = 0, stream: String? = nil
    ) -> [RecordingEvent] {
        var events: [RecordingEvent] = []
        let marker = Marker(onset: onset(moment), duration: duration, label: label, stream: stream)
        content.withLock { content in
            guard !content.isFinished else { return }
            content.assembler.mark(marker, into: &events)
        }
        return events
    }

    /// Adds a line to the recording's journal: a connection's state, a verdict on quality.
    public func note(_ type: String, device: String = "", at moment: Seconds, _ details: [String: String]) {
        content.withLock { $0.assembler.note(type, device, at: onset(moment), details) }
    }

    // MARK: writing

    /// Writes the chunks that are due, and secures the file when that was last done half a second ago or longer. The
    /// recorder's own thread does this every 100 ms.
    public func pump() {
        disk.withLock { disk in
            guard !disk.isClosed else { return }
            let now = onset(clock.now)
            let piece = content.withLock { content in
                if !content.isFinished { content.assembler.release(at: now, into: &content.released) }
                return Piece(
                    bytes: content.isFinished ? [] : content.assembler.bytes(at: now),
                    counts: content.assembler.flushedCounts)
            }
            if !piece.bytes.isEmpty { disk.queue.append(piece) }
            let (written, problem) = Self.drain(&disk, now, always: false)
            if now - disk.examined >= 2 {
                disk.examined = now
                let free = disk.file.freeBytes
                content.withLock { $0.state.free = free }
            }
            publish(disk, written, problem, now)
            writeSidecar(&disk, .recording, now)
        }
    }

    private static func drain(_ disk: inout Disk, _ now: Seconds, always: Bool) -> (written: Int, RecorderError?) {
        var written = 0
        do {
            while let first = disk.queue.first {
                try disk.file.append(first.bytes)
                written += first.bytes.count
                disk.counts = first.counts
                disk.queue.removeFirst()
                disk.isDirty = true
            }
            if disk.isDirty, always || now - disk.secured >= 0.5 {
                try disk.file.sync()
                disk.isDirty = false
            }
            if !disk.isDirty { disk.secured = now }
            return (written, nil)
        } catch {
            return (written, error as? RecorderError ?? .refused(file: "the recording", reason: "\(error)"))
        }
    }

    private func publish(_ disk: Disk, _ written: Int, _ problem: RecorderError?, _ now: Seconds) {
        let waiting = disk.queue.reduce(0) { $0 + $1.bytes.count }
        content.withLock { content in
            content.state.written += written
            content.state.waiting = waiting
            content.state.counts = disk.counts
            content.state.secured = disk.secured
            content.state.problemSince = problem == nil ? nil : content.state.problemSince ?? now
            content.state.problem = problem
        }
    }

    /// Once a minute, and when there is a new stream.
    private func writeSidecar(_ disk: inout Disk, _ state: RecordingSidecar.State, _ now: Seconds) {
        guard session.hasSidecar else { return }
        let streams = content.withLock { $0.assembler.header.streams.count }
        guard state == .finished || streams != disk.sidecarStreams || now - disk.sidecarWritten >= 60 else { return }
        (disk.sidecarStreams, disk.sidecarWritten) = (streams, now)
        let software = session.software
        let sidecar = content.withLock {
            RecordingSidecar($0.assembler, state, duration: now, software: software)
        }
        // On a full disk the recording matters; the sidecar is tried again in a minute.
        try? writeAtomically(sidecar.json, to: session.sidecar, isPrivate: true)
    }

    /// Ends a recording in which nothing was recorded yet and deletes it; one that holds something is only ended.
    public func discard() {
        let isEmpty = header.streams.isEmpty
        try? close()
        guard isEmpty else { return }
        unlink(session.url.path)
        if session.hasSidecar { unlink(session.sidecar.path) }
    }

    /// Ends the recording: writes and secures what is left and the footers.
    /// - Throws: `RecorderError` when the disk refuses; what was written before is whole, and `close` may be called again
    ///   when there is room.
    public func close() throws {
        let isFirst = content.withLock { content in
            defer { content.isFinished = true }
            return !content.isFinished
        }
        if isFirst, hasThread {
            stopping.fire()
            stopped.wait()
        }
        let piece =
            isFirst
            ? content.withLock { Piece(bytes: $0.assembler.finish(), counts: $0.assembler.flushedCounts) } : nil
        try disk.withLock { disk in
            guard !disk.isClosed else { return }
            let now = onset(clock.now)
            if let piece { disk.queue.append(piece) }
            let (written, found) = Self.drain(&disk, now, always: true)
            var problem = found
            if case .deleted = problem {
                do {
                    try disk.file.restore()
                    problem = Self.drain(&disk, now, always: true).1
                } catch { problem = error as? RecorderError ?? problem }
            }
            publish(disk, written, problem, now)
            if let problem { throw problem }
            writeSidecar(&disk, .finished, now)
            disk.file.close()
            disk.isClosed = true
        }
    }
}
