extension GraphValueConvertible where Self: RawRepresentable, RawValue: GraphValueConvertible {
    public var value: GraphValue { rawValue.value }

    public init?(value: GraphValue) {
        guard let raw = RawValue(value: value) else { return nil }
        self.init(rawValue: raw)
    }
}
