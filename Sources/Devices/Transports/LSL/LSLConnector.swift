import Formats
import Foundation
public import Signals
import Synchronization

/// Opens a stream of the Lab Streaming Layer on the local network.
public struct LSLConnector: Connector {
    private let library: LSLLibrary
    private let target: LSLPlace
    private let timeout: Seconds
    private let findsOwn: Bool
    private let clock: any HostClock

    /// A way to a stream.
    /// - Parameter findsOwn: whether it may be one that this program publishes of a session of its own.
    public init(
        _ library: LSLLibrary, _ target: LSLPlace, timeout: Seconds = 5, findsOwn: Bool = false,
        clock: any HostClock = SystemClock()
    ) {
        self.library = library
        self.target = target
        self.timeout = timeout
        self.findsOwn = findsOwn
        self.clock = clock
    }

    /// A way to the stream whose `property` (`name`, `type`, `source_id`, `hostname`, `uid`) is `value`.
    /// - Parameter findsOwn: whether it may be one that this program publishes of a session of its own.
    public init(
        _ library: LSLLibrary, property: String = "name", value: String, timeout: Seconds = 5, findsOwn: Bool = false,
        clock: any HostClock = SystemClock()
    ) {
        self.init(
            library, LSLPlace(property: property, value: value), timeout: timeout, findsOwn: findsOwn, clock: clock)
    }

    /// `LSL stream name=…`.
    public var place: String { "LSL stream \(target.property)=\(target.value)" }

    /// What the stream says of itself; nil when it does not show itself in time. Waits for it on this thread.
    public func look(within seconds: Seconds) -> LSLStreamInfo? {
        guard
            let handle = try? LSLInlet.resolve(library, target, seconds, findsOwn, place, Interrupt())
        else { return nil }
        defer { library.calls.destroyInfo(handle) }
        return library.info(handle)
    }

    /// Finds the stream and opens it.
    /// - Throws: `LinkError.unreachable` when it does not show itself in time, `CancellationError`.
    public func connect() async throws -> any Link {
        let (library, target, timeout, place) = (library, target, timeout, place)
        let (findsOwn, clock) = (findsOwn, clock)
        return try await onThread { interrupt in
            let inlet = try LSLInlet(
                library, target, timeout: timeout, findsOwn: findsOwn, place, interrupt)
            return LSLLink(inlet, place: place, clock: clock)
        }
    }
}

extension LSLLibrary {
    /// The streams that show themselves on the network within `seconds`.
    public func streams(within seconds: Seconds = 1) async throws -> [LSLStreamInfo] {
        try await onThread { [self] _ in
            var found = [LSLCalls.Handle?](repeating: nil, count: 256)
            let count = calls.resolveAll(&found, UInt32(found.count), seconds)
            return found.prefix(Int(max(0, count))).compactMap { handle in
                guard let handle else { return nil }
                defer { calls.destroyInfo(handle) }
                return info(handle)
            }
        }
    }

    /// What a handle of the library tells.
    func info(_ handle: LSLCalls.Handle) -> LSLStreamInfo {
        func text(_ pointer: LSLCalls.Text?) -> String { pointer.map { String(cString: $0) } ?? "" }
        let count = Int(min(max(calls.channelCount(handle), 0), 4_096))
        var types = [String](repeating: "", count: count)
        var channels = (0..<count).map { Channel(label: "\($0 + 1)", unit: .unknown) }
        if let description = calls.description(handle), let list = calls.child(description, "channels") {
            var channel = calls.child(list, "channel")
            var index = 0
            while let current = channel, calls.isEmpty(current) == 0, index < count {
                let label = text(calls.childValue(current, "label"))
                if !label.isEmpty { channels[index].label = label }
                channels[index].unit = Unit(text(calls.childValue(current, "unit")))
                types[index] = text(calls.childValue(current, "type"))
                index += 1
                channel = calls.nextSibling(current, "channel")
            }
        }
        var info = LSLStreamInfo(
            name: text(calls.name(handle)), type: text(calls.type(handle)), channels: channels,
            sampleRate: calls.rate(handle), isText: calls.format(handle) == LSLOutlet.textFormat,
            format: LSLOutlet.formats[calls.format(handle)], sourceID: text(calls.sourceID(handle)),
            host: text(calls.hostname(handle)))
        info.uid = text(calls.uid(handle))
        for (index, type) in types.enumerated() where !type.isEmpty {
            let kind = XDFStreamPart.kind(ofChannelType: type)
            info.channels[index].kind = kind == info.kind ? nil : kind
        }
        if let xml = calls.xml(handle) {
            info.xml = String(cString: xml)
            calls.destroyString(xml)
        }
        return info
    }
}

/// An open inlet; used by one thread at a time.
final class LSLInlet: @unchecked Sendable {
    let info: LSLStreamInfo
    private let library: LSLLibrary
    private let handle: LSLCalls.Handle
    private let target: LSLPlace
    private let findsOwn: Bool
    private var stamps: [Double]
    private var values: [Double]
    private var integers: [Int64]
    /// What the library returns when the source is gone.
    private static let lost: Int32 = -2
    private static let frames = 512

    init(
        _ library: LSLLibrary, _ target: LSLPlace, timeout: Seconds, findsOwn: Bool, _ place: String,
        _ interrupt: Interrupt
    ) throws {
        let source = try Self.resolve(library, target, timeout, findsOwn, place, interrupt)
        defer { library.calls.destroyInfo(source) }
        // Without recovery of its own: a lost source is told, and connected to anew.
        guard let handle = library.calls.createInlet(source, 360, 0, 0) else {
            throw LinkError.unreachable("The \(place) cannot be opened.")
        }
        self.library = library
        self.handle = handle
        var problem: Int32 = 0
        var info: LSLStreamInfo?
        if let full = library.calls.fullInfo(handle, timeout, &problem) {
            info = library.info(full)
            library.calls.destroyInfo(full)
        }
        library.calls.openStream(handle, timeout, &problem)
        guard let info, problem == 0 else {
            library.calls.destroyInlet(handle)
            throw LinkError.unreachable("The \(place) does not answer.")
        }
        (self.info, self.target, self.findsOwn) = (info, target, findsOwn)
        let count = Self.frames * max(1, info.channels.count)
        stamps = [Double](repeating: 0, count: Self.frames)
        values = [Double](repeating: 0, count: info.isInteger ? 0 : count)
        integers = [Int64](repeating: 0, count: info.isInteger ? count : 0)
    }

    deinit {
        library.calls.destroyInlet(handle)
    }

    /// Other streams that fit what was asked for, as far as they show themselves within half a second.
    func rivals() -> [LSLStreamInfo] {
        var found = [LSLCalls.Handle?](repeating: nil, count: 64)
        let count = library.calls.resolveByPredicate(&found, UInt32(found.count), target.predicate, 2, 0.5)
        var others = found.prefix(Int(max(0, count))).compactMap { handle -> LSLStreamInfo? in
            guard let handle else { return nil }
            defer { library.calls.destroyInfo(handle) }
            return library.info(handle)
        }.filter { findsOwn || !LSLOutlet.isOwn($0) }
        // Two without an id on one host look alike; one of them is the one that is recorded.
        if let own = others.firstIndex(where: {
            ($0.name, $0.sourceID, $0.host) == (info.name, info.sourceID, info.host)
                && ($0.uid == info.uid || $0.uid.isEmpty)
        }) {
            others.remove(at: own)
        }
        return others
    }

    fileprivate static func resolve(
        _ library: LSLLibrary, _ target: LSLPlace, _ timeout: Seconds, _ findsOwn: Bool, _ place: String,
        _ interrupt: Interrupt
    ) throws -> LSLCalls.Handle {
        let end = library.now + timeout
        repeat {
            var found = [LSLCalls.Handle?](repeating: nil, count: 64)
            let count = library.calls.resolveByPredicate(
                &found, UInt32(found.count), target.predicate, 1, min(0.2, timeout))
            let handles = found.prefix(Int(max(0, count))).compactMap { $0 }
            let chosen = handles.firstIndex { findsOwn || !LSLOutlet.isOwn(library.info($0)) }
            for (index, handle) in handles.enumerated() where index != chosen { library.calls.destroyInfo(handle) }
            if let chosen { return handles[chosen] }
            var state = pollfd(fd: interrupt.descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&state, 1, 0) > 0 { throw CancellationError() }
        } while library.now < end
        throw LinkError.unreachable(
            "No \(place) shows itself: is its program running, on this network, and is multicast allowed?")
    }

    /// The offset of the sender's clock; nil when it cannot be measured in time.
    func correction() -> Double? {
        var problem: Int32 = 0
        let offset = library.calls.timeCorrection(handle, 2, &problem)
        return problem == 0 ? offset : nil
    }

    /// What arrived, waiting up to a tenth of a second; nil for nothing.
    /// - Throws: `LinkError.lost` when the source is gone.
    func pull() throws(LinkError) -> LSLMessage? {
        var problem: Int32 = 0
        let message =
            info.isText ? pullText(&problem) : info.isInteger ? pullIntegers(&problem) : pullChunk(&problem)
        if problem == Self.lost { throw .lost("The LSL stream \(info.name) has ended.") }
        return message
    }

    private func pullChunk(_ problem: inout Int32) -> LSLMessage? {
        let width = info.channels.count
        // The first sample is waited for, the rest taken with it.
        var count = library.calls.pullChunk(handle, &values, &stamps, UInt(width), 1, 0.1, &problem)
        guard count > 0, problem == 0 else { return nil }
        var samples = Array(values[..<width])
        var times = [stamps[0]]
        count = library.calls.pullChunk(
            handle, &values, &stamps, UInt(values.count), UInt(stamps.count), 0, &problem)
        samples += values[..<min(Int(count), values.count)]
        times += stamps[..<(Int(count) / max(1, width))]
        return .chunk(stamps: times, values: samples)
    }

    private func pullIntegers(_ problem: inout Int32) -> LSLMessage? {
        let width = info.channels.count
        var count = library.calls.pullIntegers(handle, &integers, &stamps, UInt(width), 1, 0.1, &problem)
        guard count > 0, problem == 0 else { return nil }
        var samples = Array(integers[..<width])
        var times = [stamps[0]]
        count = library.calls.pullIntegers(
            handle, &integers, &stamps, UInt(integers.count), UInt(stamps.count), 0, &problem)
        samples += integers[..<min(Int(count), integers.count)]
        times += stamps[..<(Int(count) / max(1, width))]
        return .integers(stamps: times, values: samples)
    }

    private func pullText(_ problem: inout Int32) -> LSLMessage? {
        var texts = [UnsafeMutablePointer<CChar>?](repeating: nil, count: info.channels.count)
        let stamp = library.calls.pullText(handle, &texts, Int32(texts.count), 0.1, &problem)
        guard stamp != 0, problem == 0 else { return nil }
        defer { for case let text? in texts { library.calls.destroyString(text) } }
        return .text(texts.map { $0.map { String(cString: $0) } ?? "" }, stamp: stamp)
    }
}

/// An open stream of the Lab Streaming Layer; a thread pulls its samples and measures the clock's offset every five
/// seconds.
private final class LSLLink: Link {
    private let queue = LinkQueue()
    private let isClosing: Closing

    private final class Closing: Sendable {
        let flag = Atomic(false)
    }

    init(_ inlet: LSLInlet, place: String, clock: any HostClock) {
        let (queue, closing) = (queue, Closing())
        isClosing = closing
        Thread.detachNewThread { Self.run(inlet, queue, closing, clock) }
    }

    deinit {
        isClosing.flag.store(true, ordering: .relaxed)
    }

    private static func run(_ inlet: LSLInlet, _ queue: LinkQueue, _ closing: Closing, _ clock: any HostClock) {
        func put(_ message: LSLMessage) { queue.put(.received(message.bytes, from: .stream, at: clock.now)) }
        put(.info(inlet.info))
        let rivals = inlet.rivals()
        if !rivals.isEmpty { put(.rivals(rivals)) }
        var corrected = -Double.infinity
        do throws(LinkError) {
            while !closing.flag.load(ordering: .relaxed) {
                if clock.now - corrected >= 5, let offset = inlet.correction() {
                    corrected = clock.now
                    put(.correction(offset))
                }
                // Samples wait in the library, which holds minutes, instead of the queue.
                if queue.hasWaiting { usleep(2_000) } else if let message = try inlet.pull() { put(message) }
            }
            queue.put(.closed(nil, at: clock.now))
        } catch {
            queue.put(.closed(error, at: clock.now))
        }
    }

    func next() async -> LinkEvent? { await queue.next() }

    var hasWaiting: Bool { queue.hasWaiting }

    func send(_ bytes: [UInt8], to endpoint: Endpoint, acknowledged: Bool) async throws {
        throw LinkError.refused("Nothing can be sent to an LSL stream.")
    }

    func subscribe(_ characteristic: BluetoothUUID) async throws {}

    func read(_ characteristic: BluetoothUUID) async throws { throw LinkError.missing(characteristic) }

    func close() async { isClosing.flag.store(true, ordering: .relaxed) }
}
