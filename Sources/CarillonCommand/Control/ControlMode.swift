import ArgumentParser

/// The rights of a control socket, written as chmod has them.
enum ControlMode: String, ExpressibleByArgument, CaseIterable {
    /// The user of the session alone.
    case user = "600"
    /// Other users of the session's group too.
    case group = "660"

    /// Reads it, also with a zero before it, as many write it.
    init?(argument: String) { self.init(rawValue: String(argument.drop { $0 == "0" })) }
}
