import Signals

/// Collects samples as they come and writes data records as they fill.
struct EDFRecordAssembler {
    /// Stored numbers of a stream, channel-major, from a frame on.
    fileprivate struct Chunk {
        var frame: Int
        var count: Int
        var numbers: [Int32]
    }

    fileprivate struct Lane {
        var channels: [EDFWriteChannels.Channel]
        var samplesPerRecord: Int
        var pieces: [EDFWritePlan.Piece]
        /// Where the lane's first channel begins in a data record, in samples.
        var offset: Int
        var chunks: [Chunk] = []
        /// The first piece that is not complete.
        var nextPiece = 0
        var segment = -1
        var consumed = 0
        /// All frames before this one have come.
        var reached = 0
    }

    private var lanes: [Lane] = []
    private var laneOfStream: [Int: Int] = [:]
    private let content: EDFFileContent
    private let storage: EDFStorage
    /// A record without any sample.
    private let missingRecord: [Int32]
    private var record = 0

    init(
        _ plan: EDFWritePlan, _ channels: EDFWriteChannels, _ content: EDFFileContent, _ storage: EDFStorage
    ) {
        self.content = content
        self.storage = storage
        var offset = 0
        for (place, stream) in plan.streams.enumerated() {
            let own = channels.channels.filter { $0.stream == place }
            laneOfStream[stream.source] = place
            lanes.append(
                Lane(
                    channels: own, samplesPerRecord: stream.samplesPerRecord, pieces: stream.pieces, offset: offset,
                    reached: stream.pieces.first?.frame ?? Int.max))
            offset += own.count * stream.samplesPerRecord
        }
        missingRecord = lanes.flatMap { lane in
            lane.channels.flatMap { Array(repeating: $0.scale.missing, count: lane.samplesPerRecord) }
        }
    }

    /// Writes all data records of the recording that `reader` reads.
    mutating func write(_ reader: any RecordingReader, to file: AtomicFile) throws {
        while let event = try reader.next() {
            switch event {
            case .segment(let stream, _):
                guard let lane = laneOfStream[stream] else { continue }
                lanes[lane].segment += 1
                lanes[lane].consumed = 0
            case .samples(let stream, let block):
                guard let lane = laneOfStream[stream] else { continue }
                lanes[lane].take(block)
                try writeReady(to: file)
            case .values, .marker: continue
            }
        }
        while record < content.recordCount { try writeRecord(to: file) }
    }

    private mutating func writeReady(to file: AtomicFile) throws {
        while record < content.recordCount,
            lanes.allSatisfy({ $0.reached / $0.samplesPerRecord > record })
        {
            try writeRecord(to: file)
        }
    }

    private mutating func writeRecord(to file: AtomicFile) throws {
        var numbers = missingRecord
        for lane in lanes.indices { lanes[lane].fill(&numbers, record) }
        try file.write(storage == .edf ? Self.bytes16(numbers) : Self.bytes24(numbers))
        try file.write(content.annotationBytes(record))
        record += 1
    }

    private static func bytes16(_ numbers: [Int32]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: numbers.count * 2) { buffer, count in
            let raw = UnsafeMutableRawBufferPointer(buffer)
            for (index, number) in numbers.enumerated() {
                let short = Int16(truncatingIfNeeded: number).littleEndian
                raw.storeBytes(of: short, toByteOffset: index * 2, as: Int16.self)
            }
            count = numbers.count * 2
        }
    }

    private static func bytes24(_ numbers: [Int32]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: numbers.count * 3) { buffer, count in
            for (index, number) in numbers.enumerated() {
                for byte in 0..<3 { buffer[index * 3 + byte] = UInt8(truncatingIfNeeded: number >> (8 * Int32(byte))) }
            }
            count = numbers.count * 3
        }
    }
}

extension EDFRecordAssembler.Lane {
    /// Takes the next samples of the lane's current segment.
    fileprivate mutating func take(_ block: SampleBlock) {
        let offsets = consumed..<consumed + block.frameCount
        consumed += block.frameCount
        while nextPiece < pieces.count, pieces[nextPiece].segment <= segment {
            let piece = pieces[nextPiece]
            let common = piece.offsets.clamped(to: offsets)
            if piece.segment == segment, piece.offsets.lowerBound >= offsets.upperBound { break }
            if piece.segment < segment || common.isEmpty {
                nextPiece += 1
                continue
            }
            let first = common.lowerBound - offsets.lowerBound
            var numbers: [Int32] = []
            numbers.reserveCapacity(common.count * channels.count)
            for (channel, described) in channels.enumerated() {
                let base = channel * block.frameCount + first
                for sample in block.samples[base..<base + common.count] {
                    numbers.append(described.scale.digital(Double(sample) * described.factor))
                }
            }
            let frame = piece.frame + common.lowerBound - piece.offsets.lowerBound
            chunks.append(.init(frame: frame, count: common.count, numbers: numbers))
            reached = frame + common.count
            guard common.upperBound == piece.offsets.upperBound else { break }
            nextPiece += 1
            reached = nextPiece < pieces.count ? pieces[nextPiece].frame : Int.max
        }
    }

    /// Puts the lane's numbers of a record where they belong in it.
    fileprivate mutating func fill(_ numbers: inout [Int32], _ record: Int) {
        let frames = record * samplesPerRecord..<(record + 1) * samplesPerRecord
        var spent = 0
        for chunk in chunks {
            if chunk.frame >= frames.upperBound { break }
            let own = chunk.frame..<chunk.frame + chunk.count
            let common = own.clamped(to: frames)
            for channel in channels.indices where !common.isEmpty {
                let source = channel * chunk.count + common.lowerBound - chunk.frame
                let target = offset + channel * samplesPerRecord + common.lowerBound - frames.lowerBound
                for index in 0..<common.count { numbers[target + index] = chunk.numbers[source + index] }
            }
            if own.upperBound <= frames.upperBound { spent += 1 }
        }
        chunks.removeFirst(spent)
    }
}
