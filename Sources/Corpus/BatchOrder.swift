import FoundationEssentials

/// A job as a worker gets it: all that decides its sound, with the values that were drawn.
public struct BatchOrder: Codable, Sendable {
    /// The hash of all that decides the sound: the name of its files.
    public let key: String
    /// The path of the song.
    public let song: String
    package let songHash: String
    package let options: BatchOptions
    /// The job's fields, those that are no options among them.
    public let fields: [String: JSONValue]

    /// The order on one line.
    package var text: String { JSONOutput.plain(self) }

    init(key: String, song: String, songHash: String, options: BatchOptions, fields: [String: JSONValue]) {
        (self.key, self.song, self.songHash, self.options, self.fields) = (key, song, songHash, options, fields)
    }

    /// Reads an order.
    package init(text: String) throws { self = try JSONDecoder().decode(BatchOrder.self, from: Data(text.utf8)) }
}
