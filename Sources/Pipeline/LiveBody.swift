import Signals

/// The tracks of skin and motion, driven by what arrives, and how much of their results was handed out.
struct LiveBody {
    private var electrodermal: [(track: ElectrodermalTrack, responses: Int, quality: Int)] = []
    private var motion: [(track: MotionTrack, told: Int, quality: Int)] = []
    private let keepsResults: Bool

    init(keepsResults: Bool) { self.keepsResults = keepsResults }

    /// The results so far, one per stream of skin conductance.
    var electrodermalResults: [ElectrodermalResult] { electrodermal.map(\.track.result) }
    /// The results so far, one per stream of acceleration, skin temperature or charge.
    var motionResults: [MotionResult] { motion.map(\.track.result) }

    /// Whether a stream has its tracks.
    func has(_ stream: Int) -> Bool {
        electrodermal.contains { $0.track.result.source.stream == stream }
            || motion.contains { $0.track.result.source.stream == stream }
    }

    /// Makes the tracks of a stream. The parameters were found right before.
    /// - Parameter early: what came before that skin conductance is computed with.
    mutating func begin(
        _ source: BodySource, in header: RecordingHeader, _ parameters: Parameters, after early: [RecordingEvent]
    ) {
        if source.kind == .eda {
            if var track = try? ElectrodermalTrack(source, in: header, parameters: parameters) {
                for event in early { track.take(event) }
                electrodermal.append((track, 0, 0))
            }
        } else if let track = try? MotionTrack(source, in: header, parameters: parameters) {
            motion.append((track, 0, 0))
        }
    }

    mutating func take(_ event: RecordingEvent, into updates: inout [LiveUpdate]) {
        for index in electrodermal.indices {
            electrodermal[index].track.take(event)
            tellElectrodermal(index, &updates)
        }
        for index in motion.indices {
            motion[index].track.take(event)
            tellMotion(index, &updates)
        }
    }

    mutating func finish(into updates: inout [LiveUpdate]) {
        for index in electrodermal.indices {
            electrodermal[index].track.finish()
            tellElectrodermal(index, &updates)
        }
        for index in motion.indices {
            motion[index].track.finish()
            tellMotion(index, &updates)
        }
    }

    private mutating func tellElectrodermal(_ index: Int, _ updates: inout [LiveUpdate]) {
        let (track, responses, quality) = electrodermal[index]
        let stream = track.result.source.stream
        for response in track.result.responses[responses...] { updates.append(.skin(stream: stream, response)) }
        for window in track.result.quality[quality...] { updates.append(.quality(stream: stream, window)) }
        electrodermal[index].responses = track.result.responses.count
        electrodermal[index].quality = track.result.quality.count
        guard !keepsResults else { return }
        electrodermal[index].track.forgetResults()
        (electrodermal[index].responses, electrodermal[index].quality) = (0, 0)
    }

    private mutating func tellMotion(_ index: Int, _ updates: inout [LiveUpdate]) {
        let (track, told, quality) = motion[index]
        let result = track.result
        let stream = result.source.stream
        switch result.source.kind {
        case .temperature:
            for window in result.temperature[told...] { updates.append(.temperature(stream: stream, window)) }
            motion[index].told = result.temperature.count
        case .battery:
            for estimate in result.battery[told...] { updates.append(.battery(stream: stream, estimate)) }
            motion[index].told = result.battery.count
        default:
            for epoch in result.epochs[told...] { updates.append(.motion(stream: stream, epoch)) }
            motion[index].told = result.epochs.count
        }
        for window in result.quality[quality...] { updates.append(.quality(stream: stream, window)) }
        motion[index].quality = result.quality.count
        guard !keepsResults else { return }
        motion[index].track.forgetResults()
        (motion[index].told, motion[index].quality) = (0, 0)
    }
}
