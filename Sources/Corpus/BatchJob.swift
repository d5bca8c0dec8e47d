import Carillon
import FoundationEssentials

/// One job of a batch as it is to be rendered: the fields of its line and of the recipe beneath it, with every draw made.
struct BatchJob {
    /// Fields with the results of a job: in the line of a job, which may be a row of an earlier batch, they are ignored.
    static let resultFields: Set<String> = [
        "status", "key", "songHash", "report", "reportVersion", "error", "exitCode", "ended",
    ]
    /// Fields of a batch that are not options of `render`.
    static let ownFields: Set<String> = ["song", "bytes", "seed", "id", "channels", "time-limit"]

    let line: Int
    /// All fields for the job's row, those that Carillon does not know included.
    private(set) var fields: [String: JSONValue]
    /// The song: a path, or what is in the manifest itself.
    let song: Song
    let seed: String
    let timeLimit: Double?
    /// The hash of the song's bytes, if the line is a row; nil means any song.
    let songHash: String?

    enum Song {
        case path(String)
        case bytes([UInt8])
    }

    /// The fields of a line: a JSON object, or the path of a song.
    static func fields(of text: String, line: Int) throws(Fault) -> [String: JSONValue] {
        // What does not begin like an object is a path; what is no UTF-8 has been replaced.
        if text.utf8.first != UInt8(ascii: "{") {
            if text.unicodeScalars.contains("\u{FFFD}") {
                throw Fault("line \(line): is not UTF-8; rename the song, or give it as bytes", .data)
            }
            return ["song": .text(text)]
        }
        let value: JSONValue
        do { value = try JSONValue(text: text) } catch {
            throw Fault(
                "line \(line): no JSON object on one line (\(reason(error))); write {\"song\": \"PATH\"}, or a path alone",
                .data)
        }
        guard case .object(let members) = value else { throw Fault("line \(line): a job is an object", .data) }
        if let long = JSONValue.longWhole(in: text) {
            throw Fault("line \(line): \(long) has more than 38 digits; write it as a text", .data)
        }
        return members
    }

    /// Makes a job of a line's fields. Draws are not made yet: they depend on the song.
    ///
    /// - Parameters:
    ///   - recipe: the fields of the recipe that the line names, else of the batch's, for fields that the line does not have.
    ///   - seed: the seed if the line has none.
    init(
        _ members: [String: JSONValue], line: Int, seed standard: String,
        recipe: (JSONValue?) throws(Fault) -> [String: JSONValue]
    ) throws(Fault) {
        self.line = line
        var fields = members
        if case .text(let hash)? = fields["songHash"] { songHash = hash } else { songHash = nil }
        for name in Self.resultFields { fields[name] = nil }
        let common: [String: JSONValue]
        do { common = try recipe(fields["recipe"]) } catch {
            throw Fault("line \(line): \(error)", error.kind)
        }
        fields["recipe"] = nil
        // A member of a table that one line has, another may leave to the recipe.
        fields.merge(common) { own, common in
            guard case .object(let own) = own, case .object(let common) = common,
                !BatchDraw.words.contains(where: { own[$0] != nil || common[$0] != nil })
            else { return own }
            return .object(own.merging(common) { own, _ in own })
        }
        switch (fields["song"], fields["bytes"]) {
        case (.text(let path)?, _) where path != "": song = .path(path)
        case (nil, .text(let text)?):
            guard let data = Data(base64Encoded: text) else {
                throw Fault("line \(line): bytes is no Base64 text", .data)
            }
            song = .bytes([UInt8](data))
            // The song is kept beside the sound, and named there.
            fields["bytes"] = nil
        default:
            throw Fault("line \(line): names no song; write \"song\": \"PATH\", or \"bytes\": \"BASE64\"", .data)
        }
        switch fields["seed"] {
        case nil, .null?: seed = standard
        case .whole(let number)?: seed = "\(number)"
        case .text(let text)?: seed = text
        default: throw Fault("line \(line): seed is a whole number or a text", .data)
        }
        do throws(ParameterError) {
            timeLimit = try fields["time-limit"].flatMap(\.word).map { (text) throws(ParameterError) in
                try BatchLimits.time.number(text)
            }
        } catch { throw Fault("line \(line): \(error)", .data) }
        if seed != "", fields["seed"] == nil { fields["seed"] = .text(seed) }
        self.fields = fields
    }

    static func reason(_ error: any Error) -> String {
        if case DecodingError.dataCorrupted(let context)? = error as? DecodingError {
            return context.underlyingError.map { "\($0)" } ?? context.debugDescription
        }
        return "\(error)"
    }

    /// Gives the song the path under which its bytes are kept.
    mutating func keep(bytesAt path: String) { fields["song"] = .text(path) }

    /// Makes the draws: functions of the seed, the song and the field's name, and of nothing else, so that neither the order of
    /// the jobs nor a field more changes what another is.
    ///
    /// - Throws: a draw that is none, and another song than that of the row which the line is.
    mutating func draw(songHash: String) throws(Fault) {
        if let before = self.songHash, before != songHash {
            throw Fault(
                "line \(line): the song is another one than when this row was made; take songHash out to render it", .data)
        }
        for (name, value) in fields { fields[name] = try drawn(value, name, songHash) }
    }

    private func drawn(_ value: JSONValue, _ name: String, _ songHash: String) throws(Fault) -> JSONValue {
        guard case .object(let members) = value else { return value }
        let draw: BatchDraw?
        do { draw = try BatchDraw(value, field: name) } catch {
            throw Fault("line \(line): \(error)", error.kind)
        }
        if let draw {
            return draw.value { number in
                let digits = ContentHash.of("carillon draw 1\n\(seed)\n\(songHash)\n\(name)\n\(number)\n").prefix(16)
                return Double((UInt64(digits, radix: 16) ?? 0) >> 11) / Double(1 << 53)
            }
        }
        var result = members
        for (key, member) in members { result[key] = try drawn(member, "\(name).\(key)", songHash) }
        return .object(result)
    }
}
