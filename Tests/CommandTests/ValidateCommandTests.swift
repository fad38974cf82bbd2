import Formats
import Foundation
import TestSupport
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// `marey validate` as a user runs it, on simulated sets whose reference was spoilt on purpose.
struct ValidateCommandTests {
    /// A set of two records of 330 s, one of them paced; returns how many beats the other has.
    private func makeSet(in folder: URL) throws -> Int {
        for (name, seed) in [("118e12", "1"), ("104", "2")] {
            let outcome = try Program.run(
                "simulate", "\(name).hea", "--duration", "330", "--streams", "ecg", "--seed", seed, in: folder)
            #expect(outcome.status == 0, "\(outcome.messages)")
            try FileManager.default.removeItem(at: folder.appendingPathComponent("\(name)_truth.tsv"))
        }
        let paced = folder.appendingPathComponent("104.atr")
        var annotations = try WFDBAnnotations.read(paced)
        annotations.list = annotations.list.compactMap { WFDBAnnotation(sample: $0.sample, symbol: "/") }
        try annotations.write(to: paced)
        return try WFDBAnnotations.read(folder.appendingPathComponent("118e12.atr")).list.count
    }

    @Test func ec57IsAFlagAndSaysWhatItLeftOut() throws {
        try withTemporaryFolder { folder in
            let beats = try makeSet(in: folder)
            let whole = try Program.run("validate", ".", in: folder)
            #expect(whole.status == 0, "\(whole.messages)")
            #expect(try whole.column("convention").allSatisfy { $0 == "whole" })
            #expect(whole.rows.first { $0[0] == "118e12" }?[2] == "\(beats)")
            let outcome = try Program.run("validate", ".", "--ec57", in: folder)
            #expect(outcome.status == 0, "\(outcome.messages)")
            #expect(try outcome.column("record") == ["118e12", "gross", "average"])
            #expect(try outcome.column("tolerance").allSatisfy { $0 == "0.15" })
            #expect(try outcome.column("convention").allSatisfy { $0 == "EC57" })
            let counted = try #require(Int(outcome.column("tp")[0]))
            #expect((25...45).contains(counted))
            #expect(try outcome.column("uncounted")[0] == "\(beats - counted)")
            #expect(outcome.messages.contains("104 left out: paced"))
            #expect(outcome.messages.contains("from minute 5"))
        }
    }

    @Test func jsonHoldsTheRulesTheRowsAndWhatHasNoScore() throws {
        try withTemporaryFolder { folder in
            _ = try makeSet(in: folder)
            try Data("x 1 250 100\nx.dat 16 200 16 0 0 0 0 ECG\n".utf8).write(
                to: folder.appendingPathComponent("x.hea"))
            let outcome = try Program.run("validate", ".", "--ec57", "--json", in: folder)
            #expect(outcome.status == 1, "one record lacks its samples")
            #expect(outcome.messages.contains("x.dat") || outcome.messages.contains("x.hea"))
            let tree = try #require(
                try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
            #expect(tree["convention"] as? String == "EC57")
            #expect((tree["rows"] as? [[String: Any]])?.count == 3)
            #expect((tree["excluded"] as? [[String: Any]])?.first?["record"] as? String == "104")
            #expect((tree["failed"] as? [[String: Any]])?.first?["record"] as? String == "x")
        }
    }

    @Test func wrongUseAndEmptyFoldersHaveTheirExitCodes() throws {
        try withTemporaryFolder { folder in
            let empty = try Program.run("validate", ".", in: folder)
            #expect(empty.status == 3 && empty.messages.contains("no recordings"))
            #expect(try Program.run("validate", "nowhere", in: folder).status == 3)
            for wrong in [
                ["--tolerance", "x"], ["--by", "moon"], ["--jobs", "0"], ["--ec57", "--start", "10"],
                ["--leads", "each", "--channel", "0"], ["--start", "5", "--stop", "2"], ["--strips", "-1"],
            ] {
                #expect(try Program.run(["validate", "."] + wrong, in: folder).status == 2, "\(wrong)")
            }
        }
    }

    @Test func theNumberOfJobsChangesNothing() throws {
        try withTemporaryFolder { folder in
            _ = try makeSet(in: folder)
            let one = try Program.run("validate", ".", "--jobs", "1", in: folder)
            let many = try Program.run("validate", ".", "--jobs", "7", in: folder)
            #expect(one.status == 0 && one.output == many.output)
            let byNoise = try Program.run("validate", ".", "--by", "noise", in: folder)
            #expect(try byNoise.column("noise").filter { $0 == "12 dB" }.count == 3)
        }
    }

    @Test func theReportIsOnePageWithStripsThatTheTableLeadsTo() throws {
        try withTemporaryFolder { folder in
            _ = try makeSet(in: folder)
            let file = folder.appendingPathComponent("118e12.atr")
            var annotations = try WFDBAnnotations.read(file)
            annotations.list.removeSubrange(50..<53)
            try annotations.write(to: file)
            let outcome = try Program.run("validate", ".", "--report", "r.html", in: folder)
            #expect(outcome.status == 0, "\(outcome.messages)")
            let page = try String(contentsOf: folder.appendingPathComponent("r.html"), encoding: .utf8)
            let parser = XMLParser(data: Data(page.utf8))
            #expect(parser.parse(), "\(String(describing: parser.parserError))")
            #expect(page.contains("<a href=\"#strip-0\">118e12</a>"))
            #expect(page.contains("118e12, ") && page.contains("3 extra"))
            #expect(page.contains("Not a medical device") && !page.contains("NaN"))
            #expect(!page.contains("src=") && !page.contains("<link") && !page.contains("@import"))
            let ids = page.matches(of: /id="([^"]+)"/).map { String($0.1) }
            #expect(Set(ids).count == ids.count)
            for target in page.matches(of: /href="#([^"]+)"/) { #expect(ids.contains(String(target.1))) }
            let (drawings, texts) = (page.components(separatedBy: "<svg "), page.components(separatedBy: "<desc "))
            #expect(drawings.count == texts.count && drawings.count > 3)
            try Program.run("validate", ".", "--report", "s.html", in: folder)
            #expect(try String(contentsOf: folder.appendingPathComponent("s.html"), encoding: .utf8) == page)
        }
    }

    /// Regression bounds: what the detectors reached when they were written, less a margin for a beat or two.
    @Test(.enabled(if: RealData.has("mitdb/100.hea")))
    func theArrhythmiaDatabaseByEC57() throws {
        let outcome = try Program.run("validate", RealData.url("mitdb").path, "--ec57")
        #expect(outcome.status == 0, "\(outcome.messages)")
        #expect(outcome.messages.contains("104 left out: paced") && outcome.messages.contains("217 left out: paced"))
        #expect(outcome.messages.contains("207: 6 episodes of ventricular flutter"))
        let gross = try #require(outcome.rows.first { $0[0] == "gross" })
        #expect(try #require(Double(gross[7])) >= 99.75, "F1: \(gross[7])")
        #expect(try outcome.column("record").count == 20)
    }

    @Test(.enabled(if: RealData.has("bidmc/bidmc_01_Signals.csv.gz") || RealData.has("bidmc/bidmc01.hea")))
    func thePulseAtTheBedsideFollowsTheHeart() throws {
        let outcome = try Program.run("validate", RealData.url("bidmc").path)
        #expect(outcome.status == 0, "\(outcome.messages)")
        let gross = try #require(outcome.rows.first { $0[0] == "gross" })
        #expect(try #require(Double(gross[7])) >= 97.5, "F1 at 150 ms: \(gross[7])")
        #expect(try outcome.column("reference").allSatisfy { $0.hasPrefix("marey ECG beats") })
    }

    @Test(.enabled(if: RealData.has("qtdb/sel100.hea")))
    func theQTDatabase() throws {
        let outcome = try Program.run("validate", RealData.url("qtdb").path)
        #expect(outcome.status == 0, "\(outcome.messages)")
        let gross = try #require(outcome.rows.first { $0[0] == "gross" })
        #expect(try #require(Double(gross[7])) >= 99.5, "F1 at 150 ms: \(gross[7])")
    }
}
