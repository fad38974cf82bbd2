import Foundation

/// How many mutants a test tries: its usual number, times MAREY_FUZZ where that is set.
func mutants(_ usual: Int) -> Int {
    usual * (ProcessInfo.processInfo.environment["MAREY_FUZZ"].flatMap { Int($0) } ?? 1)
}
