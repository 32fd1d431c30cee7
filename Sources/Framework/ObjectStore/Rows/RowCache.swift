package import ObjectModel

/// The rows that a store has read: compact blobs in arenas, found by object ID.
///
/// A blob is `u32 size, u32 version, null mask (u64 words), 8 bytes a column, bytes of text and
/// data`; offsets count from the blob's start. Filled by the store while it steps a query, read
/// when a fault fires. Only the coordinator's lock protects it.
///
/// Invariants:
/// 1. A key leads to the newest blob of its row, or to none.
/// 2. `liveBytes` is the size of all blobs that a key leads to.
/// 3. A chunk is freed only by ``removeAll()`` and by compaction.
public final class RowCache {
    // Safety: all memory is the cache's; a blob is valid until invariant 3 frees it.
    private struct State {
        var pages = EntityPages()
        var chunks: [UnsafeMutableRawPointer] = []
        var free: UnsafeMutableRawPointer?
        var freeBytes = 0
        var totalBytes = 0
        var liveBytes = 0
        var count = 0
    }

    /// Behind a pointer, so that a row needs no check for exclusive access.
    ///
    /// Safety: freed with this.
    private let state: UnsafeMutablePointer<State>

    private static let chunkSize = 1 << 20

    package init() {
        state = .allocate(capacity: 1)
        state.initialize(to: State())
    }

    deinit {
        for chunk in state.pointee.chunks { chunk.deallocate() }
        state.deinitialize(count: 1)
        state.deallocate()
    }

    package var totalBytes: Int { state.pointee.totalBytes }
    package var liveBytes: Int { state.pointee.liveBytes }
    package var count: Int { state.pointee.count }

    /// The blob of a row, or `nil` if it is not cached.
    @inline(__always)
    package func blob(_ id: ManagedObjectID) -> UnsafeRawPointer? {
        UnsafeRawPointer(bitPattern: state.pointee.pages.get(id))
    }

    package func contains(_ id: ManagedObjectID) -> Bool { blob(id) != nil }

    /// The version of the cached row, or `nil`.
    package func version(_ id: ManagedObjectID) -> Int64? {
        blob(id).map { Int64($0.load(fromByteOffset: 4, as: UInt32.self)) }
    }

    /// Whether the row is cached in this version.
    @inline(__always)
    package func holds(_ id: ManagedObjectID, version: UInt32) -> Bool {
        guard let blob = blob(id) else { return false }
        return blob.load(fromByteOffset: 4, as: UInt32.self) == version
    }

    /// Space for a blob of at most `size` bytes, at the arena's end; 8-byte aligned.
    ///
    /// ``commit(_:size:for:)`` makes it a row; another call without a commit returns the same
    /// space.
    package func reserve(_ size: Int) -> UnsafeMutableRawPointer {
        if let free = state.pointee.free, state.pointee.freeBytes >= size { return free }
        let capacity = max(RowCache.chunkSize, size)
        let chunk = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        state.pointee.chunks.append(chunk)
        state.pointee.totalBytes += capacity
        state.pointee.free = chunk
        state.pointee.freeBytes = capacity
        return chunk
    }

    /// As ``reserve(_:)``, with all the space up to the end of the chunk.
    package func room(_ size: Int) -> UnsafeMutableRawBufferPointer {
        let start = reserve(size)
        return UnsafeMutableRawBufferPointer(start: start, count: state.pointee.freeBytes)
    }

    /// Makes the reserved bytes the row of an object, replacing an older one.
    package func commit(_ blob: UnsafeMutableRawPointer, size: Int, for id: ManagedObjectID) {
        precondition(blob == state.pointee.free && size <= state.pointee.freeBytes)
        let padded = min((size + 7) & ~7, state.pointee.freeBytes)
        state.pointee.free = blob + padded
        state.pointee.freeBytes -= padded
        blob.storeBytes(of: UInt32(size), as: UInt32.self)
        let old = state.pointee.pages.set(id, UInt(bitPattern: blob))
        if let old = UnsafeRawPointer(bitPattern: old) {
            state.pointee.liveBytes -= Int(old.load(as: UInt32.self))
        } else {
            state.pointee.count += 1
        }
        state.pointee.liveBytes += size
    }

    /// Removes a row from the cache.
    package func remove(_ id: ManagedObjectID) {
        guard let table = state.pointee.pages.table(of: id),
            let old = UnsafeRawPointer(bitPattern: table.words.get(id.key))
        else { return }
        state.pointee.liveBytes -= Int(old.load(as: UInt32.self))
        state.pointee.count -= 1
        table.words.set(id.key, 0)
        compactIfWasteful()
    }

    package func removeAll() {
        for chunk in state.pointee.chunks { chunk.deallocate() }
        state.pointee.chunks = []
        state.pointee.free = nil
        state.pointee.freeBytes = 0
        state.pointee.totalBytes = 0
        state.pointee.liveBytes = 0
        state.pointee.count = 0
        state.pointee.pages = EntityPages()
    }

    /// Keeps the cache within bounds: frees the memory of replaced rows, and beyond the limit
    /// removes every row.
    ///
    /// - Parameter limit: bytes of rows that a key leads to.
    package func trim(to limit: Int) {
        if liveBytes > limit { removeAll() } else { compactIfWasteful() }
    }

    /// Copies the live rows together once less than a quarter of the memory is in use.
    package func compactIfWasteful() {
        guard state.pointee.totalBytes > 16 << 20,
            state.pointee.liveBytes < state.pointee.totalBytes / 4
        else { return }
        let old = state.pointee.chunks
        state.pointee.chunks = []
        state.pointee.free = nil
        state.pointee.freeBytes = 0
        state.pointee.totalBytes = 0
        for table in state.pointee.pages.all {
            var moves: [(Int64, UInt)] = []
            table.words.visit { moves.append(($0, $1)) }
            for (key, word) in moves {
                guard let source = UnsafeRawPointer(bitPattern: word) else { continue }
                let size = Int(source.load(as: UInt32.self))
                let target = reserve(size)
                target.copyMemory(from: source, byteCount: size)
                let padded = min((size + 7) & ~7, state.pointee.freeBytes)
                state.pointee.free = target + padded
                state.pointee.freeBytes -= padded
                table.words.set(key, UInt(bitPattern: target))
            }
        }
        for chunk in old { chunk.deallocate() }
    }
}
