/// Where one participant stands with every prediction.
public struct CalibrationBook: Hashable, Sendable {
    /// The records, by the predictions' names.
    public var records: [String: CalibrationRecord]

    /// A book with these records.
    public init(_ records: [String: CalibrationRecord] = [:]) {
        self.records = records
    }

    /// Where the participant stands with `prediction`, with all that it rests on.
    public func status(_ prediction: Prediction) -> CalibrationStatus {
        func own(_ name: String) -> CalibrationStatus { records[name]?.status ?? .unknown }
        return prediction.status(own: own(prediction.name)) { name in
            Prediction.named(name).map(status) ?? .unknown
        }
    }

    /// A line per prediction, as interfaces show them.
    public var overview: [PredictionStatus] {
        Prediction.all.map { prediction in
            let status = self.status(prediction)
            return PredictionStatus(
                predictionId: prediction.id, name: prediction.name, title: prediction.title, status: status.rawValue,
                statusName: status.name, icon: prediction.icon, cause: records[prediction.name]?.latest?.cause,
                reason: records[prediction.name]?.latest?.reason)
        }
    }
}

/// Where a participant stands with a prediction, as interfaces show it.
public struct PredictionStatus: Hashable, Codable, Sendable {
    /// The prediction's number.
    public var predictionId: Int
    /// Its name in files and code.
    public var name: String
    /// Its name for people.
    public var title: String
    /// The status' code.
    public var status: Int
    /// The status' name.
    public var statusName: String
    /// A character that stands for the prediction.
    public var icon: String
    /// Why it is so, where something is known.
    public var cause: String?
    /// The cause of a refusal, for programs; nil without a refusal.
    public var reason: RefusalReason?
}
