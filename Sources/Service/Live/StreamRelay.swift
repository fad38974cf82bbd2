import Foundation
import Signals

/// How much of the signals a client wants.
public enum Detail: String, CaseIterable, Sendable {
    /// Events alone.
    case none
    /// Least and greatest of stretches of about 10 ms.
    case display
    /// Every sample.
    case full
}

/// The signal of one stream on its way to those who look.
struct StreamRelay {
    /// Bins per second for display.
    static let displayRate = 100.0
    /// Seconds of signal that go into one message.
    static let messageLength: Seconds = 0.05

    let index: Int
    let header: StreamHeader
    private var decimator: MinMaxDecimator
    private var isDecimating = false
    private var binOnset: Seconds = 0
    private var pieces: [SampleBlock] = []
    private var pieceFrames = 0
    private var pieceOnset: Seconds = 0
    private var next: Seconds = 0
    private var rate: Double

    init(_ index: Int, _ header: StreamHeader) {
        (self.index, self.header, rate) = (index, header, header.sampleRate)
        decimator = Self.decimator(header)
    }

    private static func decimator(_ header: StreamHeader) -> MinMaxDecimator {
        MinMaxDecimator(
            channelCount: header.channels.count, sampleRate: max(1, header.sampleRate), to: displayRate)
    }

    /// A run begins; what is left of the one before goes out.
    mutating func begin(_ start: SegmentStart, _ wanted: Set<Detail>, into messages: inout [(Detail, Data)]) {
        if isDecimating { decimator.flush() }
        send(wanted, isForced: true, &messages)
        if start.sampleRate > 0 { rate = start.sampleRate }
        (binOnset, pieceOnset, next) = (start.onset, start.onset, start.onset)
    }

    /// The next samples. Nothing is computed or kept for a detail that nobody wants.
    mutating func push(_ block: SampleBlock, _ wanted: Set<Detail>, into messages: inout [(Detail, Data)]) {
        defer { next += rate > 0 ? Double(block.frameCount) / rate : 0 }
        if wanted.contains(.display) {
            if !isDecimating { (decimator, binOnset, isDecimating) = (Self.decimator(header), next, true) }
            decimator.push(block)
        } else {
            isDecimating = false
        }
        if wanted.contains(.full) {
            if pieces.isEmpty { pieceOnset = next }
            pieces.append(block)
            pieceFrames += block.frameCount
        } else {
            (pieces, pieceFrames) = ([], 0)
        }
        send(wanted, isForced: false, &messages)
    }

    private mutating func send(_ wanted: Set<Detail>, isForced: Bool, _ messages: inout [(Detail, Data)]) {
        let least = isForced ? 1 : max(1, Int(Self.messageLength * rate))
        if wanted.contains(.display), decimator.count > 0, decimator.count * decimator.binLength >= least {
            let (count, length) = (decimator.count, decimator.binLength)
            messages.append((.display, message(decimator.take(), binOnset, count, length)))
            binOnset += Double(count * length) / max(rate, 1)
        }
        if wanted.contains(.full), pieceFrames > 0, pieceFrames >= least {
            messages.append((.full, message(joined(), pieceOnset, pieceFrames, nil)))
            (pieces, pieceFrames) = ([], 0)
        }
    }

    /// The pieces, channel after channel.
    private func joined() -> [Float] {
        if pieces.count == 1 { return pieces[0].samples }
        return (0..<header.channels.count).flatMap { channel in pieces.flatMap { $0.channel(channel) } }
    }

    private func message(_ values: [Float], _ onset: Seconds, _ count: Int, _ binLength: Int?) -> Data {
        let bytes = values.withUnsafeBufferPointer { buffer in
            Data(buffer: buffer).base64EncodedString()
        }
        let bin = binLength.map { ",\"bin\":\($0)" } ?? ""
        return ServerSentEvent.text(
            "samples",
            "{\"stream\":\(index),\"t\":\(onset),\"rate\":\(rate),\"count\":\(count)\(bin),\"data\":\"\(bytes)\"}")
    }
}
