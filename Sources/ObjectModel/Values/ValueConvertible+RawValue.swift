/// An enumeration is its raw value.
extension ValueConvertible where Self: RawRepresentable, RawValue: ValueConvertible {
    public var value: Value { rawValue.value }

    public init?(value: Value) {
        guard let raw = RawValue(value: value) else { return nil }
        self.init(rawValue: raw)
    }
}
