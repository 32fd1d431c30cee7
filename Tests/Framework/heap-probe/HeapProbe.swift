import CZeroingHeap
import Encryption
import FoundationEssentials
import Glibc
import ObjectGraph
import ObjectGraphEncryption

// Decrypts secrets, uses them as ordinary values, locks, and counts the copies that are left in the
// memory of the process.
//
// usage: heap-probe on|off   (whether the heap zeroes)
//
// Prints one line for each secret: its name and the number of copies found. The secrets are random, and
// kept only in a masked form, so the search itself is no copy.

/// A random secret of letters, in a form that does not contain it.
struct MaskedSecret {
    let name: String
    private let masked: [UInt8]
    private static let mask: UInt8 = 0x80

    init(_ name: String, length: Int) {
        self.name = name
        masked = (0..<length).map { _ in UInt8.random(in: 97...122) ^ MaskedSecret.mask }
    }

    var text: String {
        String(decoding: masked.map { $0 ^ MaskedSecret.mask }, as: UTF8.self)
    }

    /// Whether the middle of the secret is at an address, in any case of its letters.
    func isAt(_ address: UnsafePointer<UInt8>, room: Int) -> Bool {
        let piece = masked.dropFirst(masked.count / 4).prefix(min(masked.count / 2, 32))
        guard room >= piece.count else { return false }
        for (offset, byte) in piece.enumerated()
        where (address[offset] | 0x20) ^ MaskedSecret.mask != byte {
            return false
        }
        return true
    }
}

/// Counts secrets in all writable memory of the process.
func countCopies(of secrets: [MaskedSecret]) -> [Int] {
    var counts = secrets.map { _ in 0 }
    let file = open("/proc/self/mem", O_RDONLY)
    guard file >= 0, let maps = try? Data(contentsOf: URL(filePath: "/proc/self/maps"))
    else { return secrets.map { _ in -1 } }
    defer { close(file) }
    // Outside of the heap, and skipped by the search.
    let size = 1 << 20
    let overlap = 64
    guard let buffer = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
        buffer != MAP_FAILED
    else { return secrets.map { _ in -1 } }
    defer { munmap(buffer, size) }
    let bytes = buffer.bindMemory(to: UInt8.self, capacity: size)
    let own = UInt(bitPattern: buffer)
    for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
        let fields = line.split(separator: " ")
        let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard fields[1].hasPrefix("rw"), ends.count == 2 else { continue }
        // The address sanitizer maps terabytes of its own, which no program writes to.
        if ends[1] - ends[0] > 1 << 36 { continue }
        var start = ends[0]
        while start < ends[1] {
            if start <= own, own < start + UInt(size) {
                // The region may have been joined with the buffer: read up to it, go on after it.
                if start == own {
                    start += UInt(size)
                    continue
                }
            }
            var end = min(ends[1], start + UInt(size))
            if start < own, end > own { end = own }
            let count = pread(file, buffer, Int(end - start), Int(start))
            if count > 0 {
                for offset in 0..<count where bytes[offset] | 0x20 >= 97 {
                    for (index, secret) in secrets.enumerated()
                    where secret.isAt(bytes + offset, room: count - offset) {
                        counts[index] += 1
                    }
                }
            }
            start = end == ends[1] || end == own ? end : end - UInt(overlap)
        }
        memset(buffer, 0, size)
    }
    return counts
}

/// What a program does with decrypted values.
@inline(never)
func use(_ secrets: [MaskedSecret], _ folder: String) throws -> (PersistentContainer, KeyRing) {
    let passphrase = try SecretBytes(secrets[0].text)
    let ring = KeyRing(try KeyEnvelope(passphrase: passphrase, cost: .leastForTests))
    try ring.unlock(passphrase: passphrase)
    EncryptedTransformer(ring, for: "Login.password").register()
    let password = AttributeDescription("password", .transformable)
    password.valueTransformerName = "Login.password"
    let model = ManagedObjectModel([
        EntityDescription("Login", [AttributeDescription("name", .string), password])
    ])
    let container = try PersistentContainer(
        model: model,
        url: URL(filePath: folder + "/probe.sqlite")
    )
    let context = container.viewContext
    let undo = UndoManager()
    context.undoManager = undo
    for secret in secrets {
        let object = try context.insert(entityNamed: "Login")
        try object.setValue(.string(secret.text), forKey: "password")
        try context.save()
        try object.setValue(.string(secret.text + "-changed"), forKey: "password")
        try object.setValue(
            [.string(secret.text), .data(Data(secret.text.utf8))],
            forKey: "password"
        )
        try context.save()
        try undo.undo()
        try context.save()
    }
    let other = container.newContext()
    let request = FetchRequest<ManagedObject>(entityName: "Login")
    var total = 0
    var table: [String: [String]] = [:]
    for object in try other.fetch(request) {
        guard case .string(let text) = try object.value(forKey: "password") else { continue }
        let longer = text + " and " + text.uppercased()
        table[text, default: []].append(longer)
        table[longer] = text.map { String($0) } + [String(text.reversed().reversed())]
        var grown: [Character] = []
        for character in longer { grown.append(character) }
        total += table.values.reduce(0) { $0 + $1.count } + grown.count
        total += longer.split(separator: " ").joined(separator: "/").count
        total += Data(longer.utf8).base64EncodedString().count
    }
    precondition(total > 0)
    return (container, ring)
}

let isOn = CommandLine.arguments.dropFirst().first == "on"
let secrets = [
    MaskedSecret("passphrase", length: 14), MaskedSecret("short", length: 13),
    MaskedSecret("long", length: 60), MaskedSecret("longer", length: 4000),
]
let folder = FileManager.default.temporaryDirectory.path() + "heap-probe-" + UUID().uuidString
try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
print("supported", zeroing_heap_is_supported())
zeroing_heap_set(isOn)
ProcessProtection.setReadableByOthers(false)
let (container, ring) = try use(secrets, folder)
ring.lock()
zeroing_heap_clear()
print("readable", ProcessProtection.isReadableByOthers)
ProcessProtection.setReadableByOthers(true)
for (secret, count) in zip(secrets, countCopies(of: secrets)) { print(secret.name, count) }
// The store and its objects are still there, and usable after the next unlocking.
print(
    "objects",
    try container.viewContext.fetch(FetchRequest<ManagedObject>(entityName: "Login")).count
)
try FileManager.default.removeItem(atPath: folder)
