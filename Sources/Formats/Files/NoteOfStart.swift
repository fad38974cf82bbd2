import Signals

extension RecordingHeader {
    /// What to say where `place` has none for the moment the recording began; nil where that is not known.
    func noteOfStart(in place: String) -> String? {
        start.map { "the recording's start, \($0), is left out: there is no place for it in \(place)" }
    }
}
