import Foundation

/// How many mutants a test tries: its usual number, times MAREY_FUZZ where that is set; it may be below 1, for builds
/// that are slow.
func mutants(_ usual: Int) -> Int {
    Int(Double(usual) * (ProcessInfo.processInfo.environment["MAREY_FUZZ"].flatMap { Double($0) } ?? 1))
}
