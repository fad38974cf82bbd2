import Foundation
import Pipeline
import Reports
import Signals
import Testing

/// The paragraph for a paper names every parameter that is not the default, whoever thought of it.
struct ParametersInMethodsTests {
    /// JSON that keeps truth values and numbers apart.
    private enum JSON: Codable, Equatable {
        case missing, flag(Bool), number(Double), text(String), list([JSON]), mapping([String: JSON])

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .missing
            } else if let flag = try? value.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? value.decode(Double.self) {
                self = .number(number)
            } else if let text = try? value.decode(String.self) {
                self = .text(text)
            } else if let list = try? value.decode([JSON].self) {
                self = .list(list)
            } else {
                self = .mapping(try value.decode([String: JSON].self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .missing: try container.encodeNil()
            case .flag(let flag): try container.encode(flag)
            case .number(let number): try container.encode(number)
            case .text(let text): try container.encode(text)
            case .list(let list): try container.encode(list)
            case .mapping(let mapping): try container.encode(mapping)
            }
        }

        /// Every number and truth value changed by itself: the keys that lead to it, and all of the parameters then.
        /// Numbers of a list are under the list's key.
        func changes() -> [(path: [String], changed: JSON)] {
            switch self {
            case .flag(let flag): return [([], .flag(!flag))]
            case .number(let number):
                return [([], .number(number == number.rounded() ? number + 1 : number * 1.5))]
            case .missing, .text: return []
            case .list(let list):
                return list.indices.flatMap { place in
                    list[place].changes().map { _, changed in
                        var other = list
                        other[place] = changed
                        return ([], .list(other))
                    }
                }
            case .mapping(let mapping):
                return mapping.flatMap { key, value in
                    value.changes().map { path, changed in
                        var other = mapping
                        other[key] = changed
                        return ([key] + path, .mapping(other))
                    }
                }
            }
        }
    }

    /// The paragraph about a recording without streams.
    private static func paragraph(_ parameters: Parameters) throws -> String {
        let recording = Recording(header: RecordingHeader(duration: 1, format: "test"), streams: [])
        let analysis = try RecordingAnalysis(RecordedEvents(recording), parameters: parameters, file: "test")
        let provenance = try Provenance(inputs: [], parameters: parameters)
        return try RecordingReport(analysis, provenance: provenance, title: "test") { RecordedEvents(recording) }
            .methods.paragraph
    }

    @Test func everyNumberAndTruthValueThatIsChangedIsNamed() throws {
        let defaults = try JSONDecoder().decode(JSON.self, from: Parameters().json())
        let changes = defaults.changes()
        try #require(changes.count > 120)
        for (path, changed) in changes {
            let name = path.joined(separator: ".")
            let parameters = try JSONDecoder().decode(Parameters.self, from: JSONEncoder().encode(changed))
            let text = try Self.paragraph(parameters)
            #expect(text.contains("differ from the defaults of Marey \(MareyVersion.current): \(name) = "), "\(name)")
        }
    }

    @Test func thatAllAreTheDefaultsIsSaid() throws {
        let text = try Self.paragraph(Parameters())
        #expect(text.hasSuffix("All parameters were the defaults of Marey \(MareyVersion.current)."))
        #expect(!text.contains("differ"))
    }

    @Test func severalAreNamedInOrderWithTheirUnits() throws {
        let text = try Self.paragraph(
            Parameters(
                yaml: "hrv: {welchSegment: 256, window: whole}\neeg: {cleaning: {mains: [50]}}\n", file: "study.yaml"))
        #expect(text.hasSuffix(": eeg.cleaning.mains = [50] Hz, hrv.welchSegment = 256 s, hrv.window = whole."))
    }
}
