import Cardiac
import Foundation
import Pipeline
import TestSupport
import Testing

struct ProvenanceTests {
    @Test(arguments: [
        // FIPS 180-4 examples.
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ])
    func filesArePinnedByTheirContent(text: String, sha256: String) throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("file.bin")
            try Data(text.utf8).write(to: url)
            let hash = try InputHash(of: url)
            #expect(hash.sha256 == sha256)
            #expect(hash.bytes == text.utf8.count)
            #expect(hash.file == "file.bin")
        }
        #expect(InputHash.sha256(of: text) == sha256)
    }

    @Test func filesLargerThanABufferAreHashedWhole() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a")
            try Data(repeating: UInt8(ascii: "a"), count: 1_000_000).write(to: url)
            // FIPS 180-4: one million times "a".
            #expect(try InputHash(of: url).sha256 == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
            try Data(repeating: 7, count: (1 << 20) * 2).write(to: url)
            #expect(try InputHash(of: url).bytes == 1 << 21)
        }
    }

    @Test func provenanceHoldsVersionParametersAndInputs() throws {
        let provenance = try Provenance(inputs: [], parameters: Parameters())
        let object = try JSONSerialization.jsonObject(with: Data(provenance.json())) as? [String: Any]
        #expect(object?["version"] as? String == MareyVersion.current)
        #expect(object?["parametersSHA256"] as? String == (try Parameters().hash()))
        #expect((object?["parameters"] as? [String: Any])?["hrv"] != nil)
    }

    @Test func itsTextIsThatOfTheEncoder() throws {
        var changed = Parameters()
        (changed.hrv.window, changed.outputs) = (nil, [])
        let fields: [String: Any] = ["file": "a/\"b\"\n\u{8}é.edf", "bytes": 3, "sha256": "00"]
        let odd = try JSONDecoder().decode(InputHash.self, from: JSONSerialization.data(withJSONObject: fields))
        let read = try Parameters(json: Array(changed.json()))
        #expect(read == changed)
        for parameters in [read, Parameters(), changed, Parameters()] {
            for inputs in [[], [odd], [odd, odd]] {
                var provenance = try Provenance(inputs: inputs, parameters: parameters)
                for (outputs, remarks) in [(nil, nil), ([], ["\n  \"parameters\" : 0"]), (["x.tsv", "y"], nil)]
                    as [([String]?, [String]?)]
                {
                    (provenance.outputs, provenance.remarks) = (outputs, remarks)
                    let encoder = JSONEncoder()
                    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
                    #expect(try provenance.json() == Array(encoder.encode(provenance)) + [0x0A])
                }
            }
        }
    }
}
