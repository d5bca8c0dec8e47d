/// A refusal of a batch, or of one of its jobs: one sentence with its remedy.
public struct BatchFault: Error, Sendable {
    /// One sentence.
    public let reason: String
    /// The kind, as a row has it.
    public let code: Code
    /// True if the folder takes nothing more, so that the batch ends.
    let endsBatch: Bool

    /// - Parameter endsBatch: nil means only if reading or writing failed.
    public init(_ reason: String, _ code: Code, endsBatch: Bool? = nil) {
        (self.reason, self.code, self.endsBatch) = (reason, code, endsBatch ?? (code == .io))
    }

    /// The number of a fault's kind, as in `sysexits.h`. A row has it.
    public struct Code: RawRepresentable, Hashable, Codable, Sendable {
        public let rawValue: Int32

        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// A wrong argument; unreadable data; no such file; a fault of the program, or of the system; a file that cannot be made;
        /// reading or writing that failed.
        public static let usage = Code(rawValue: 64)
        public static let data = Code(rawValue: 65)
        public static let noInput = Code(rawValue: 66)
        public static let software = Code(rawValue: 70)
        public static let system = Code(rawValue: 71)
        public static let cannotCreate = Code(rawValue: 73)
        public static let io = Code(rawValue: 74)
    }
}
