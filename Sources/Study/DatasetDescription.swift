public import Foundation

/// `dataset_description.json` (BIDS 1.10, "Modality agnostic files").
public struct DatasetDescription: Encodable, Sendable {
    private var name: String
    private var bidsVersion = "1.10.0"
    private var datasetType: String
    private var generatedBy: [Generator]?

    private struct Generator: Encodable {
        var name: String
        var version: String
        enum CodingKeys: String, CodingKey {
            case name = "Name"
            case version = "Version"
        }
    }

    private enum CodingKeys: String, CodingKey {
        case name = "Name"
        case bidsVersion = "BIDSVersion"
        case datasetType = "DatasetType"
        case generatedBy = "GeneratedBy"
    }

    /// A raw dataset.
    init(name: String) {
        self.name = name
        datasetType = "raw"
    }

    /// The results made from the dataset `name` by this version of Marey (BIDS 1.10, "Derived dataset and pipeline
    /// description").
    public init(derivativeOf name: String, version: String) {
        self.name = "\(name): results"
        datasetType = "derivative"
        generatedBy = [Generator(name: "Marey", version: version)]
    }

    /// The file: the same description gives the same bytes.
    public func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }
}
