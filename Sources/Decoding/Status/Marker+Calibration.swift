public import Signals

extension Marker {
    /// The stream of the markers that calibration tasks write into a recording.
    public static let calibrationStream = "calibration"

    /// Whether it is of a calibration task rather than somebody's tag.
    public var isOfCalibration: Bool { stream == Self.calibrationStream }
}
