extension ExchangeFormat {
    /// A reader of this format.
    ///
    /// - Throws: ``InputError`` of kind `unknownFormat` for a format that is only written.
    public func reader(
        of source: ByteSource,
        settings: ExchangeSettings
    ) throws(InputError) -> any RecordReader {
        switch self {
        case .json: DocketJSONReader(source, settings: settings)
        case .taskwarrior: TaskwarriorReader(source, settings: settings)
        case .todotxt: TodoTxtReader(source, settings: settings)
        case .text:
            throw InputError(
                .unknownFormat,
                "Plain text is for people and cannot be imported; use json instead."
            )
        }
    }

    /// A reader of a document in memory.
    public func reader(
        of bytes: [UInt8],
        settings: ExchangeSettings
    ) throws(InputError) -> any RecordReader {
        try reader(of: ByteSource(bytes), settings: settings)
    }

    public func writer(settings: ExchangeSettings) -> any RecordWriter {
        switch self {
        case .json: DocketJSONWriter()
        case .taskwarrior: TaskwarriorWriter(settings: settings)
        case .todotxt: TodoTxtWriter(settings: settings)
        case .text: TextWriter(settings: settings)
        }
    }
}
