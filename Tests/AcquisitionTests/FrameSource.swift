import Devices
import Signals
import Simulation
import Synchronization

/// An amplifier with many channels that sends a message of whole frames, numbered, every so often: 16-bit microvolts,
/// frame by frame. Its signal is one simulated ECG, a little delayed from channel to channel, over and over.
struct FrameSource: Sendable {
    let channels: Int
    let rate: Double
    let framesPerMessage: Int
    /// Microvolts of one period of the signal.
    private let wave: [Int16]

    init(channels: Int, rate: Double, framesPerMessage: Int) {
        (self.channels, self.rate, self.framesPerMessage) = (channels, rate, framesPerMessage)
        var form = ECGParameters()
        form.sampleRate = rate
        var signal = ECGSignal(
            form, rhythm: HeartRhythm(HeartRhythmParameters(), seed: 1), respirationRate: 0.25)
        wave = signal.render(0..<Int(20 * rate))[0].map { Int16(max(-32_000, min(32_000, ($0 * 1_000).rounded()))) }
    }

    /// The message that begins with a frame.
    func message(from first: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 8 + framesPerMessage * channels * 2)
        for place in 0..<8 { bytes[place] = UInt8(truncatingIfNeeded: first >> (8 * place)) }
        var place = 8
        for frame in first..<first + framesPerMessage {
            for channel in 0..<channels {
                let value = wave[(frame + wave.count - channel) % wave.count]
                bytes[place] = UInt8(truncatingIfNeeded: value)
                bytes[place + 1] = UInt8(truncatingIfNeeded: value >> 8)
                place += 2
            }
        }
        return bytes
    }
}

/// Takes the messages of a `FrameSource` apart.
struct FrameConversation: Conversation {
    let source: FrameSource
    private var isDeclared = false

    init(_ source: FrameSource) {
        self.source = source
    }

    mutating func open(at moment: Seconds, into actions: inout [ConversationAction]) {
        guard !isDeclared else { return }
        isDeclared = true
        let channels = (0..<source.channels).map { Channel(label: "E\($0)", unit: .microvolts) }
        let header = StreamHeader(name: "ecg", kind: .ecg, channels: channels, sampleRate: source.rate)
        actions.emit(.stream(DeviceStream(id: "ecg", header: header, clock: .counter)))
    }

    mutating func receive(
        _ bytes: [UInt8], from endpoint: Endpoint, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        let frames = (bytes.count - 8) / (2 * source.channels)
        let index = (0..<8).reduce(0) { $0 | Int(bytes[$1]) << (8 * $1) }
        var samples = [Float](repeating: 0, count: frames * source.channels)
        for frame in 0..<frames {
            for channel in 0..<source.channels {
                let place = 8 + 2 * (frame * source.channels + channel)
                samples[channel * frames + frame] = Float(
                    Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8))
            }
        }
        let block = SampleBlock(channelCount: source.channels, samples: samples)
        actions.emit(.samples(DeviceSamples(stream: "ecg", index: index, block: block)))
    }

    mutating func wake(at moment: Seconds, into actions: inout [ConversationAction]) {}
    mutating func perform(_ request: DeviceRequest, at moment: Seconds, into actions: inout [ConversationAction]) {
        if request == .stop { actions.append(.close) }
    }
    mutating func close(at moment: Seconds, into actions: inout [ConversationAction]) {}
}

/// A link on which a `FrameSource` sends at its own pace for some seconds, then closes. How late messages were taken
/// is kept.
final class FrameLink: Link, Connector {
    let place = "the amplifier"
    private let source: FrameSource
    private let clock: any HostClock
    private let messages: Int
    private let begin: Seconds
    private let progress = Mutex((next: 0, isClosed: false, latest: 0.0))

    init(_ source: FrameSource, seconds: Double, clock: any HostClock, begin: Seconds) {
        (self.source, self.clock, self.begin) = (source, clock, begin)
        messages = Int((seconds * source.rate).rounded()) / source.framesPerMessage
    }

    /// The longest time from when a message was due to when it was asked for, in seconds.
    var latest: Seconds { progress.withLock { $0.latest } }

    func connect() async throws -> any Link { self }

    let hasWaiting = false

    func next() async -> LinkEvent? {
        let number: Int? = progress.withLock { progress in
            guard progress.next <= messages else { return nil }
            defer { progress.next += 1 }
            return progress.isClosed ? messages : progress.next
        }
        guard let number else { return nil }
        guard number < messages else {
            progress.withLock { $0.next = messages + 1 }
            return .closed(nil, at: clock.now)
        }
        let due = begin + Double((number + 1) * source.framesPerMessage) / source.rate
        try? await clock.sleep(until: due)
        let late = clock.now - due
        progress.withLock { $0.latest = max($0.latest, late) }
        return .received(source.message(from: number * source.framesPerMessage), from: .stream, at: clock.now)
    }

    func send(_ bytes: [UInt8], to endpoint: Endpoint, acknowledged: Bool) async throws {}
    func subscribe(_ characteristic: BluetoothUUID) async throws {}
    func read(_ characteristic: BluetoothUUID) async throws {}
    func close() async { progress.withLock { $0.isClosed = true } }
}
