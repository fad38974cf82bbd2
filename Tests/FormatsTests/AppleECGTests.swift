import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// ECGs of a watch, as Apple Health exports them.
struct AppleECGTests {
    private static let english = """
        Name,A. Person
        Date of Birth,"Jan 15, 1990"
        Recorded Date,2021-03-05 10:11:12 +0100
        Classification,Sinus Rhythm
        Symptoms,
        Software Version,1.90
        Device,"Watch6,7"
        Sample Rate,512 hertz


        Lead,Lead I
        Unit,µV


        """
    private static let german = """
        Name,A. Person
        Geburtsdatum,"15. Jan. 1990"
        Aufzeichnungsdatum,2021-03-05 10:11:12 +0100
        Klassifizierung,Sinusrhythmus
        Symptome,
        Softwareversion,1.90
        Gerät,"Watch6,7"
        Messrate,"511,5 Hertz"


        Ableitung,Ableitung I
        Einheit,µV


        """

    private func read(_ text: String, in folder: URL) throws -> Recording {
        let file = folder.appendingPathComponent("ecg_2021-03-05.csv")
        try Data(text.utf8).write(to: file)
        return try Recording(reading: RecordingFile.open(file))
    }

    @Test(arguments: [
        (english, "-12.345\n40.1\n7\n", 512.0, "Lead I", "Sinus Rhythm"),
        (german, "-12,345\n40,1\n7\n", 511.5, "Ableitung I", "Sinusrhythmus"),
        (german, "\"-12,345\"\n\"40,1\"\n7\n", 511.5, "Ableitung I", "Sinusrhythmus"),
        (english.replacing("\n", with: "\r\n"), "\u{2212}12.345\r\n40.1\r\n7\r\n", 512, "Lead I", "Sinus Rhythm"),
    ])
    func isReadWhateverTheLanguage(about: String, samples: String, rate: Double, lead: String, rhythm: String) throws {
        try withTemporaryFolder { folder in
            let recording = try read(about + samples, in: folder)
            let stream = try #require(recording.streams.first)
            #expect(stream.header.kind == .ecg && stream.header.sampleRate == rate)
            #expect(stream.header.channels == [Channel(label: lead, unit: .microvolts)])
            #expect(stream.segments[0].block.samples == [-12.345, 40.1, 7])
            #expect(recording.header.start == Timestamp(year: 2021, month: 3, day: 5, hour: 9, minute: 11, second: 12))
            #expect(recording.header.hasTimeZone)
            #expect(recording.header.notes == ["the watch called the rhythm \"\(rhythm)\""])
        }
    }

    @Test func aLineThatIsNoVoltageIsNamed() throws {
        try withTemporaryFolder { folder in
            let error = #expect(throws: FormatError.self) { try read(Self.english + "1\n2\nthree\n4\n", in: folder) }
            #expect(error?.place == "line 16")
        }
    }

    @Test func nobodyIsNamed() throws {
        try withTemporaryFolder { folder in
            let recording = try read(Self.english + "1\n2\n", in: folder)
            #expect(!"\(recording.header)".contains("Person"))
        }
    }

    /// A table whose comments look similar is no ECG of a watch.
    @Test func otherTextIsLeftToItsReaders() throws {
        try withTemporaryFolder { folder in
            let recording = try read("# Recorded Date,2021-03-05 10:11:12 +0100\ntime,ecg\n0,1\n0.25,2\n", in: folder)
            #expect(recording.header.format == "text")
        }
    }
}
