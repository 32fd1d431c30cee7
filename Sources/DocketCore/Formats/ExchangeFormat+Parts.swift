extension ExchangeFormat {
    /// A reader of this format.
    ///
    /// - Throws: ``InputError`` of kind `unknownFormat` for a format that is only written.
    package func reader(
        of bytes: [UInt8],
        settings: ExchangeSettings
    ) throws(InputError) -> any RecordReader {
        switch self {
        case .json: DocketJSONReader(bytes, settings: settings)
        case .taskwarrior: TaskwarriorReader(bytes, settings: settings)
        case .todotxt: TodoTxtReader(bytes, settings: settings)
        case .text:
            throw InputError(
                .unknownFormat,
                "Plain text is for people and cannot be imported; use json instead."
            )
        }
    }

    package func writer(settings: ExchangeSettings) -> any RecordWriter {
        switch self {
        case .json: DocketJSONWriter()
        case .taskwarrior: TaskwarriorWriter(settings: settings)
        case .todotxt: TodoTxtWriter(settings: settings)
        case .text: TextWriter(settings: settings)
        }
    }
}
