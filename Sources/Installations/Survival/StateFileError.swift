/// The reason why an installation's state is not kept or not known: what failed, what still works, what to do. The music plays
/// on.
public enum StateFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The state before stays readable.
    case cannotWrite(FileFault)
    /// The new state is in place, but a power cut may bring back the one before.
    case cannotForce(FileFault)
    /// The state is longer than `limit` bytes and was not written.
    case tooLarge(path: String, limit: Int)
    case cannotRead(FileFault)
    /// The file is not what was written.
    case damaged(path: String, Damage)
    case cannotLock(FileFault)
    /// Another process has the folder.
    case inUse(path: String)

    /// The damage to the bytes of a state file.
    public enum Damage: Error, Hashable, Sendable {
        case empty
        case tooLong(limit: Int)
        /// The first line is not that of a state.
        case firstLine
        /// A version that this program does not read.
        case version(String)
        /// The number of bytes differs from that in its first line.
        case length(said: Int, found: Int)
        case checksum
        case notUTF8
    }

    public var description: String {
        switch self {
        case .cannotWrite(let fault):
            "\(fault); the music plays on and the state before stays, but a new start will begin there; \(fault.remedy)"
        case .cannotForce(let fault):
            "\(fault); the state is written, but a power cut may bring back the one before; \(fault.remedy)"
        case .tooLarge(let path, let limit):
            "\(path): the state is longer than \(limit >> 20) MB and was not written; the music plays on and the state "
                + "before stays; divide the installation"
        case .cannotRead(let fault): "\(fault); it is left out and the installation starts anew; \(fault.remedy)"
        case .damaged(let path, let damage):
            "\(path): \(damage); it is left out and the installation starts anew, and the next state takes its place; if "
                + "this happens again, check the disk"
        case .cannotLock(let fault):
            "\(fault); nothing was changed, but another process might write here too; \(fault.remedy)"
        case .inUse(let path):
            "\(path): another process plays with this folder, and nothing was changed; end it, or choose another folder"
        }
    }
}

extension StateFileError.Damage: CustomStringConvertible {
    public var description: String {
        switch self {
        case .empty: "it is empty"
        case .tooLong(let limit): "longer than \(limit >> 20) MB; this is not a state"
        case .firstLine: "its first line is not that of a state"
        case .version(let version): "version \(version) is not known; this program reads version \(StateText.version)"
        case .length(let said, let found): "\(found) bytes of state instead of \(said)"
        case .checksum: "its bytes have changed"
        case .notUTF8: "bytes that are not UTF-8"
        }
    }
}
