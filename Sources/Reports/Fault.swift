/// What went wrong, once for people and once for code: a sentence with its remedy, and a kind to decide by.
///
/// The engine and all that stands on it throw this one type. Modules below throw errors of their own; a fault made of one
/// has it as its `origin`.
public struct Fault: Error, Sendable, CustomStringConvertible {
    /// The kind, for code that decides: `catch let fault where fault.kind == .queueFull`.
    public var kind: Kind
    /// The file, unit, option or device that it is about, as the user knows it; nil: the sentence says it.
    public let subject: String?
    /// A sentence on what happened, without the subject and without a full stop.
    public let sentence: String
    /// The thing to do about it; nil: nothing, or the sentence says it.
    public let remedy: String?
    /// The faults that this one sums up, each with a sentence of its own; empty for one fault alone.
    public let causes: [Fault]
    /// The error of a lower module that this fault was made of, as it was thrown. No part of equality.
    public let origin: (any Error & Sendable)?

    /// A fault.
    public init(
        _ sentence: String, _ kind: Kind, of subject: String? = nil, remedy: String? = nil, causes: [Fault] = [],
        origin: (any Error & Sendable)? = nil
    ) {
        (self.kind, self.subject, self.sentence, self.remedy) = (kind, subject, sentence, remedy)
        (self.causes, self.origin) = (causes, origin)
    }

    /// The fault that says what an error of a lower module says.
    ///
    /// - Parameter kind: nil: named after the error's type.
    public init(_ error: some ClassifiedError, as kind: Kind? = nil) {
        self.init("\(error)", kind ?? Kind("\(type(of: error))", error.exit), origin: error)
    }

    /// Several faults of a kind as one, by their sentences.
    public init(_ sentences: [String], _ kind: Kind) {
        self.init(sentences.joined(separator: "; "), kind, causes: sentences.map { Fault($0, kind) })
    }

    /// Several faults as one, of the kind of the first. Nil if there are none.
    public init?(all causes: [Fault]) {
        guard let first = causes.first else { return nil }
        self.init(causes.map(\.description).joined(separator: "; "), first.kind, causes: causes)
    }

    /// `SUBJECT: SENTENCE; REMEDY`.
    public var description: String { (subject.map { "\($0): " } ?? "") + sentence + (remedy.map { "; \($0)" } ?? "") }

    /// A sentence for each cause, or for the one fault.
    public var sentences: [String] { causes.isEmpty ? [description] : causes.flatMap(\.sentences) }

    /// The kind of a fault. Modules declare their own: `static let queueFull = Fault.Kind("queueFull", .software)`.
    public struct Kind: Hashable, Sendable {
        /// The name, which no other kind has.
        public let name: String
        /// The class of the exit code of a program that ends for it.
        public let exit: Exit

        /// A kind.
        public init(_ name: String, _ exit: Exit) { (self.name, self.exit) = (name, exit) }
    }

    /// The class of a fault: the exit code of a program, as in `sysexits.h`.
    public struct Exit: RawRepresentable, Hashable, Codable, Sendable {
        public let rawValue: Int32

        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// What was asked for cannot be: a wrong argument, an unknown name.
        public static let usage = Exit(rawValue: 64)
        /// Data that cannot be used.
        public static let data = Exit(rawValue: 65)
        /// No such file.
        public static let noInput = Exit(rawValue: 66)
        /// A device or library is not available.
        public static let unavailable = Exit(rawValue: 69)
        /// A fault of the program.
        public static let software = Exit(rawValue: 70)
        /// A fault of the system.
        public static let system = Exit(rawValue: 71)
        /// An output cannot be made.
        public static let cannotCreate = Exit(rawValue: 73)
        /// Reading or writing failed.
        public static let io = Exit(rawValue: 74)
        /// A patch or another configuration that cannot be.
        public static let configuration = Exit(rawValue: 78)
        /// The user interrupted it.
        public static let interrupted = Exit(rawValue: 130)
    }
}

extension Fault: Hashable {
    public static func == (one: Fault, other: Fault) -> Bool {
        one.kind == other.kind && one.subject == other.subject && one.sentence == other.sentence && one.remedy == other.remedy
            && one.causes == other.causes
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(description)
    }
}

/// Kinds of which code needs to know the class alone.
extension Fault.Kind {
    /// What was asked for cannot be: a wrong argument, an unknown name.
    public static let usage = Self("usage", .usage)
    /// Data that cannot be used.
    public static let data = Self("data", .data)
    /// No such file.
    public static let noInput = Self("noInput", .noInput)
    /// A device or library is not available.
    public static let unavailable = Self("unavailable", .unavailable)
    /// A fault of the program.
    public static let software = Self("software", .software)
    /// A fault of the system.
    public static let system = Self("system", .system)
    /// An output cannot be made.
    public static let cannotCreate = Self("cannotCreate", .cannotCreate)
    /// Reading or writing failed.
    public static let io = Self("io", .io)
    /// A patch or another configuration that cannot be.
    public static let configuration = Self("configuration", .configuration)
    /// The user or the caller asked to stop.
    public static let interrupted = Self("interrupted", .interrupted)
}

/// An error of a module below the engine, with the class of its exit code.
public protocol ClassifiedError: Error, Sendable, CustomStringConvertible {
    /// The class of the exit code of a fault made from this error.
    var exit: Fault.Exit { get }
}
