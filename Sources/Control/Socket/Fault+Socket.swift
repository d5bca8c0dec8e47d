import Glibc
import Reports

/// Kinds of a control socket's faults.
extension Fault.Kind {
    /// The path is empty, or longer than a socket's may be.
    public static let socketPath = Self("socketPath", .usage)
    /// Another process listens there.
    public static let socketInUse = Self("socketInUse", .cannotCreate)
    /// No session listens there.
    public static let nobodyListens = Self("nobodyListens", .unavailable)
    /// The socket belongs to another user.
    public static let denied = Self("denied", .unavailable)
    /// The session ended, or cut this client off, before it had answered.
    public static let brokenOff = Self("brokenOff", .io)
}

/// Sockets on which nothing can listen.
extension Fault {
    static func path(_ path: String, limit: Int) -> Fault {
        path.isEmpty
            ? Fault("the control socket's path is empty", .socketPath)
            : Fault("a socket's path has at most \(limit) bytes", .socketPath, of: path, remedy: "choose a shorter one")
    }
    static func inUse(path: String) -> Fault {
        Fault(
            "another session listens there", .socketInUse, of: path,
            remedy: "choose another path, or end that session")
    }
    static func notASocket(path: String) -> Fault {
        Fault("is not a socket and was left alone", .cannotCreate, of: path, remedy: "choose another path")
    }
    static func cannotListen(call: String, path: String, code: Int32) -> Fault {
        Fault("cannot listen there (\(call): \(String(cString: strerror(code))))", .cannotCreate, of: path)
    }
}

/// Sessions that cannot be asked.
extension Fault {
    static func path(_ path: String) -> Fault {
        Fault("cannot be the path of a socket", .socketPath, of: "\"\(path)\"", remedy: "it is empty or too long")
    }
    static func nobodyListens(path: String) -> Fault {
        Fault(
            "no session listens there", .nobodyListens, of: path, remedy: "start one that does, or name another path")
    }
    static func denied(path: String) -> Fault { Fault("this user may not control that session", .denied, of: path) }
    static func brokenOff(path: String) -> Fault { Fault("the session ended before it answered", .brokenOff, of: path) }
    static func cannotConnect(call: String, path: String, code: Int32) -> Fault {
        Fault("\(call): \(String(cString: strerror(code)))", .unavailable, of: path)
    }
}
