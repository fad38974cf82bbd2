public import Signals

/// What goes with measured values: their status, the range they were measured in and their noise.
extension MethodSCRIPTVariableType {
    /// The channels of its stream, on an instrument of `family`, nil where it is not known which. The range is a full
    /// scale in its own unit; without a unit it is the number by which the instrument means it.
    public func channels(of family: MethodSCRIPTFamily?) -> [Channel] {
        let value = Channel(label: name, unit: unit)
        guard isMeasured else { return [value] }
        let measured = [
            value, Channel(label: "status", unit: .dimensionless),
            Channel(label: "range", unit: family?.rangeUnit(of: self) ?? .dimensionless),
            Channel(label: "noise", unit: .unknown),
        ]
        guard family?.tellsHighSpeed(of: self) == true else { return measured }
        return measured + [Channel(label: "highSpeed", unit: .dimensionless)]
    }
}

extension MethodSCRIPTVariable {
    /// A number for each of the channels of its type; what the instrument did not send is missing.
    public func numbers(of family: MethodSCRIPTFamily?) -> [Double] {
        let type = MethodSCRIPTVariableType(anyCode: type)
        guard type.isMeasured else { return [value.number] }
        let fullScale = family?.rangeUnit(of: type) == nil ? range.map(Double.init) : family?.fullScale(of: self)
        let measured = [
            value.number, status.map { Double($0.rawValue) } ?? .nan, fullScale ?? .nan, noise.map(Double.init) ?? .nan,
        ]
        guard let family, family.tellsHighSpeed(of: type) else { return measured }
        return measured + [range.flatMap(family.isHighSpeed).map { $0 ? 1 : 0 } ?? .nan]
    }
}

extension MethodSCRIPTFamily {
    /// The unit of the range that goes with values of a type: potentials, and the imaginary part of an impedance where
    /// the family has ranges of potential, carry one of these, everything else a range of current; nil where that is not
    /// documented.
    public func rangeUnit(of type: MethodSCRIPTVariableType) -> Unit? {
        guard self != .bootloader, type.isMeasured, type.unit != .unknown, type.code.first != "j" else { return nil }
        if ["cd", "cm", "co", "cq"].contains(type.code) { return hasPotentialRanges ? .volts : Self.ampere }
        if type.unit == .volts { return hasPotentialRanges ? .volts : nil }
        return Self.ampere
    }

    /// Full scale of the range that a variable's metadata name, in the unit of the range; nil for one that the family
    /// does not have.
    public func fullScale(of variable: MethodSCRIPTVariable) -> Double? {
        guard let index = variable.range, let unit = rangeUnit(of: MethodSCRIPTVariableType(anyCode: variable.type))
        else { return nil }
        return unit == .volts ? potentialRange(index) : currentRange(index)
    }

    /// True where values of a type carry a range of current whose number says if the high-speed mode was on.
    public func tellsHighSpeed(of type: MethodSCRIPTVariableType) -> Bool {
        hasHighSpeedRanges && rangeUnit(of: type) == Self.ampere
    }

    /// True where the range of current `index` is one of the high-speed mode; nil for an index the family does not have, and
    /// for a family whose ranges do not say.
    public func isHighSpeed(_ index: Int) -> Bool? {
        guard hasHighSpeedRanges, currentRange(index) != nil else { return nil }
        return index & 0x80 != 0
    }

    private static let ampere = Unit("A")
    private var hasHighSpeedRanges: Bool { self == .emStatPico || self == .sensitWearable }
    private var hasPotentialRanges: Bool {
        switch self {
        case .emStat4LR, .multiEmStat4LR, .emStat4HR, .multiEmStat4HR, .nexus: true
        case .emStatPico, .sensitWearable, .bootloader: false
        }
    }
}
