import Foundation
import TestSupport
import Testing

/// Slips in files of settings are told, with what was meant.
struct MisspeltSettingsTests {
    @Test(arguments: [
        ("skipRow: 1", "skipRow", "did you mean skipRows?"),
        ("sampleRates: 4", "sampleRates", "did you mean sampleRate?"),
        ("columns: [{column: v, units: uS}]", "columns[1].units", "did you mean unit?"),
        ("time: {column: t, unti: s}", "time.unti", "did you mean unit?"),
        ("skipRows: -1", "skipRows is -1", "from 0 on"), ("wholly: 3", "wholly", "known here: columns, commentPrefix"),
        ("columns: [{column: v, kind: edaa}]", "columns[1].kind: 'edaa'", "did you mean eda? known here: ecg, bvp"),
        ("time: {column: t, unit: sec}", "time.unit: 'sec'", "known here: s, ms, us"),
        ("delimiter: ab", "delimiter is 'ab'", "one character"), ("decimalMark: x", "decimalMark is 'x'", "'.' or ','"),
        ("{[a]: 1}", "line 1", "keys must be texts"), ("skipRows: two", "skipRows: ", "a whole number"),
        ("- 1", "expected a mapping", "docs/recordings.md"),
    ])
    func columnMaps(map: String, place: String, advice: String) throws {
        try withTemporaryFolder { folder in
            try Data("t,v\n0,1\n0.25,2\n0.5,3\n".utf8).write(to: folder.appendingPathComponent("d.csv"))
            try Data(map.utf8).write(to: folder.appendingPathComponent("c.yaml"))
            let outcome = try Program.run("info", "d.csv", "--columns", "c.yaml", in: folder)
            #expect(outcome.status == 3, "\(outcome.messages)")
            for word in ["c.yaml: ", place, advice] { #expect(outcome.messages.contains(word), "\(outcome.messages)") }
            #expect(!outcome.messages.contains("DecodingError") && !outcome.messages.contains("Context"))
        }
    }

    @Test func columnMapsMaySayNumbersAsTheyLike() throws {
        try withTemporaryFolder { folder in
            try Data("0,1\n0.25,2\n0.5,3\n".utf8).write(to: folder.appendingPathComponent("d.csv"))
            for map in [
                "columns: [{column: 2, kind: eda}]\ntime: {column: 1}",
                #"{"columns": [{"column": "2", "kind": "eda"}], "time": {"column": "1", "unit": "s"}}"#,
            ] {
                try Data(map.utf8).write(to: folder.appendingPathComponent("c.yaml"))
                let outcome = try Program.run("info", "d.csv", "--columns", "c.yaml", in: folder)
                #expect(outcome.status == 0 && outcome.output.contains("eda"), "\(outcome.messages)")
            }
        }
    }

    @Test(arguments: [
        (#""duration" : 20"#, #""duratoin" : 20"#, "unknown key duratoin", "did you mean duration?"),
        (#""meanRate" : "#, #""meanrate" : "#, "unknown key rhythm.meanrate", "did you mean meanRate?"),
        (#""duration" : 20"#, #""duration" : "long""#, "duration: expected a number", ""),
        (
            #""faults" : ["#, #""faults" : [{"kind": "gap", "stream": "eda", "onset": 1, "duration": 1}"#, "stream eda",
            "ecg"
        ),
        (
            #""faults" : ["#, #""faults" : [{"kind": "gab", "stream": "ecg", "onset": 1, "duration": 1}"#,
            "faults[1].kind: 'gab'", "did you mean gap?"
        ),
    ])
    func simulations(found: String, instead: String, place: String, advice: String) throws {
        try withTemporaryFolder { folder in
            try Program.run("simulate", "s.edf", "--duration", "20", in: folder)
            let file = folder.appendingPathComponent("s_simulation.json")
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.contains(found), "\(text)")
            try Data(text.replacingOccurrences(of: found, with: instead).utf8).write(to: file)
            let outcome = try Program.run("simulate", "x.edf", "--config", "s_simulation.json", in: folder)
            #expect(outcome.status == 2, "\(outcome.messages)")
            for word in ["s_simulation.json: ", place, advice] where !word.isEmpty {
                #expect(outcome.messages.contains(word), "\(outcome.messages)")
            }
            #expect(!outcome.messages.contains("DecodingError") && !outcome.messages.contains("Context"))
        }
    }
}
