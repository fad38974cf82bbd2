import Formats
public import Signals
import Synchronization

/// Publishes a stream on the Lab Streaming Layer.
public final class LSLOutlet: Sendable {
    /// What it says of itself.
    public let info: LSLStreamInfo
    /// Whether its values are sent in double precision.
    public let isDouble: Bool
    private let library: LSLLibrary
    private let handle: Handle
    static let textFormat: Int32 = 3
    /// The library's numbers of formats (`lsl_channel_format_t`).
    static let formats: [Int32: XDFValueFormat] = [
        1: .float32, 2: .double, 3: .string, 4: .int32, 5: .int16, 6: .int8, 7: .int64,
    ]
    private static let floatFormat: Int32 = 1
    private static let doubleFormat: Int32 = 2

    /// The library's outlets may be used from any thread, one at a time.
    private struct Handle: @unchecked Sendable {
        let outlet: LSLCalls.Handle
        let lock = Lock()

        final class Lock: Sendable {
            let mutex = Mutex(())
        }
    }

    /// Shows the stream on the network.
    /// - Parameter isDouble: whether its values are sent in double precision, as those of irregular streams are; else in
    ///   single precision, as most samples are.
    /// - Throws: `LinkError.refused` when the library does not take the description.
    public init(
        _ library: LSLLibrary, _ info: LSLStreamInfo, isDouble: Bool = false, bufferedSeconds: Int = 360
    ) throws(LinkError) {
        let calls = library.calls
        let format = info.isText ? Self.textFormat : isDouble ? Self.doubleFormat : Self.floatFormat
        guard
            let description = calls.createInfo(
                info.name, info.type, Int32(info.channels.count), info.sampleRate, format, info.sourceID)
        else { throw .refused("The LSL library takes no stream called \(info.name).") }
        defer { calls.destroyInfo(description) }
        if let root = calls.description(description), let list = calls.appendChild(root, "channels") {
            for channel in info.channels {
                guard let entry = calls.appendChild(list, "channel") else { continue }
                _ = calls.appendValue(entry, "label", channel.label)
                _ = calls.appendValue(entry, "unit", channel.unit.rawValue)
                _ = calls.appendValue(entry, "type", channel.kind.flatMap(LSLStreamInfo.type) ?? info.type)
            }
        }
        guard let outlet = calls.createOutlet(description, 0, Int32(bufferedSeconds)) else {
            throw .refused("The LSL library cannot publish \(info.name).")
        }
        self.library = library
        (self.info, self.isDouble) = (info, isDouble)
        handle = Handle(outlet: outlet)
        uid =
            library.calls.outletInfo(outlet).map { own in
                defer { library.calls.destroyInfo(own) }
                return library.calls.uid(own).map { String(cString: $0) } ?? ""
            } ?? ""
        if !uid.isEmpty { Self.ownUIDs.withLock { _ = $0.insert(uid) } }
    }

    /// The ids of this program's outlets.
    private let uid: String
    private static let ownUIDs = Mutex(Set<String>())

    /// True for a stream that this program publishes as part of a session, and must not record.
    static func isOwn(_ info: LSLStreamInfo) -> Bool {
        info.sourceID.hasPrefix(LSLStreamInfo.ownSourcePrefix) && ownUIDs.withLock { $0.contains(info.uid) }
    }

    deinit {
        library.calls.destroyOutlet(handle.outlet)
    }

    /// Whether anyone listens.
    public var hasConsumers: Bool { library.calls.hasConsumers(handle.outlet) != 0 }

    /// Waits until someone listens.
    /// - Returns: whether someone does within `seconds`.
    public func waitForConsumers(within seconds: Seconds) async -> Bool {
        let found = try? await onThread { [self] _ in library.calls.waitForConsumers(handle.outlet, seconds) != 0 }
        return found ?? false
    }

    /// Publishes frames, each with its moment on the host's monotonic clock.
    /// - Precondition: the block has the stream's channels, and as many frames as there are stamps.
    public func push(_ block: SampleBlock, stamps: [Seconds]) {
        precondition(block.channelCount == info.channels.count && block.frameCount == stamps.count, "one stamp a frame")
        guard !stamps.isEmpty else { return }
        var frames = [Float](repeating: 0, count: block.samples.count)
        for channel in 0..<block.channelCount {
            for frame in 0..<block.frameCount {
                frames[frame * block.channelCount + channel] = block.samples[channel * block.frameCount + frame]
            }
        }
        handle.lock.mutex.withLock { _ in
            _ = library.calls.pushChunk(handle.outlet, frames, UInt(frames.count), stamps, 1)
        }
    }

    /// Publishes rows of an outlet in double precision, each with its moment on the host's monotonic clock.
    /// - Precondition: every row has the stream's channels, and there are as many as stamps.
    public func push(_ rows: [[Double]], stamps: [Seconds]) {
        let width = info.channels.count
        precondition(rows.count == stamps.count && rows.allSatisfy { $0.count == width }, "one stamp a row")
        guard !stamps.isEmpty else { return }
        let values = rows.flatMap { $0 }
        handle.lock.mutex.withLock { _ in
            _ = library.calls.pushDoubles(handle.outlet, values, UInt(values.count), stamps, 1)
        }
    }

    /// Publishes a text, with its moment on the host's monotonic clock.
    public func push(_ text: String, stamp: Seconds) {
        handle.lock.mutex.withLock { _ in
            text.withCString { pointer in
                var texts = [UnsafePointer<CChar>?](repeating: pointer, count: max(1, info.channels.count))
                _ = library.calls.pushText(handle.outlet, &texts, stamp, 1)
            }
        }
    }
}
