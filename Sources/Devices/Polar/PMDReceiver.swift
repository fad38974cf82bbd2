import Signals

/// Takes the frames of one running measurement.
struct PMDReceiver: Sendable {
    private let type: PMDType
    private let factor: Double
    private var indexer: StampedIndexer
    private var last: PMDFrame?
    private var contact: Bool??
    private var calibration: String?
    /// Announced with the first frame, which says what its channels are; nil: announced already.
    private var header: StreamHeader?
    private var channelCount: Int?

    /// - Parameter header: announces a stream whose channels only its frames tell.
    init(type: PMDType, rate: Double, factor: Double, isResumed: Bool, header: StreamHeader? = nil) {
        self.type = type
        self.factor = factor
        self.header = header
        indexer = StampedIndexer(rate: rate, isResumed: isResumed)
    }

    /// Emits a frame's samples; returns what is wrong with a frame that has to be left out.
    /// - Throws: `PMDError`.
    mutating func take(
        _ frame: PMDFrame, at moment: Seconds, into actions: inout [ConversationAction]
    ) throws(PMDError) -> String? {
        if frame == last { return "the frame came twice" }
        let stamp = Double(frame.timestamp) * 1e-9 + PMD.epoch
        if type == .pulseIntervals {
            take(try PMDPulseInterval.list(frame), stamp: frame.timestamp == 0 ? nil : stamp, into: &actions)
            last = frame
            return nil
        }
        let layout = try PMDLayout(frame, factor: factor)
        let values = try frame.values(layout)
        let block = layout.block(values)
        // One stream has one layout.
        guard channelCount == nil || channelCount == block.channelCount else {
            throw .unsupportedFrame(type: type, frameType: frame.frameTypeByte)
        }
        channelCount = block.channelCount
        announce(frame, &actions)
        guard let place = indexer.place(count: block.frameCount, stamp: stamp, arrival: moment) else {
            return "the frame came too late"
        }
        last = frame
        if let told = layout.calibration(values), told != calibration {
            calibration = told
            actions.emit(.log("\(type.stream): calibration \(told)"))
        }
        if let jump = place.jump { actions.emit(.status(.clockJump(stream: type.stream, by: jump))) }
        actions.emit(
            .samples(
                DeviceSamples(
                    stream: type.stream, index: place.index, block: block, deviceTime: place.time,
                    restarted: place.restarted)))
        return nil
    }

    private mutating func announce(_ frame: PMDFrame, _ actions: inout [ConversationAction]) {
        guard var header else { return }
        self.header = nil
        header.channels = PolarStream.opticalChannels(frame.frameType)
        actions.emit(.stream(DeviceStream(id: type.stream, header: header, clock: .deviceTime)))
    }

    private mutating func take(
        _ intervals: [PMDPulseInterval], stamp: Seconds?, into actions: inout [ConversationAction]
    ) {
        var age = 0.0
        var values: [DeviceValue] = []
        for interval in intervals.reversed() {
            if interval.interval > 0 {
                let row = [
                    Double(interval.interval) / 1_000, Double(interval.error) / 1_000, interval.isBlocked ? 1 : 0,
                ]
                values.append(DeviceValue(row, deviceTime: stamp.map { $0 - age }, age: age))
            }
            age += Double(interval.interval) / 1_000
        }
        if !values.isEmpty { actions.emit(.values(stream: type.stream, values.reversed())) }
        if let latest = intervals.last, contact != .some(latest.contact) {
            contact = .some(latest.contact)
            actions.emit(.status(.contact(latest.contact)))
        }
    }
}
