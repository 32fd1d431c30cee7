package import ObjectModel

/// The rows that a store has read: compact blobs in arenas, found by object ID.
///
/// A blob is `u32 size, u32 version, null mask (u64 words), 8 bytes a column, bytes of text and
/// data`; offsets count from the blob's start. Filled by the store while it steps a query, read
/// when a fault fires. Only the coordinator's lock protects it.
///
/// Invariants:
/// 1. A key leads to the newest blob of its row, or to nothing.
/// 2. `liveBytes` is the size of all blobs that a key leads to.
/// 3. A chunk is freed only by ``removeAll()`` and by compaction.
package final class RowCache {
    private var pages = EntityPages()
    private var chunks: [UnsafeMutableRawPointer] = []
    private var free: UnsafeMutableRawPointer?
    private var freeBytes = 0
    package private(set) var totalBytes = 0
    package private(set) var liveBytes = 0
    package private(set) var count = 0

    private static let chunkSize = 1 << 20

    package init() {}

    deinit {
        for chunk in chunks { chunk.deallocate() }
    }

    /// The blob of a row, or `nil` if it is not cached.
    @inline(__always)
    package func blob(_ id: ManagedObjectID) -> UnsafeRawPointer? {
        UnsafeRawPointer(bitPattern: pages.get(id))
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
    /// It becomes a row by ``commit(_:size:for:)``; asking again without that reuses it.
    package func reserve(_ size: Int) -> UnsafeMutableRawPointer {
        if let free, freeBytes >= size { return free }
        let capacity = max(RowCache.chunkSize, size)
        let chunk = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        chunks.append(chunk)
        totalBytes += capacity
        free = chunk
        freeBytes = capacity
        return chunk
    }

    /// As ``reserve(_:)``, with all the space that there is.
    package func room(_ size: Int) -> UnsafeMutableRawBufferPointer {
        let start = reserve(size)
        return UnsafeMutableRawBufferPointer(start: start, count: freeBytes)
    }

    /// Makes the reserved bytes the row of an object, replacing an older one.
    package func commit(_ blob: UnsafeMutableRawPointer, size: Int, for id: ManagedObjectID) {
        precondition(blob == free && size <= freeBytes)
        let padded = min((size + 7) & ~7, freeBytes)
        free = blob + padded
        freeBytes -= padded
        blob.storeBytes(of: UInt32(size), as: UInt32.self)
        let table = pages.table(of: id) ?? pages.madeTable(of: id)
        let old = table.words.get(id.key)
        if let old = UnsafeRawPointer(bitPattern: old) {
            liveBytes -= Int(old.load(as: UInt32.self))
        } else {
            count += 1
        }
        liveBytes += size
        table.words.set(id.key, UInt(bitPattern: blob))
    }

    /// Forgets a row.
    package func remove(_ id: ManagedObjectID) {
        guard let table = pages.table(of: id),
            let old = UnsafeRawPointer(bitPattern: table.words.get(id.key))
        else { return }
        liveBytes -= Int(old.load(as: UInt32.self))
        count -= 1
        table.words.set(id.key, 0)
        compactIfWasteful()
    }

    package func removeAll() {
        for chunk in chunks { chunk.deallocate() }
        chunks = []
        free = nil
        freeBytes = 0
        totalBytes = 0
        liveBytes = 0
        count = 0
        pages = EntityPages()
    }

    /// Copies the live rows together once less than a quarter of the memory is in use.
    package func compactIfWasteful() {
        guard totalBytes > 16 << 20, liveBytes < totalBytes / 4 else { return }
        let old = chunks
        chunks = []
        free = nil
        freeBytes = 0
        totalBytes = 0
        for table in pages.all {
            var moves: [(Int64, UInt)] = []
            table.words.visit { moves.append(($0, $1)) }
            for (key, word) in moves {
                guard let source = UnsafeRawPointer(bitPattern: word) else { continue }
                let size = Int(source.load(as: UInt32.self))
                let target = reserve(size)
                target.copyMemory(from: source, byteCount: size)
                let padded = min((size + 7) & ~7, freeBytes)
                free = target + padded
                freeBytes -= padded
                table.words.set(key, UInt(bitPattern: target))
            }
        }
        for chunk in old { chunk.deallocate() }
    }
}
