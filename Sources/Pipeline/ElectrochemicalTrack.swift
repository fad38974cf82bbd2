public import Electrochemistry
import Formats
public import Signals

/// What a potentiostat's streams in a recording say together.
public struct ElectrochemicalResult: Sendable {
    /// The places, in the recording, of the streams that were read.
    public let streams: Set<Int>
    /// The points of the measurement, in order of time.
    public let points: [ElectrochemicalPoint]
    /// The impedance spectrum; nil where none was measured.
    public let spectrum: ImpedanceSpectrum?
    /// Sweeps of potential.
    public let sweeps: [LinearSweep]
    /// Steps of potential, where it was not swept.
    public let steps: [PotentialStep]

    /// The tables of what was measured, by the ending of their file's name.
    public var tables: [(suffix: String, table: Table)] {
        var tables = [("desc-electrochemistry_physio", ElectrochemicalPoint.table(points))]
        if let spectrum { tables.append(("desc-impedance_physio", spectrum.table)) }
        if !sweeps.isEmpty { tables.append(("desc-sweeppeaks_events", SweepPeak.table(sweeps.flatMap(\.peaks)))) }
        if !steps.isEmpty { tables.append(("desc-potentialsteps_events", PotentialStep.table(steps))) }
        return tables
    }
}

/// Gathers the values of a potentiostat's streams; they are told when the recording is over, as one measurement.
struct ElectrochemicalTrack {
    private var streams: [Int: Stream]
    private let hasTimes: Bool

    /// nil where the recording has neither current nor impedance with times of their own.
    init?(_ header: RecordingHeader) {
        let places = header.streams.indices.filter { place in
            let stream = header.streams[place]
            let isFrequency = stream.channels.first.map { $0.label == "frequency" && $0.unit == .hertz } ?? false
            return stream.sampleRate == 0
                && ([.potential, .current, .impedance].contains(stream.kind) || isFrequency)
        }
        guard places.contains(where: { [.current, .impedance].contains(header.streams[$0].kind) }) else { return nil }
        hasTimes = header.hasTimes
        streams = Dictionary(uniqueKeysWithValues: places.map { ($0, Stream(header: header.streams[$0])) })
    }

    mutating func take(_ event: RecordingEvent) {
        guard case .values(let stream, let values) = event else { return }
        streams[stream]?.values += values
    }

    /// What was measured.
    func result() -> ElectrochemicalResult {
        let points = ElectrochemicalPoint.points(
            of: streams.keys.sorted().compactMap { streams[$0] }, hasTimes: hasTimes)
        let spectrum = ImpedanceSpectrum(points)
        let direct = points.filter { $0.real == nil }
        let sweeps = LinearSweep.sweeps(direct)
        return ElectrochemicalResult(
            streams: Set(streams.keys), points: points, spectrum: spectrum, sweeps: sweeps,
            steps: sweeps.isEmpty ? PotentialStep.steps(direct) : [])
    }
}
