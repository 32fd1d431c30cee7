import CSodium

/// What the kernel lets others do with this process's memory.
public enum ProcessProtection {
    /// Whether other processes of the same user, and core dumps, can read the memory.
    ///
    /// Off while a vault is unlocked: no debugger can attach, `/proc/self/mem` belongs to root, and a
    /// crash leaves no core file. The limit of core files is lowered as well and stays so: a program
    /// that held secrets once leaves no core file afterwards.
    public static func setReadableByOthers(_ isReadable: Bool) {
        csodium_protect_process(!isReadable)
    }

    /// Whether others can read the memory.
    public static var isReadableByOthers: Bool { csodium_process_is_readable() }

    /// A notice for the user if this process cannot lock even one page of memory; else `nil`.
    public static func lockingNotice() -> EncryptionError? {
        guard let probe = try? SecretBytes(randomCount: 32), !probe.isLocked else { return nil }
        return EncryptionError(
            .system,
            "The system does not let this program lock memory, so keys could reach the swap space.",
            recovery: "Raise the limit with `ulimit -l`, or encrypt the swap space."
        )
    }
}
