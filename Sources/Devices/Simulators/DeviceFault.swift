/// What can go wrong in a simulated device, by its name in `DeviceFaults`.
public enum DeviceFault: String, Hashable, Sendable, CaseIterable {
    case clockDrift, clockJumps, frozenStamps, contactLost, battery, batteryLife, resets, losses, tags, decimalComma
}

extension Set<DeviceFault> {
    /// Of a Bluetooth device that only counts what it sends.
    static var ofCountingPeripheral: Self { [.clockDrift, .contactLost, .battery, .batteryLife, .resets] }
    /// Of a Bluetooth device that stamps what it sends by its clock.
    static var ofStampingPeripheral: Self { ofCountingPeripheral.union([.clockJumps, .frozenStamps]) }
}

extension DeviceFaults {
    /// What goes wrong.
    public var kinds: Set<DeviceFault> {
        let faultless = DeviceFaults()
        return Set(
            DeviceFault.allCases.filter { kind in
                switch kind {
                case .clockDrift: clockDrift != faultless.clockDrift
                case .clockJumps: clockJumps != faultless.clockJumps
                case .frozenStamps: frozenStamps != faultless.frozenStamps
                case .contactLost: contactLost != faultless.contactLost
                case .battery: battery != faultless.battery
                case .batteryLife: batteryLife != faultless.batteryLife
                case .resets: resets != faultless.resets
                case .losses: losses != faultless.losses
                case .tags: tags != faultless.tags
                case .decimalComma: decimalComma != faultless.decimalComma
                }
            })
    }
}

/// One of the devices that are simulated with the same faults, and which of them it can have.
public struct FaultBearer: Hashable, Sendable {
    /// What it is called.
    public var name: String
    /// What can go wrong in it.
    public var faults: Set<DeviceFault>
    /// Whether what it sends goes over a connection of the simulation.
    public var hasLink: Bool

    /// A device called `name`.
    public init(name: String, faults: Set<DeviceFault>, hasLink: Bool = true) {
        (self.name, self.faults, self.hasLink) = (name, faults, hasLink)
    }
}

extension [FaultBearer] {
    /// What is to be said of faults that some of these devices cannot have, a line each.
    /// - Throws: `DeviceFailure` naming a fault that none of them can have.
    public func shortcomings(_ device: DeviceFaults, _ link: LinkFaults) throws(DeviceFailure) -> [String] {
        var lines: [String] = []
        for kind in device.kinds.sorted(by: { $0.rawValue < $1.rawValue }) {
            lines += try shortcoming("the fault “\(kind.rawValue)”") { $0.faults.contains(kind) }
        }
        if link.isFaulty { lines += try shortcoming("faults of a link") { $0.hasLink } }
        return lines
    }

    private func shortcoming(_ fault: String, _ has: (FaultBearer) -> Bool) throws(DeviceFailure) -> [String] {
        let without = Set(filter { !has($0) }.map(\.name)).sorted()
        guard !without.isEmpty else { return [] }
        let names = without.joined(separator: ", ")
        guard contains(where: has) else {
            throw DeviceFailure(description: "\(names) cannot have \(fault)\(possible)")
        }
        return ["\(names) cannot have \(fault) and \(without.count == 1 ? "goes" : "go") without"]
    }

    /// What is possible instead.
    private var possible: String {
        let names = Set(flatMap(\.faults)).map(\.rawValue).sorted()
        return "; possible in a device: \(names.isEmpty ? "none" : names.joined(separator: ", "))"
    }
}
