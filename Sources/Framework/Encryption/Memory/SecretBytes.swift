import CSodium
import Synchronization

/// Secret bytes: a key, a passphrase, a file key.
///
/// The bytes are in memory of their own, between guard pages, outside of core dumps, and locked
/// so that they do not reach the swap space. While nobody reads them the memory is inaccessible, so a
/// stray pointer crashes instead of reading them. They are zeroed when the last reference goes or at
/// ``erase()``.
///
/// The system limits how much memory a process may lock (`ulimit -l`). When the limit is reached, the
/// bytes are used unlocked and ``isLocked`` is false: a limit must not keep people from their own data.
/// A program that would rather refuse checks ``isLocked``.
///
/// Equality takes the same time wherever the bytes differ. A description shows the count only.
public final class SecretBytes: @unchecked Sendable {
    /// The number of bytes.
    public let count: Int
    /// Whether the system keeps the bytes out of the swap space.
    public let isLocked: Bool
    // Safety: written before anybody else sees it, and by `erase`; `use` lets nobody read then, and
    // orders the changes of protection. Freed with this object.
    private let memory: UnsafeMutableRawPointer
    /// Who reads now, and whether the bytes were erased.
    private let use = Mutex(Use())

    private struct Use {
        var readers = 0
        var isErased = false
        var erasesAtEnd = false
    }

    /// Makes secret bytes by filling their memory.
    ///
    /// - Parameters:
    ///   - count: the number of bytes.
    ///   - fill: writes all bytes; they are zero before. An error of it zeroes what it wrote.
    /// - Throws: `EncryptionError` with code ``EncryptionError/Code/system`` without memory, and what
    ///   `fill` throws.
    public init(count: Int, filledBy fill: (UnsafeMutableRawBufferPointer) throws -> Void) throws {
        try Sodium.start()
        var isLocked = false
        guard let memory = csodium_allocate(max(count, 1), &isLocked) else {
            throw EncryptionError(
                .system,
                "There is not enough memory for \(count) secret bytes.",
                recovery: "Close other programs and try again."
            )
        }
        sodium_memzero(memory, count)
        do {
            try fill(UnsafeMutableRawBufferPointer(start: memory, count: count))
        } catch {
            sodium_free(memory)
            throw error
        }
        sodium_mprotect_noaccess(memory)
        self.memory = memory
        self.count = count
        self.isLocked = isLocked
    }

    /// Random bytes.
    ///
    /// - Throws: `EncryptionError` with code ``EncryptionError/Code/system``.
    public convenience init(randomCount count: Int) throws {
        try self.init(count: count) { csodium_random($0.baseAddress, $0.count) }
    }

    /// A copy of bytes; the original stays where it is.
    ///
    /// - Throws: `EncryptionError` with code ``EncryptionError/Code/system``.
    public convenience init(copying bytes: UnsafeRawBufferPointer) throws {
        try self.init(count: bytes.count) { $0.copyMemory(from: bytes) }
    }

    /// The UTF-8 bytes of a text, such as a passphrase that was typed.
    ///
    /// The text itself stays in ordinary memory for as long as the program keeps it.
    ///
    /// - Throws: `EncryptionError` with code ``EncryptionError/Code/system``.
    public convenience init(_ text: String) throws {
        var text = text
        try self.init(count: text.utf8.count) { target in
            text.withUTF8 { target.copyMemory(from: UnsafeRawBufferPointer($0)) }
        }
    }

    deinit { sodium_free(memory) }

    /// Reads the bytes; do not let the pointer out.
    ///
    /// - Complexity: two system calls, if nobody else reads at the time.
    /// - Throws: `EncryptionError` with code ``EncryptionError/Code/locked`` after ``erase()``, and
    ///   what `body` throws.
    public func withBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        try use.withLock { use in
            if use.isErased {
                throw EncryptionError(
                    .locked,
                    "The key was erased.",
                    recovery: "Unlock with the passphrase."
                )
            }
            if use.readers == 0 { sodium_mprotect_readonly(memory) }
            use.readers += 1
        }
        defer {
            use.withLock { use in
                use.readers -= 1
                if use.readers > 0 { return }
                if use.erasesAtEnd { zero(&use) } else { sodium_mprotect_noaccess(memory) }
            }
        }
        return try body(UnsafeRawBufferPointer(start: memory, count: count))
    }

    /// Zeroes the bytes for every holder of a reference; reading them fails from now on.
    ///
    /// If somebody is reading them, the last reader zeroes them when it is done.
    public func erase() {
        use.withLock { use in
            use.isErased = true
            if use.readers == 0 { zero(&use) } else { use.erasesAtEnd = true }
        }
    }

    private func zero(_ use: inout Use) {
        sodium_mprotect_readwrite(memory)
        sodium_memzero(memory, count)
        sodium_mprotect_noaccess(memory)
        use.erasesAtEnd = false
    }
}

extension SecretBytes: Equatable {
    /// Whether the bytes are the same, in constant time; erased bytes equal nothing.
    public static func == (left: SecretBytes, right: SecretBytes) -> Bool {
        guard left.count == right.count else { return false }
        let areEqual = try? left.withBytes { a in
            try right.withBytes { b in
                guard let first = a.baseAddress, let second = b.baseAddress else { return false }
                return sodium_memcmp(first, second, a.count) == 0
            }
        }
        return areEqual ?? false
    }
}

extension SecretBytes: CustomStringConvertible, CustomReflectable {
    public var description: String { "<\(count) secret bytes>" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
