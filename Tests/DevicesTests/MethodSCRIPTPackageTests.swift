import Devices
import Formats
import Foundation
import Signals
import TestSupport
import Testing

@Suite struct MethodSCRIPTPackageTests {
    @Test(arguments: [
        ("Pda7F85F3Fu;ba48D503Dp,10,288", -0.499905, -5.7847747e-05),
        ("Pda7F9234Bu;ba4E2C324p,10,288", -0.449717, -5.2247772e-05),
        ("Pda806EC24u;baAE16C6Dp,10,288", 0.453668, 4.8327789e-05),
        ("Pda807B031u;baB360495p,10,288", 0.503857, 5.3871765e-05),
        ("Pda7F85F3Fu;ba4BA99F0p,10,288", -0.499905, -5.4879760e-05),
        ("Pda807A1CAu;ba6FFA74Ba,14,200", 0.500170, -1.6799925e-11),
        ("Pda8000000 ;ba7FFFFFFa,1E,289,40C", 0, -1e-18),
        ("Pda7f85f3fu;ba4ba99f0p,10,288", -0.499905, -5.4879760e-05),
    ])
    func sweepsDecode(line: String, potential: Double, current: Double) throws {
        let package = try MethodSCRIPTPackage(line: Array(line.utf8))
        #expect(package["da"]?.value.number == potential)
        #expect(package["ba"]?.value.number == current)
        #expect(package.text.lowercased() == line.lowercased())
    }

    @Test func impedancesDecode() throws {
        let line = "PdcDF5DFF4u;cc896D904m,10,287;cd82DB1A8u,10,287"
        let package = try MethodSCRIPTPackage(line: Array(line.utf8))
        #expect(package.variables.map(\.value.number) == [99.999732, 9885.956, 2.9946])
        #expect(package["cc"]?.range == 0x87 && MethodSCRIPTFamily.emStatPico.currentRange(0x87) == 200e-6)
    }

    @Test func nothingAndNotANumberDecode() throws {
        #expect(try MethodSCRIPTPackage(line: Array("P".utf8)).variables.isEmpty)
        let package = try MethodSCRIPTPackage(line: Array("Peb     nan;ea8000003i".utf8))
        #expect(package["eb"]?.value.number.isNaN == true && package["ea"]?.value.number == 3)
    }

    @Test(arguments: [
        ("48D503Dp", -57_847_747), ("4E2C324p", -52_247_772), ("AE16C6Dp", 48_327_789), ("B360495p", 53_871_765),
        ("4BA99F0p", -54_879_760), ("7F85F3Fu", -499_905), ("0000000 ", -134_217_728), ("FFFFFFF ", 134_217_727),
    ])
    func digitsAreOffsetBinary(field: String, mantissa: Int) throws {
        let value = try #require(MethodSCRIPTValue(Array(field.utf8)))
        #expect(value.mantissa == mantissa && value.text == field)
    }

    @Test func metadataDecode() throws {
        let package = try MethodSCRIPTPackage(line: Array("Pda8000000 ;ba7FFFFFFa,1E,289,40C".utf8))
        let current = try #require(package["ba"])
        #expect(current.status == [.overload, .underload, .overloadWarning] && current.range == 0x89)
        #expect(current.noise == 0xC)
        #expect(MethodSCRIPTFamily.sensitWearable.fullScale(of: current) == 5e-3)
        #expect(current.numbers(of: .sensitWearable) == [-1e-18, 14, 5e-3, 12, 1])
        #expect(current.numbers(of: nil) == [-1e-18, 14, 0x89, 12])
        #expect(MethodSCRIPTStatus(rawValue: 1).text == "timing not met" && MethodSCRIPTStatus([]).text == "OK")
        #expect(MethodSCRIPTMetadata("1G") == .other("1G") && MethodSCRIPTMetadata("") == .other(""))
        #expect(MethodSCRIPTMetadata("2-1") == .other("2-1") && MethodSCRIPTMetadata("10") == .status([]))
    }

    @Test(arguments: [
        (MethodSCRIPTFamily.emStatPico, 0, 100e-9), (.emStatPico, 11, 5e-3), (.emStatPico, 131, 13e-6),
        (.sensitWearable, 136, 1e-3), (.emStat4LR, 3, 1e-9), (.emStat4LR, 24, 10e-3), (.emStat4HR, 27, 100e-3),
        (.multiEmStat4HR, 9, 100e-9), (.nexus, 16, 100e-12), (.nexus, 11, 1), (.nexus, 43, 1),
    ])
    func rangesAreThoseOfTheFamily(family: MethodSCRIPTFamily, index: Int, fullScale: Double) {
        #expect(family.currentRange(index) == fullScale)
    }

    @Test func familiesHaveOnlyTheirRanges() {
        #expect(
            MethodSCRIPTFamily.emStat4LR.currentRange(27) == nil && MethodSCRIPTFamily.emStat4HR.currentRange(3) == nil)
        #expect(
            MethodSCRIPTFamily.emStat4HR.potentialRange(5) == 0.5 && MethodSCRIPTFamily.nexus.potentialRange(3) == 1e-3)
        #expect(MethodSCRIPTFamily.emStatPico.currentRange(12) == nil)
    }

    @Test(arguments: [
        "P;", "Pda", "Pda8000000", "Pda800000x ", "PDA8000000 ", "Pda8000000 x", "Pda8000000 ;", "Pda8000000 ;ba", "X",
        "Pda    nan ", "Pda+800000 ",
    ])
    func brokenPackagesAreRefused(line: String) {
        #expect(throws: MethodSCRIPTProblem.self) { try MethodSCRIPTPackage(line: Array(line.utf8)) }
    }

    @Test func whatIsEncodedDecodesToTheSame() throws {
        var generator = SplitMix64(seed: 7)
        for _ in 0..<20_000 {
            let exponent = Double.random(in: -15...17, using: &generator)
            let number = Double.random(in: -1...1, using: &generator) * pow(10, exponent)
            let value = MethodSCRIPTValue(number)
            let again = try #require(MethodSCRIPTValue(Array(value.text.utf8)))
            #expect(again == value)
            #expect(abs(again.number - number) <= abs(number) * 1e-4 || abs(number) < 1e-14)
        }
        #expect(MethodSCRIPTValue(0.0).text == "8000000 " && MethodSCRIPTValue(.nan).text == "     nan")
        #expect(MethodSCRIPTValue(integer: 3).text == "8000003i" && MethodSCRIPTValue(.infinity).mantissa == nil)
    }

    @Test(
        arguments: [
            ("l!4001: Line 1, Col 27", "l", 0x4001, 1, 27), ("e!4001: Line 3, Col 5", "e", 0x4001, 3, 5),
            ("!0028: Line 4", nil, 0x28, 4, nil), ("Z!0006", "Z", 6, nil, nil), ("w!0003", "w", 3, nil, nil),
        ] as [(String, String?, Int, Int?, Int?)])
    func errorLinesDecode(line: String, command: String?, code: Int, atLine: Int?, column: Int?) throws {
        let failure = try #require(MethodSCRIPTFailure(line: line))
        #expect(failure == MethodSCRIPTFailure(command: command, code: code, line: atLine, column: column))
        #expect(failure.text == line && !failure.meaning.contains("no text"))
    }

    @Test(arguments: ["ab!0001", "!01", "!00011", "0006", "!+001", ""])
    func otherLinesAreNoErrors(line: String) {
        #expect(MethodSCRIPTFailure(line: line) == nil)
    }

    @Test(
        arguments: [
            ("tes4_lr1500#Mar 12 2026 14:28:01", MethodSCRIPTFamily.emStat4LR, "1.5.00"),
            ("tes4_hr1100#Jan 28 2022 11:04:43", .emStat4HR, "1.1.00"),
            ("tespico1304#Oct 22 2021 14:38:26", .emStatPico, "1.3.04"), ("tnexus11502#x", .nexus, "1.5.02"),
            ("testpico#Aug 2 2019 11:06:07", nil, ""),
        ] as [(String, MethodSCRIPTFamily?, String)])
    func versionsDecode(line: String, family: MethodSCRIPTFamily?, version: String) throws {
        let firmware = try #require(MethodSCRIPTFirmware(line: line))
        #expect(firmware.family == family && firmware.version == version)
    }

    @Test func everyTypeOfVariableHasOneNameAndCode() {
        let all = MethodSCRIPTVariableType.all
        #expect(Set(all.map(\.code)).count == all.count && Set(all.map(\.name)).count == all.count)
        #expect(MethodSCRIPTVariableType(code: "zz") == nil)
        #expect(MethodSCRIPTVariableType(anyCode: "zz").name == "zz")
    }
}

@Suite(.enabled(if: RealData.has("methodscript/vectors.json"))) struct MethodSCRIPTVectorTests {
    private func vectors(_ group: String) throws -> [[String: Any]] {
        let data = try Data(contentsOf: RealData.url("methodscript/vectors.json"))
        let all = try #require(try JSONSerialization.jsonObject(with: data) as? [String: [[String: Any]]])
        return try #require(all[group])
    }

    private func line(_ vector: [String: Any]) throws -> String { try #require(vector["line"] as? String) }

    @Test func packagesDecode() throws {
        for vector in try vectors("packages") {
            let package = try MethodSCRIPTPackage(line: Array(try line(vector).utf8))
            let values = try #require(vector["values"] as? [[String: Any]])
            #expect(package.variables.count == values.count)
            for (variable, expected) in zip(package.variables, values) {
                #expect(variable.type == expected["type"] as? String)
                let number = try #require(expected["value"] as? Double)
                #expect(abs(variable.value.number - number) <= abs(number) * 1e-15)
                #expect(variable.metadata.map(\.text) == expected["metadata"] as? [String])
                let units = ["ohm": "Ohm", "count": "1"]
                let unit = try #require(expected["unit"] as? String)
                #expect(MethodSCRIPTVariableType(anyCode: variable.type).unit.rawValue == units[unit] ?? unit)
            }
            let status = package.variables.compactMap(\.status).first ?? []
            #expect(status.text == vector["status"] as? String)
        }
    }

    @Test func fieldsDecode() throws {
        for vector in try vectors("fields") {
            let field = try #require(vector["field"] as? String)
            let value = try #require(MethodSCRIPTValue(Array(field.utf8)))
            if let number = vector["value"] as? Double {
                #expect(value.number == number, "\(field)")
            } else {
                #expect(value.number.isNaN)
            }
        }
    }

    @Test func errorsAndVersionsDecode() throws {
        for vector in try vectors("errors") {
            let failure = try #require(MethodSCRIPTFailure(line: try line(vector)))
            #expect(failure.codeText == vector["code"] as? String)
            #expect(failure.line == vector["at_line"] as? Int && failure.column == vector["at_col"] as? Int)
        }
        for vector in try vectors("versions") {
            let firmware = try #require(MethodSCRIPTFirmware(line: try line(vector)))
            #expect(firmware.name == vector["device"] as? String && firmware.version == vector["version"] as? String)
        }
    }

    @Test func theRecordedSweepBecomesATable() throws {
        let text = try String(contentsOf: RealData.url("methodscript/lsv_10k_dummy_cell.txt"), encoding: .utf8)
        let expected = try String(
            contentsOf: RealData.url("methodscript/lsv_10k_dummy_cell_expected.csv"), encoding: .utf8)
        var run = MethodSCRIPTRun(family: .emStatPico)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            run.add(try MethodSCRIPTOutput(Array(line.utf8)), at: 0)
        }
        let table = run.table
        let rows = expected.split(separator: "\n").dropFirst().map { $0.split(separator: ",").map(String.init) }
        #expect(table.rows.count == rows.count && run.packageCount == 4)
        for (row, cells) in zip(table.rows, rows) {
            #expect(row[3] == .number(Double(cells[0]) ?? .nan))
            #expect(row[4] == .number(Double(cells[1]) ?? .nan))
            #expect(row[5] == .integer(0) && row[6] == .number(1e-3))
        }
        #expect(run.log == ["script accepted", "measurement begins: LSV", "measurement ends", "script ended"])
    }

    @Test(arguments: [1, 3, 50])
    func aLongRunKeepsItsNewestRows(limit: Int) throws {
        var (run, whole) = (MethodSCRIPTRun(limit: limit), MethodSCRIPTRun())
        for number in 0..<130 {
            // Packages of two kinds, so that rows have different lengths.
            let more = number % 3 == 0 ? ";baDF6CE84u" : ""
            let line = "Pda\(MethodSCRIPTValue(integer: number).text)\(more)"
            for output in [try MethodSCRIPTOutput(Array(line.utf8)), .text("\(number)")] {
                run.add(output, at: Double(number))
                whole.add(output, at: Double(number))
            }
        }
        let (kept, all) = (run.table, whole.table)
        #expect(all.rows.count == 130 && run.packageCount == 130)
        #expect((limit...2 * limit).contains(kept.rows.count) && (limit...2 * limit).contains(run.log.count))
        #expect(run.log == whole.log.suffix(run.log.count))
        let place = try #require(all.columns.firstIndex { $0.name == "current" })
        let same = try #require(kept.columns.firstIndex { $0.name == "current" })
        #expect(kept.rows.map { $0[same] } == all.rows.suffix(kept.rows.count).map { $0[place] })
        #expect(kept.rows.map { $0[0] } == all.rows.suffix(kept.rows.count).map { $0[0] })
    }
}
