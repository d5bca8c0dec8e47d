/// A refusal of a batch, or of one of its jobs: one sentence with its remedy.
package struct BatchFault: Error, Sendable {
    package let reason: String
    package let code: Code

    package init(_ reason: String, _ code: Code) { (self.reason, self.code) = (reason, code) }

    /// The number of a fault's kind, as in `sysexits.h`. A row has it.
    package struct Code: RawRepresentable, Hashable, Codable, Sendable {
        package let rawValue: Int32
        package init(rawValue: Int32) { self.rawValue = rawValue }

        package static let usage = Code(rawValue: 64)
        package static let data = Code(rawValue: 65)
        package static let noInput = Code(rawValue: 66)
        package static let software = Code(rawValue: 70)
        package static let system = Code(rawValue: 71)
        package static let cannotCreate = Code(rawValue: 73)
        package static let io = Code(rawValue: 74)
    }
}
