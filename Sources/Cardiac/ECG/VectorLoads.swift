/// Sixteen samples from an unaligned place.
@inline(__always)
func load16(_ place: UnsafePointer<Float>) -> SIMD16<Float> {
    UnsafeRawPointer(place).loadUnaligned(as: SIMD16<Float>.self)
}

/// Eight samples from an unaligned place.
@inline(__always)
func load8(_ place: UnsafePointer<Float>) -> SIMD8<Float> {
    UnsafeRawPointer(place).loadUnaligned(as: SIMD8<Float>.self)
}
