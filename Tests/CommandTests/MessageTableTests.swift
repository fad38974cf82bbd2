import Foundation
import TestSupport
import Testing

/// The exact messages of mistakes that new users make.
@Suite struct MessageTableTests {
    @Test(arguments: [
        ("analyse s.edf", "marey: marey has no verb 'analyse'; did you mean marey analyze? marey help lists all verbs"),
        ("help analyse", "marey: marey has no verb 'analyse'; did you mean marey analyze? marey help lists all verbs"),
        (
            "s.edf",
            "marey: marey has no verb 's.edf', which is a file: try marey analyze s.edf; marey help lists all verbs"
        ),
        (
            "many",
            "marey: marey has no verb 'many', which is a folder: try marey analyze many for one recording or a study, "
                + "marey batch many RESULTS participant for a data set; marey help lists all verbs"
        ),
        ("nonsense", "marey: marey has no verb 'nonsense'; marey help lists all verbs"),
        (
            "study ad study s.edf",
            "marey: marey study has no verb 'ad'; did you mean marey study add? marey help study lists all verbs"
        ),
        (
            "study add study s.edf --subject VP_01",
            "marey: the subject label 'VP_01' must have letters and digits only; try VP01"
        ),
        (
            "study add study s.edf --subject 01 --task rest-1",
            "marey: the task label 'rest-1' must have letters and digits only; try rest1"
        ),
        ("study add study s.edf --subject 01 --run 0", "marey: the run number is 0; runs are counted from 1"),
        (
            "calibrate fit study --subject 01 --prediction focus s.edf",
            "marey: --prediction focus is computed from other predictions and has no calibration task; expected one of: "
                + "enjoyment, visualAttention, auditoryAttention, cognitiveWorkload"
        ),
        (
            "calibrate fit study --subject 01 --prediction visualAttentoin s.edf",
            "marey: --prediction visualAttentoin: there is no such prediction; did you mean visualAttention?; expected "
                + "one of: enjoyment, visualAttention, auditoryAttention, cognitiveWorkload"
        ),
        ("hrv s.edf --window 60 --window 30", "marey: --window is given more than once; it takes one value"),
        ("hrv s.edf --stream ecg --stream=bvp", "marey: --stream is given more than once; it takes one value"),
        ("beats s.edf -o a.tsv --output b.tsv", "marey: --output is given more than once; it takes one value"),
        (
            "batch many out participant --n-cpus 1 --n-cpus 2",
            "marey: --n-cpus is given more than once; it takes one value"
        ),
        (
            "info many",
            "marey: many: is a folder of 3 files (a.edf, b.edf, …), not one recording; analyze them all with: marey batch "
                + "many RESULTS participant"
        ),
        (
            "info people",
            "marey: people: is a folder of 1 participant (sub-01), not one recording; analyze them all with: marey batch "
                + "people RESULTS participant"
        ),
        (
            "report results",
            "marey: results: is a folder of results, not a recording; open its page results/group/report.html"
        ),
        (
            "info one",
            "marey: one: is a folder without an Empatica E4 session (ACC.csv, BVP.csv, EDA.csv, TEMP.csv, HR.csv, "
                + "IBI.csv); give the file of another format, such as one/a.edf"
        ),
        (
            "batch pattern out participant",
            "marey: pattern: no file matches 'S{subject}.zip'; it holds P1.zip, for example"
        ),
    ])
    func mistakeIsAnsweredWithTheNextStep(line: String, message: String) throws {
        try withTemporaryFolder { folder in
            try Self.fill(folder)
            let outcome = try Program.run(line.split(separator: " ").map(String.init), in: folder)
            #expect(outcome.status == 2 || outcome.status == 3)
            #expect(outcome.messages.trimmingCharacters(in: .newlines) == message)
        }
    }

    @Test func optionsThatTakeSeveralValuesMayBeRepeated() throws {
        try withTemporaryFolder { folder in
            try Program.run("simulate", "s.edf", "--duration", "20", in: folder)
            let outcome = try Program.run(
                "simulate", "t.edf", "--duration", "20", "--drop-out", "5:1", "--drop-out", "9:1",
                in: folder)
            #expect(outcome.status == 0, "\(outcome.messages)")
        }
    }

    private static func fill(_ folder: URL) throws {
        try Program.run("simulate", "s.edf", "--duration", "20", in: folder)
        try Program.run("study", "init", "study", in: folder)
        for path in [
            "many/a.edf", "many/b.edf", "many/c.edf", "people/sub-01/x.txt", "results/group/report.html", "one/a.edf",
            "pattern/P1.zip",
        ] {
            let file = folder.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("x".utf8).write(to: file)
        }
        try "cohort:\n  recordings: \"S{subject}.zip\"\n".write(
            to: folder.appendingPathComponent("pattern/study.yaml"), atomically: true, encoding: .utf8)
    }
}
