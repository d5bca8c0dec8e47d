/// A refusal of a batch, or of one of its jobs: one sentence with its remedy.
struct BatchFault: Error, Sendable {
    let reason: String
    let code: Code

    init(_ reason: String, _ code: Code) { (self.reason, self.code) = (reason, code) }

    /// The number of a fault's kind, as in `sysexits.h`. A row has it.
    struct Code: RawRepresentable, Hashable, Codable, Sendable {
        let rawValue: Int32

        static let usage = Code(rawValue: 64)
        static let data = Code(rawValue: 65)
        static let noInput = Code(rawValue: 66)
        static let software = Code(rawValue: 70)
        static let system = Code(rawValue: 71)
        static let cannotCreate = Code(rawValue: 73)
        static let io = Code(rawValue: 74)
    }
}
