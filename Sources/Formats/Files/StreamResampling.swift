public import Signals

/// A reader of the same recording in which the streams that the keys name by index have these sample rates in Hz.
public typealias StreamResampling = (_ reader: any RecordingReader, _ rates: [Int: Double]) -> any RecordingReader
