extension ElectrodeName {
    /// For each of `labels` the place, among them, of the homologous frontal electrode on the left (F3 for F4); nil for
    /// labels that do not name a frontal electrode on the right, or whose counterpart is not there.
    static func leftCounterparts(_ labels: [String]) -> [Int?] {
        let names = labels.map(ElectrodeName.init(label:))
        return names.map { name in
            guard let name, name.isFrontal, name.side == .right else { return nil }
            return names.firstIndex { $0?.region == name.region && $0?.number == name.number - 1 }
        }
    }
}
