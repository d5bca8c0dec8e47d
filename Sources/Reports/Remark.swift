/// Something that a file or a call asked for and that was not done, or not as it was asked; it stopped nothing.
///
/// A remark has two forms: `description` for users, the fields for programs.
public struct Remark: Sendable, Hashable, CustomStringConvertible {
    /// The outcome of what was asked for. In the order in which remarks are shown.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Something is not there, and what needs it is silent: samples, presets, files.
        case missing
        /// An instruction has no effect here, and a module or player that follows it would sound otherwise.
        case notFollowed = "not-followed"
        /// There is something else in its place, a preset, a layout, a device, or a file has less: tags, markers, a loop.
        case substituted
        /// Something ended early: a render at its limit, voices that newer notes took.
        case cut
        /// A damaged place in a file was read as it was probably meant.
        case repaired
        /// The level differs from the request, or was measured. Never a failure.
        case level
    }

    /// The kind of remark.
    public let kind: Kind
    /// The file, song, unit or device that it is about, as the user knows it.
    public let subject: String
    /// The number of times that it occurs, 1 or more.
    public let count: Int
    /// A sentence on what happened, without the subject and without a full stop.
    public let sentence: String
    /// The thing that can be done about it; nil means nothing.
    public let remedy: String?

    public init(_ kind: Kind, _ subject: String, _ sentence: String, count: Int = 1, remedy: String? = nil) {
        (self.kind, self.subject, self.count) = (kind, subject, max(count, 1))
        (self.sentence, self.remedy) = (sentence, remedy)
    }

    /// `SUBJECT: SENTENCE; REMEDY`, on one line.
    public var description: String {
        (subject.isEmpty ? "" : "\(subject): ") + sentence + (remedy.map { "; \($0)" } ?? "")
    }

    /// Returns `delay is not followed`, `delay, 2 times, is not followed`.
    public static func notFollowed(_ what: String, _ count: Int) -> String {
        what + (count == 1 ? "" : ", \(count) times,") + " is not followed"
    }
}

extension Remark: Fielded {
    package static let fields: [Field<Remark>] = [
        Field("kind", \.kind, "The kind of remark."),
        Field("subject", \.subject, "The file, song, unit or device that it is about."),
        Field("sentence", \.sentence, "What happened."),
        Field("count", \.count, "How many times, from 1 on."),
        Field("remedy", \.remedy, "What can be done about it."),
    ]
}

extension Remark.Kind: FieldWord {}
