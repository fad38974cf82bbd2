import Cardiac
import Formats
import Foundation
import Pipeline
import Signals
import TestSupport
import Testing

/// Kinds of annotated beats reach what rests on them.
struct AnnotatedKindTests {
    @Test func intervalsHaveTheKindsOfAnAnnotationFile() throws {
        try withTemporaryFolder { folder in
            let symbols = ["N", "L", "A", "V", "F", "/", "Q", "E"]
            let list = try symbols.enumerated().map { place, symbol in
                try #require(WFDBAnnotation(sample: 100 + 80 * place, symbol: symbol))
            }
            let file = folder.appendingPathComponent("r.atr")
            try WFDBAnnotations(list).write(to: file)
            try "r 0 100\n".write(
                to: folder.appendingPathComponent("r.hea"), atomically: true, encoding: .utf8)
            let intervals = try CardiacReading.result(of: file, computing: .intervals).intervals
            let kinds: [BeatKind] = [
                .normal, .supraventricular, .ventricular, .fusion, .paced, .beat, .ventricular,
            ]
            #expect(intervals.map(\.kind) == kinds)
            // A table of these beats gives them back.
            let table = folder.appendingPathComponent("beats.tsv")
            try TSV.write(CardiacTables.beats(between: intervals), to: table)
            #expect(try BeatsTable.read(table).intervals.map(\.kind) == kinds)
        }
    }

    /// Of 29 premature beats that intervals tell, eight are annotated as supraventricular.
    @Test(.enabled(if: RealData.has("rr_nsr2db/nsr001.ecg")))
    func turbulenceOfAnAnnotatedDayIsThatOfVentricularBeats() throws {
        let url = RealData.url("rr_nsr2db/nsr001.ecg")
        let turbulence = HeartRateTurbulence(
            of: try CardiacReading.result(of: url, computing: .intervals).intervals)
        #expect(turbulence.count == 21)
        #expect(abs((turbulence.onset ?? .nan) + 2.010556) < 1e-5)
        #expect(abs((turbulence.slope ?? .nan) - 7.291667) < 1e-5)
    }
}
