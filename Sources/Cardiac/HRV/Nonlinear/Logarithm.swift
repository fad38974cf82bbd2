import func Foundation.log

/// The natural logarithm.
func logarithm(_ value: Double) -> Double { log(value) }
