public import FoundationEssentials

/// The stored form of a transformable attribute's value, which is opened at each access.
///
/// What an object holds in memory for an attribute whose transformer ``ValueTransformer/keepsValuesSealed``,
/// such as an encrypted one, and for data that a transformer could not read. Accessors of objects
/// open it; ``ManagedObject/changedValues()`` and the history may show it as it is.
///
/// The stored data stay what they are, byte for byte, until the attribute is set: reading without a
/// key, saving other attributes, undo and merges never change them.
public final class SealedValue: Sendable {
    private let content: Content
    private let transformerName: String?
    /// Whether the value was read from a store, so that it was checked before it was stored.
    package let isFromStore: Bool

    private enum Content {
        case data(Data)
        /// A value that could not be sealed was set; it is gone, and a save reports why.
        case refused(any Error)
    }

    package init(_ data: Data, transformer name: String?, isFromStore: Bool = false) {
        content = .data(data)
        self.isFromStore = isFromStore
        transformerName = name
    }

    /// Stands for a value that could not be sealed.
    package init(refusing error: any Error, transformer name: String?) {
        content = .refused(error)
        isFromStore = false
        transformerName = name
    }

    /// Whether a value that could not be sealed was set in place of this one.
    package var isRefused: Bool {
        if case .refused = content { true } else { false }
    }

    /// The stored data: for an encrypted attribute what is on the disk.
    ///
    /// - Throws: why a value that was set could not be sealed.
    public func storedData() throws -> Data {
        switch content {
        case .data(let data): return data
        case .refused(let error): throw error
        }
    }

    /// The value.
    ///
    /// - Complexity: the transformer's work, at each call; nothing is kept.
    /// - Throws: what the transformer throws, for instance because its keys are locked.
    public func open() throws -> GraphValue {
        try ValueTransformers.required(transformerName).value(for: storedData())
    }

    /// Whether storing one in place of the other would change nothing.
    package func isIdentical(to other: SealedValue) -> Bool {
        if self === other { return true }
        guard let data = try? storedData(), let others = try? other.storedData() else {
            return false
        }
        return data == others
    }
}

extension SealedValue: Hashable {
    /// Whether the stored data are equal, or both can be opened and have equal values.
    public static func == (left: SealedValue, right: SealedValue) -> Bool {
        if left.isIdentical(to: right) { return true }
        guard let value = try? left.open(), let other = try? right.open() else { return false }
        return value == other
    }

    /// Equal values may have different data, so all hash alike: a set of many is slow.
    public func hash(into hasher: inout Hasher) { hasher.combine(0) }
}

extension SealedValue: CustomStringConvertible, CustomReflectable {
    public var description: String { "<sealed value>" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension GraphValue {
    /// The sealed value that this is; `nil` for any other value.
    package var sealed: SealedValue? {
        guard case .opaque(let object) = self else { return nil }
        return object as? SealedValue
    }
}
