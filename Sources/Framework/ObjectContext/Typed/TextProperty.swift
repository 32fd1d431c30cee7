public import ObjectModel

/// A property that holds text: `String` or `String?`.
public protocol TextProperty: GraphValueConvertible {}

extension String: TextProperty {}

extension Optional: TextProperty where Wrapped == String {}
