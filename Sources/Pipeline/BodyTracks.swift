import Electrodermal
import Motion
import Signals

/// The tracks of all streams of a recording that tell of skin and motion.
struct BodyTracks {
    private(set) var electrodermal: [ElectrodermalTrack] = []
    private(set) var motion: [MotionTrack] = []

    /// Tracks for these sources of a recording.
    /// - Throws: `ElectrodermalError` or `MotionError` when a parameter has no meaning.
    init(_ sources: [BodySource], in header: RecordingHeader, parameters: Parameters) throws {
        for source in sources {
            if source.kind == .eda {
                electrodermal.append(
                    try ElectrodermalTrack(
                        source, in: header, parameters: parameters, tellingQuality: parameters.wants(.quality)))
            } else {
                motion.append(try MotionTrack(source, in: header, parameters: parameters))
            }
        }
    }

    mutating func take(_ event: RecordingEvent) {
        for index in electrodermal.indices { electrodermal[index].take(event) }
        for index in motion.indices { motion[index].take(event) }
    }

    mutating func finish() {
        for index in electrodermal.indices { electrodermal[index].finish() }
        for index in motion.indices { motion[index].finish() }
    }
}
