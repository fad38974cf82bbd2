import Cardiac
import Foundation
import Signals
import Testing

@Suite("HRV definitions")
struct HRVDefinitionTests {
    /// The indexes that the field's programs offer between them.
    private static let expected: [String] = {
        let time =
            "meanNN medianNN sdnn sdann1 sdann2 sdann5 sdnni1 sdnni2 sdnni5 rmssd sdsd cvnn cvsd mcvNN madNN iqrNN sdnnRmssd "
            + "prc20NN prc80NN nn50 nn20 pnn50 pnn20 minNN maxNN hti tinn meanHR sdHR minHR maxHR stressIndex dc ac dcMod acMod"
        let bands = ["ulf", "vlf", "lf", "hf", "vhf"].flatMap { band in
            [band, "ln\(band.uppercased())", "\(band)Rel", "\(band)Peak"]
        }
        let frequency = (bands + ["lfNu", "hfNu", "totalPower", "lfHf"]).flatMap { name in
            ["", "Lomb", "AR"].map { name + $0 }
        }
        let nonlinear =
            "sd1 sd2 sd1Sd2 ellipseArea csi cvi csiModified gi si ai pi sd1d sd1a sd2d sd2a sdnnd sdnna c1d c1a c2d c2a cd ca "
            + "pip ials pss pas apEn sampEn fuzzyEn shanEn mseShort mseLong cmseShort rcmseShort dfaAlpha1 dfaAlpha2 d2 hfd kfd "
            + "lzc rqaREC rqaDET rqaLmean rqaLmax rqaShanEn"
        return (time + " " + nonlinear).split(separator: " ").map(String.init) + frequency
    }()

    @Test("every index has a name of its own, a unit, a definition, a reference and least data")
    func complete() {
        let columns = HRVIndex.all.map(\.column)
        #expect(Set(columns.map(\.name)) == Set(Self.expected))
        #expect(Set(columns.map(\.name)).count == columns.count)
        for column in columns {
            #expect(column.unit != .unknown, "\(column.name)")
            #expect(column.definition.count > 10 && !column.definition.contains("{"), "\(column.name)")
            #expect(column.reference?.isEmpty == false && column.leastData?.isEmpty == false, "\(column.name)")
        }
    }

    @Test("logarithms of powers have a unit, and sums from 0 Hz on say what segments leave out")
    func powers() throws {
        func column(_ name: String) throws -> Column { try #require(HRVIndex.all.first { $0.name == name }).column }
        for name in ["lnULF", "lnVLF", "lnLF", "lnHF", "lnVHF", "lnHFLomb", "lnHFAR"] {
            #expect(try column(name).unit == Unit("ln(ms^2)"))
        }
        for name in ["totalPower", "vlfRel", "hfRel"] {
            #expect(try column(name).definition.contains("what is slower than a segment, ULF above all, is not in it"))
            #expect(try !column(name + "Lomb").definition.contains("segment"))
        }
        #expect(try column("lf").definition.contains("padded with zeros to 2048 samples"))
    }

    @Test("indexes that follow the length of the window are known, by every spectral method")
    func length() {
        let names = HRVIndex.namesDependingOnLength
        for name in ["sdnn", "nn50", "tinn", "sd2", "totalPower", "totalPowerLomb", "vlfAR", "hfRelAR", "apEn"] {
            #expect(names.contains(name), "\(name)")
        }
        for name in ["meanNN", "rmssd", "pnn50", "sd1", "lf", "hfLomb", "lfHf", "lfNuAR", "sampEn", "dfaAlpha1"] {
            #expect(HRVIndex.names.contains(name) && !names.contains(name), "\(name)")
        }
    }

    @Test("every disagreement is about an index there is")
    func disagreements() {
        let names = Set(HRVIndex.all.map(\.name))
        for one in HRVDefinitions.disagreements { #expect(names.isSuperset(of: one.names)) }
    }

    /// After a change of a declaration: MAREY_WRITE_DOCS=1 make test.
    @Test("the page in the documentation is what the declarations say")
    func page() throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let file = root.appendingPathComponent("docs/hrv-definitions.md")
        if ProcessInfo.processInfo.environment["MAREY_WRITE_DOCS"] != nil {
            try Data(HRVDefinitions.markdown.utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == HRVDefinitions.markdown)
    }
}
