import Acquisition
import Cardiac
import Pipeline
import Quality
import Signals
import Testing

/// What programs read of what is computed.
@Suite struct SessionLineTests {
    private static func text(_ update: LiveUpdate) -> String {
        SessionLine(streams: ["band-ecg"]).text(.update(update))
    }

    @Test func `what is computed names its stream, or its number where that was not declared`() {
        #expect(
            Self.text(.heartRate(stream: 0, onset: 1.5, 60))
                == #"{"event":"heartRate","heartRate":60,"stream":"band-ecg","t":1.5}"#)
        #expect(
            Self.text(.predictionRefused(stream: 1, "no EEG"))
                == #"{"event":"predictionRefused","stream":"1","text":"no EEG"}"#)
    }

    @Test func `windows tell what they are of, and what is not known is null`() {
        let window = QualityWindow(onset: 2, duration: 10, coverage: 1, quality: 0.5, reasons: [.noise])
        #expect(
            Self.text(.quality(stream: 0, window))
                == #"{"coverage":1,"duration":10,"event":"quality","quality":0.5,"#
                + #""reasons":["noise"],"stream":"band-ecg","t":2}"#)
        let change = RhythmChange(onset: 1, kind: .regular, previous: nil)
        #expect(
            Self.text(.rhythm(stream: 0, change))
                == #"{"ectopy":null,"event":"rhythm","irregularity":null,"previous":null,"rate":null,"#
                + #""rhythm":"regular","stream":"band-ecg","t":1}"#)
    }
}
