import Foundation

/// `dataset_description.json` (BIDS 1.10, "Modality agnostic files").
struct DatasetDescription: Codable {
    var name: String
    var bidsVersion = "1.10.0"
    var datasetType: String
    var generatedBy: [Generator]?

    struct Generator: Codable {
        var name: String
        var version: String
        enum CodingKeys: String, CodingKey {
            case name = "Name"
            case version = "Version"
        }
    }

    enum CodingKeys: String, CodingKey {
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

    /// The results made from the dataset `name` by this software.
    init(derivativeOf name: String, version: String) {
        self.name = "\(name): results"
        datasetType = "derivative"
        generatedBy = [Generator(name: "Marey", version: version)]
    }

    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }
}
