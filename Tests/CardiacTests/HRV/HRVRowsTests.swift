import Cardiac
import Formats
import Foundation
import Signals
import TestSupport
import Testing

@Suite("The table of HRV windows")
struct HRVRowsTests {
    /// Six minutes of beats, half a minute of them missing, a break, and a minute more.
    private static func windows(_ parameters: HRVParameters) throws -> [HRVWindow] {
        var random = SplitMix64(seed: 8)
        func run(_ count: Int, from start: Double) -> [IBI] {
            series((0..<count).map { _ in Double.random(in: 0.7...1, using: &random) }, from: start)
        }
        return try HRV.windows(of: run(200, from: 0) + run(180, from: 205) + run(70, from: 400), parameters: parameters)
    }

    @Test("rows told one by one are those of the windows, n/a where an index has no value")
    func rows() throws {
        var parameters = HRVParameters()
        parameters.window = 120
        let windows = try Self.windows(parameters)
        let quality: [Double?] = [0.5, nil, 0.25]
        let expected = windows.enumerated().map { place, window in
            [
                Cell.onset(window.onset), .onset(window.duration), .number(window.coverage),
                .optional(place < quality.count ? quality[place] : nil), .integer(window.nBeats),
                .integer(window.nCorrected), .integer(window.nEstimated),
                window.spectrumDoubt.map { .text($0.rawValue) } ?? .missing,
            ] + window.values.map(Cell.optional)
        }
        #expect(windows.count > 8 && expected.joined().contains(.missing))
        let rows = HRVRows(windows, parameters: parameters, quality: quality)
        #expect(Table(rows).rows == expected)
        #expect(TSV.encode(rows) == TSV.encode(Table(columns: HRV.columns(parameters), rows: expected)))
    }

    @Test("an index has a value or a reason, never both, and the reason is the need that is not met")
    func valuesAndReasons() throws {
        var parameters = HRVParameters()
        parameters.window = 120
        let indexes = HRVIndex.list(parameters)
        for window in try Self.windows(parameters) {
            #expect(window.values.count == indexes.count && window.missing.count == indexes.count)
            for (place, index) in indexes.enumerated() {
                #expect((window.values[place] == nil) == (window.missing[place] != nil), "\(index.name)")
                guard case .unmet(let need, _) = window.missing[place] else { continue }
                #expect(index.needs.contains(need), "\(index.name)")
            }
            #expect(Array(window.missing) == indexes.indices.map { window.missing[$0] })
        }
    }

    @Test("the windows of ten days keep their numbers and little more")
    func memory() async {
        await #expect(processExitsWith: .success) {
            func peak() -> Int {
                var usage = rusage()
                getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
                return usage.ru_maxrss << 10
            }
            // Beats cover too little of every window, whose share differs from one to the next.
            let intervals = (1...86_400).map { index in
                NN(onset: Double(index) * 10, duration: 0.5 + Double(index % 97) / 1_000, isContiguous: false)
            }
            let before = peak()
            let windows = try HRV.windows(of: intervals)
            let grown = peak() - before
            print("\(windows.count) windows: \(grown) bytes")
            exit(windows.count > 28_000 && grown < 60 << 20 ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}
