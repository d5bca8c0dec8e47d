import Glibc
import Reports

/// Kinds of faults of an installation's state. The music plays on.
extension Fault.Kind {
    /// The state before stays readable.
    public static let stateNotWritten = Self("stateNotWritten", .io)
    /// The file is not what was written.
    public static let stateDamaged = Self("stateDamaged", .data)
    /// Another process has the folder.
    public static let stateInUse = Self("stateInUse", .cannotCreate)
}

/// States that are not kept or not known: what failed, what still works, what to do.
extension Fault {
    static func cannotWrite(_ fault: FileFault) -> Fault {
        Fault(
            "\(fault); the music plays on and the state before stays, but a new start will begin there", .stateNotWritten,
            remedy: fault.remedy, origin: fault)
    }
    static func cannotForce(_ fault: FileFault) -> Fault {
        Fault(
            "\(fault); the state is written, but a power cut may bring back the one before", .io, remedy: fault.remedy,
            origin: fault)
    }
    static func stateTooLarge(path: String, limit: Int) -> Fault {
        Fault(
            "the state is longer than \(limit >> 20) MB and was not written; the music plays on and the state before stays",
            .stateNotWritten, of: path, remedy: "divide the installation")
    }
    static func cannotRead(_ fault: FileFault) -> Fault {
        Fault("\(fault); it is left out and the installation starts anew", .noInput, remedy: fault.remedy, origin: fault)
    }
    static func damaged(path: String, _ damage: Fault) -> Fault {
        Fault(
            "\(damage); it is left out and the installation starts anew, and the next state takes its place", .stateDamaged,
            of: path, remedy: "if this happens again, check the disk")
    }
    static func cannotLock(_ fault: FileFault) -> Fault {
        Fault(
            "\(fault); nothing was changed, but another process might write here too", .io, remedy: fault.remedy,
            origin: fault)
    }
    static func stateInUse(path: String) -> Fault {
        Fault(
            "another process plays with this folder, and nothing was changed", .stateInUse, of: path,
            remedy: "end it, or choose another folder")
    }
}

/// Damage to the bytes of a state file.
extension Fault {
    static let emptyState = Fault("it is empty", .data)
    static let longState = Fault("longer than \(StateFile.limit >> 20) MB", .data, remedy: "this is not a state")
    static let firstLine = Fault("its first line is not that of a state", .data)
    static func version(_ version: String) -> Fault {
        Fault("version \(version) is not known", .data, remedy: "this program reads version \(StateText.version)")
    }
    static func length(said: Int, found: Int) -> Fault { Fault("\(found) bytes of state instead of \(said)", .data) }
    static let checksum = Fault("its bytes have changed", .data)
    static let notUTF8 = Fault("bytes that are not UTF-8", .data)
}

/// Service managers that get nothing from this process. The music plays on.
extension Fault {
    static func addressTooLong(_ address: String, limit: Int) -> Fault {
        noMessages("NOTIFY_SOCKET: \"\(address)\" is longer than \(limit) bytes", .usage, "give it a shorter path")
    }
    static func unknownAddress(_ address: String) -> Fault {
        noMessages(
            "NOTIFY_SOCKET: \"\(address)\" is no socket that this program can reach", .usage,
            "give an absolute path, or @ and a name")
    }
    static func noSocket(code: Int32) -> Fault {
        noMessages("no socket can be opened (\(String(cString: strerror(code))))", .system, "raise the limit of open files")
    }
    static func cannotSend(address: String, code: Int32) -> Fault {
        Fault(
            "the service manager takes no message (\(String(cString: strerror(code)))); the music plays on, and each message is "
                + "tried again with the next", .io, of: address, remedy: "check whether it still runs")
    }

    private static func noMessages(_ reason: String, _ kind: Kind, _ remedy: String) -> Fault {
        Fault("\(reason); the music plays on, but the service manager gets no messages", kind, remedy: remedy)
    }
}
