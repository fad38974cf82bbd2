import Foundation
import Pipeline
import Testing

/// The notes on what the pulses of a file do not show by themselves.
@Suite struct PolarityNoteTests {
    private func notes(_ rows: [Double], _ rate: Double) throws -> [String] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("marey-\(UUID().uuidString).csv")
        defer { try? FileManager.default.removeItem(at: file) }
        let lines = rows.enumerated().map { "\(Double($0) / rate),\($1)" }
        try Data("time,ppg\n\(lines.joined(separator: "\n"))\n".utf8).write(to: file)
        return try CardiacReading.result(of: file, SourceRequest(kind: .bvp)).notes
    }

    @Test func `pulses that are the same either way up get a note that names the parameter`() throws {
        let sine = (0..<64 * 60).map { sin(2 * .pi * 1.1 * Double($0) / 64) }
        #expect(try notes(sine, 64).contains { $0.contains("bvp.polarity") })
    }

    @Test(arguments: [1.0, -1])
    func `clear pulses get none`(sign: Double) throws {
        let rows = (0..<64 * 60).map { k -> Double in
            let t = (Double(k) / 64).truncatingRemainder(dividingBy: 0.9) - 0.2
            let second = t - 0.32
            return sign * (exp(-t * t / (t < 0 ? 0.006 : 0.03)) + 0.3 * exp(-second * second / 0.02))
        }
        #expect(try !notes(rows, 64).contains { $0.contains("bvp.polarity") })
    }

    @Test func `a signal without beats gets the advice for fast hearts`() throws {
        let flat = (0..<64 * 30).map { Double($0 % 2) * 1e-9 }
        #expect(try notes(flat, 64).contains { $0.contains("25 to 220 a minute") && $0.contains("sample rate") })
    }
}
