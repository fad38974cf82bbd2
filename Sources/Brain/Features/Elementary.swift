import Foundation

// MemberImportVisibility asks for Foundation where these are called; one file is enough.

func logarithm(_ value: Double) -> Double { log(value) }
func logarithm10(_ value: Double) -> Double { log10(value) }
@inline(__always) func exponential(_ value: Double) -> Double { exp(value) }
