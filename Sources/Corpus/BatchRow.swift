import Carillon
import Reports

/// The row of a finished job: its fields with the values that were drawn, and the report of its render. Paths are relative to
/// the batch's folder. Used as a line of a manifest, it renders to the same bytes.
package struct BatchRow: Encodable {
    let fields: [String: JSONValue]
    let key: String
    let songHash: String
    let report: any Encodable

    private enum Key: CodingKey { case key, songHash, report }

    package func encode(to encoder: any Encoder) throws {
        try fields.encode(to: encoder)
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(key, forKey: .key)
        try object.encode(songHash, forKey: .songHash)
        try object.encode(report, forKey: .report)
    }

    /// The words that every row begins with.
    package enum Status: String, Codable, Sendable {
        case done, skipped, failed, timeout, crashed, stopped

        /// `{"status":"done",`
        var opening: String { "{\"status\":\"\(rawValue)\"," }
    }

    /// The row on one line, its status first.
    var text: String { Status.done.opening + JSONOutput.text(self).dropFirst() }

    /// A row that was kept, as that of a job which is skipped: its own fields with what came of the same sound before. Nil if
    /// what was kept is no row.
    ///
    /// - Returns: also the sound's path in the folder and its bytes, as the row has them.
    static func skipped(
        _ kept: String, fields: [String: JSONValue]
    ) -> (text: String, isSame: Bool, output: String, bytes: Int)? {
        guard let raw = skipped(kept) else { return nil }
        var members: [String: JSONValue] = [:]
        do { if case .object(let read) = try JSONValue(text: kept) { members = read } } catch { return nil }
        guard case .object(let report)? = members["report"], case .text(let output)? = report["output"],
            case .whole(let bytes)? = report["bytes"]
        else { return nil }
        var own = members.filter { !BatchJob.resultFields.contains($0.key) }
        if own == fields { return (raw, true, output, bytes) }
        own = fields
        for name in BatchJob.resultFields { if let value = members[name], name != "status" { own[name] = value } }
        return (Status.skipped.opening + JSONOutput.plain(own).dropFirst(), false, output, bytes)
    }

    /// A row that was kept, as that of a job with equal fields which is skipped. Nil if it is not a row.
    static func skipped(_ kept: String) -> String? {
        guard kept.hasPrefix(Status.done.opening) else { return nil }
        return Status.skipped.opening + kept.dropFirst(Status.done.opening.count)
    }

    /// The row of a job that failed.
    static func failure(
        _ status: Status, _ error: String, _ code: Fault.Exit, ended: String?, fields: [String: JSONValue]
    ) -> String {
        var members = fields
        if let ended { members["ended"] = .text(ended) }
        (members["error"], members["exitCode"]) = (.text(OneLine.text(error)), .whole(Int(code.rawValue)))
        return status.opening + JSONOutput.plain(members).dropFirst()
    }
}
