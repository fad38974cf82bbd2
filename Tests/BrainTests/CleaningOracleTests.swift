import Brain
import Foundation
import Signals
import TestSupport
import Testing

private struct Case: Decodable {
    var rate: Double
    var lowest: Double
    var highest: Double
    var x: [Float]
    var filtered: [Double]
}

@Test(
    "The band-pass is scipy's window method with MNE's lengths, ends included",
    .enabled(if: OracleData.has("brain_cleaning.json")))
func bandPassAgreesWithSciPy() throws {
    let cases = try JSONDecoder().decode([Case].self, from: Data(contentsOf: OracleData.url("brain_cleaning.json")))
    for one in cases {
        var parameters = EEGCleaningParameters()
        (parameters.lowest, parameters.highest) = (one.lowest, one.highest)
        let channel = Channel(label: "Cz", unit: .microvolts)
        let cleaner = try EEGCleaner(channels: [channel], sampleRate: one.rate, parameters: parameters)
        let found = joined(run(cleaner, SampleBlock(one.x), sampleRate: one.rate)).samples
        #expect(found.count == one.filtered.count)
        let size = (one.filtered.reduce(0) { $0 + $1 * $1 } / Double(one.filtered.count)).squareRoot()
        let worst = zip(found, one.filtered).reduce(0) { max($0, abs(Double($1.0) - $1.1)) }
        #expect(worst < 1e-4 * size, "\(worst) of \(size) µV at \(one.rate) Hz")
    }
}
