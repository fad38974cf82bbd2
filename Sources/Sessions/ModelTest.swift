/// One test of a model of a participant: what it was tested on, and the significance level it had.
public struct ModelTest: Hashable, Sendable {
    /// The labels of the channels, in order, with commas between.
    public var montage: String
    /// A hash of the EEG's epochs, whatever the file is called.
    public var recording: String
    /// p must be below.
    public var level: Double

    /// A test with these inputs.
    public init(montage: String, recording: String, level: Double) {
        (self.montage, self.recording, self.level) = (montage, recording, level)
    }
}
