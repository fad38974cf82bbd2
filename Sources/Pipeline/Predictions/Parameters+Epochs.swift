import Brain
public import Signals

extension Parameters {
    /// The same parameters with epochs of EEG that begin `step` seconds apart; nil where they do not begin farther apart already.
    public func withEpochs(every step: Seconds) -> Parameters? {
        guard eeg.epochs.step > step else { return nil }
        var parameters = self
        parameters.eeg.epochs.step = step
        return parameters
    }
}
