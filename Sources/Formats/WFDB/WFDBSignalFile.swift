import Foundation
import Signals

/// Reads the frames of one signal file, for those of its signals that share a skew.
final class WFDBSignalFile {
    /// One signal in the file.
    struct Member {
        /// Its place in the header.
        let signal: Int
        /// Its first sample's place in a frame.
        let slot: Int
        let samplesPerFrame: Int
        let scale: WFDBScale
        /// The 16-bit sum the header claims; nil where it claims none or the sum cannot be taken.
        let checksum: Int?
        /// The sum so far.
        var sum: Int32 = 0
        /// The last value of format 8.
        var running: Int32
    }

    let input: InputFile
    private let format: WFDBSignalFormat
    private let byteOffset: Int
    private let slotCount: Int
    private(set) var members: [Member]
    let skew: Int
    /// Frames the file holds, the skewed ones at its beginning included.
    let storedFrameCount: Int
    private var bytes: [UInt8] = []
    private var decoded: [Int32] = []
    private var column: [Int32] = []
    /// Whether there is but one signal, of format 16, which is converted as it stands in the file.
    private let isPlain: Bool
    /// The frame that the running sums of format 8 have reached.
    private var reached = 0

    /// The file of `signals` (places in the header's list, all with this file), of which those with `skew` are read.
    init(_ header: WFDBHeader, signals: [Int], skew: Int, file: URL) throws {
        let first = header.signals[signals[0]]
        do { input = try InputFile(file) } catch let error as FormatError {
            let place = file.deletingLastPathComponent().appendingPathComponent(header.name + ".hea")
            throw FormatError(
                place, "its signal file \(file.lastPathComponent) \(error.problem)",
                advice: "a record needs its header and its signal files side by side")
        }
        format = first.format ?? .format16
        byteOffset = first.byteOffset
        self.skew = skew
        var slot = 0
        var members: [Member] = []
        for index in signals {
            let signal = header.signals[index]
            if signal.skew == skew {
                members.append(
                    Member(
                        signal: index, slot: slot, samplesPerFrame: signal.samplesPerFrame,
                        scale: WFDBScale(signal, format: format),
                        checksum: skew == 0 && signal.checksum != 0 ? signal.checksum : nil,
                        running: Int32(truncatingIfNeeded: signal.initialValue)))
            }
            slot += signal.samplesPerFrame
        }
        self.members = members
        slotCount = slot
        isPlain =
            format == .format16 && members.count == 1 && members[0].samplesPerFrame == slot && members[0].scale.isNarrow
        storedFrameCount = format.sampleCount(bytes: max(0, input.size - byteOffset)) / slot
    }

    /// Whether the file holds this many frames, samples that pad its last unit left out.
    func hasLength(_ frames: Int) -> Bool {
        storedFrameCount == frames
            || storedFrameCount > frames && (storedFrameCount - frames) * slotCount < format.samplesPerUnit
    }

    /// Decodes the next frames; those beyond the end of the file are left out. Returns how many there were.
    /// - Precondition: frames are asked for in order.
    func read(_ frames: Range<Int>) throws -> Int {
        if format == .format8 {
            // Sums need every difference from the first on.
            while reached < frames.lowerBound + skew {
                let block = reached..<min(frames.lowerBound + skew, reached + 4096)
                let count = try decode(block)
                for index in members.indices { gather(index, count) }
                if count < block.count { return 0 }
            }
        }
        return try decode(frames.lowerBound + skew..<frames.upperBound + skew)
    }

    private func decode(_ frames: Range<Int>) throws -> Int {
        let count = max(0, min(frames.upperBound, storedFrameCount) - frames.lowerBound)
        reached = frames.lowerBound + count
        guard count > 0 else { return 0 }
        let first = frames.lowerBound * slotCount
        let firstUnit = first / format.samplesPerUnit
        skipped = first - firstUnit * format.samplesPerUnit
        let units = (skipped + count * slotCount + format.samplesPerUnit - 1) / format.samplesPerUnit
        let byteCount = units * format.bytesPerUnit
        if bytes.count < byteCount { bytes = [UInt8](repeating: 0, count: byteCount) }
        if !isPlain, decoded.count < units * format.samplesPerUnit {
            decoded = [Int32](repeating: 0, count: units * format.samplesPerUnit)
        }
        let offset = byteOffset + firstUnit * format.bytesPerUnit
        try bytes.withUnsafeMutableBytes { buffer in
            let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer[..<byteCount])
            let got = try input.read(at: offset, into: wanted)
            // The last unit may be cut off; what it lacks belongs to no sample that is used.
            if got < byteCount {
                guard byteCount - got < format.bytesPerUnit else {
                    throw FormatError(input.url, at: "byte \(offset + got)", "became shorter while it was read")
                }
                UnsafeMutableRawBufferPointer(rebasing: wanted[got...]).initializeMemory(as: UInt8.self, repeating: 0)
            }
        }
        if isPlain { return count }
        bytes.withUnsafeBufferPointer { source in
            decoded.withUnsafeMutableBufferPointer { target in
                guard let from = source.baseAddress, let to = target.baseAddress else { return }
                format.decode(from, units: units, into: to)
            }
        }
        return count
    }

    private var skipped = 0

    /// Brings the decoded samples of one member together in `column`.
    private func gather(_ index: Int, _ frames: Int) {
        let member = members[index]
        let perFrame = member.samplesPerFrame
        let count = frames * perFrame
        if column.count < count { column = [Int32](repeating: 0, count: count) }
        decoded.withUnsafeBufferPointer { source in
            column.withUnsafeMutableBufferPointer { target in
                guard let start = source.baseAddress, let to = target.baseAddress else { return }
                let from = start + skipped + member.slot
                if perFrame == slotCount {
                    to.update(from: from, count: count)
                } else if perFrame == 1 {
                    Self.take(from, stride: slotCount, count, to)
                } else {
                    for frame in 0..<frames {
                        for place in 0..<perFrame { to[frame * perFrame + place] = from[frame * slotCount + place] }
                    }
                }
                if format == .format8 {
                    var running = member.running
                    for place in 0..<count {
                        running &+= to[place]
                        to[place] = running
                    }
                    members[index].running = running
                }
            }
        }
    }

    private static func take(
        _ from: UnsafePointer<Int32>, stride: Int, _ count: Int, _ to: UnsafeMutablePointer<Int32>
    ) {
        if stride == 2 {
            for i in 0..<count { to[i] = from[2 &* i] }
        } else {
            for i in 0..<count { to[i] = from[stride &* i] }
        }
    }

    /// Writes the physical values of member `index` over the frames read last.
    func convert(_ index: Int, frames: Int, into values: UnsafeMutablePointer<Float>) {
        if isPlain {
            let count = frames * members[index].samplesPerFrame
            let scale = members[index].scale
            members[index].sum &+= bytes.withUnsafeBufferPointer { source in
                source.baseAddress.map { scale.convert(format16: $0, count: count, into: values) } ?? 0
            }
            return
        }
        // A file's only signal stands together as it is.
        let isTogether = members[index].samplesPerFrame == slotCount && format != .format8
        if !isTogether { gather(index, frames) }
        let count = frames * members[index].samplesPerFrame
        let scale = members[index].scale
        let first = isTogether ? skipped + members[index].slot : 0
        let sum = (isTogether ? decoded : column).withUnsafeBufferPointer { source in
            source.baseAddress.map { scale.convert($0 + first, count: count, into: values) } ?? 0
        }
        members[index].sum &+= sum
    }
}
