import Foundation
import Testing

/// MAREY_FUZZ where it is set: how many times the usual number of mutants is tried. It may be below 1, for builds that
/// are slow.
private let effort = ProcessInfo.processInfo.environment["MAREY_FUZZ"].flatMap { Double($0) } ?? 1

/// How many mutants a test tries.
func mutants(_ usual: Int) -> Int { Int(Double(usual) * effort) }

/// How long a test with mutants may take: a minute, and as much longer as more are tried.
let patience: TimeLimitTrait.Duration = .minutes(max(1, Int(effort.rounded(.up))))
