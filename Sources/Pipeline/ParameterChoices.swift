import Brain
import Cardiac
import Electrodermal
import Motion
import Quality

extension Parameters {
    /// The words that a parameter may be, by its keys: nobody guesses those that are not its default.
    static let choices: [String: [String]] = [
        "bvp.fiducial": BVPParameters.Fiducial.allCases.map(\.rawValue),
        "bvp.polarity": BVPParameters.Polarity.allCases.map(\.rawValue),
        "correction.method": CorrectionMethod.allCases.map(\.rawValue),
        "ecg.fiducial": ECGBeatDetector.Parameters.Fiducial.allCases.map(\.rawValue),
        "eda.separation": ElectrodermalParameters.Separation.allCases.map(\.rawValue),
        "eeg.features.families": EEGFeatureFamily.allCases.map(\.rawValue),
        "hrv.detrending": HRVDetrending.allCases.map(\.rawValue),
        "hrv.domains": HRVDomain.allCases.map(\.rawValue),
        "hrv.spectralMethods": SpectralMethod.allCases.map(\.rawValue),
        "motion.sleepScoring": MotionParameters.SleepScoring.allCases.map(\.rawValue),
        // What is missing stays missing.
        "quality.tolerated": QualityReason.allCases.filter { $0 != .gap }.map(\.rawValue),
    ]
}
