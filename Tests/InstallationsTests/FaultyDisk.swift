import Glibc
import Synchronization

@testable import Installations

/// A real folder behind calls that fail as they are told, and a cache that is lost with the power.
///
/// Nothing is forced to a real disk: what was not forced when the power goes is damaged by hand, as a disk may do it.
final class FaultyDisk: Sendable {
    enum Fault: Hashable {
        case fails(Int32)
        /// A signal comes between, so many times.
        case interrupted(Int)
        /// Half of the bytes are taken, and the next call fails.
        case short(Int32)
        /// The call does its work and says that it failed.
        case doneButFails(Int32)
        /// Nothing happens any more.
        case powerCut
    }

    struct State {
        var calls = 0
        var fault: (index: Int, Fault)?
        var shortWrites = false
        var isOff = false
        var failsNext: Int32?
        /// Descriptors that are open, each with its name; nil for a folder's.
        var open: [Int32: String?] = [:]
        /// Whether the new file's bytes are in the cache alone.
        var isNewUnforced = false
        /// The name under which the new file stands.
        var newName: String?
        /// What stood under the name before it was renamed, until the folder is forced; nil inside for nothing.
        var beforeRename: [UInt8]??
        var log: [String] = []
    }

    private let state: Mutex<State>
    private let folder: String
    private let name: String

    init(folder: String, name: String = "state", fault: (index: Int, Fault)?, shortWrites: Bool = false) {
        (self.folder, self.name) = (folder, name)
        state = Mutex(State(fault: fault, shortWrites: shortWrites))
    }

    var openDescriptors: Int { state.withLock { $0.open.count } }
    var calls: Int { state.withLock { $0.calls } }
    var log: [String] { state.withLock { $0.log } }

    var fileCalls: FileCalls {
        let real = FileCalls.system
        return FileCalls(
            openFolder: { [self] path in
                perform("openFolder") { state in
                    let result = real.openFolder(path)
                    if result >= 0 { state.open[Int32(result)] = .some(nil) }
                    return result
                } undo: { state, result in
                    close(&state, Int32(result))
                }
            },
            makeFolder: { [self] path in perform("mkdir") { _ in real.makeFolder(path) } },
            open: { [self] folder, name, flags in
                perform("open") { state in
                    let result = real.open(folder, name, flags)
                    if result >= 0 {
                        state.open[Int32(result)] = name
                        if flags & O_TRUNC != 0 { (state.isNewUnforced, state.newName) = (true, name) }
                    }
                    return result
                } undo: { state, result in
                    close(&state, Int32(result))
                }
            },
            read: { [self] descriptor, bytes in perform("read") { _ in real.read(descriptor, bytes) } },
            write: { [self] descriptor, bytes, place in
                perform("write") { state in
                    state.isNewUnforced = true
                    var count = bytes.count
                    if let (index, fault) = state.fault, index == state.calls - 1, case .short(let code) = fault {
                        count /= 2
                        state.failsNext = code
                    } else if state.shortWrites {
                        count = max(count / 3, 1)
                    }
                    return count == 0 ? 0 : real.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes[..<count]), place)
                }
            },
            fsync: { [self] descriptor in
                perform("fsync") { state in
                    if state.open[descriptor] == .some(nil) { state.beforeRename = nil } else { state.isNewUnforced = false }
                    return 0
                }
            },
            close: { [self] descriptor in
                // A dead process holds no descriptor either.
                let isOff = state.withLock {
                    close(&$0, descriptor); return $0.isOff
                }
                return isOff ? Int(-EIO) : perform("close") { _ in 0 }
            },
            rename: { [self] folder, name, other in
                perform("rename") { state in
                    let before = bytes(self.name)
                    let result = real.rename(folder, name, other)
                    if result >= 0 { (state.beforeRename, state.newName) = (.some(before), other) }
                    return result
                }
            },
            unlink: { [self] folder, name in
                perform("unlink") { state in
                    if state.newName == name { state.newName = nil }
                    return real.unlink(folder, name)
                }
            },
            lock: { [self] descriptor in perform("flock") { _ in real.lock(descriptor) } })
    }

    /// The power goes: what was in the cache alone is kept, lost or in part.
    func losePower(_ random: inout some RandomNumberGenerator) {
        state.withLock { state in
            if state.isNewUnforced, let name = state.newName, var content = bytes(name) {
                switch Int.random(in: 0..<4, using: &random) {
                case 0: content.removeLast(content.isEmpty ? 0 : Int.random(in: 1...content.count, using: &random))
                case 1: content = [UInt8](repeating: 0, count: content.count)
                case 2:
                    let start = Int.random(in: 0...content.count, using: &random)
                    for index in start..<content.count { content[index] = 0 }
                default: break
                }
                put(content, name)
            }
            if case .some(let before) = state.beforeRename, Bool.random(using: &random) {
                if let before { put(before, name) } else { _ = Glibc.unlink(folder + "/" + name) }
            }
        }
    }

    private func perform(
        _ call: String, _ body: (inout State) -> Int, undo: (inout State, Int) -> Void = { _, _ in }
    ) -> Int {
        state.withLock { state in
            let index = state.calls
            state.calls += 1
            state.log.append(call)
            if state.isOff { return Int(-EIO) }
            if let code = state.failsNext {
                state.failsNext = nil
                return Int(-code)
            }
            guard let fault = state.fault, index >= fault.index else { return body(&state) }
            switch fault.1 {
            case .fails(let code) where index == fault.index: return Int(-code)
            case .interrupted(let times) where index < fault.index + times: return Int(-EINTR)
            case .doneButFails(let code) where index == fault.index:
                let result = body(&state)
                // No descriptor comes back with an error.
                if result >= 0 { undo(&state, result) }
                return Int(-code)
            case .powerCut:
                state.isOff = true
                return Int(-EIO)
            default: return body(&state)
            }
        }
    }

    private func close(_ state: inout State, _ descriptor: Int32) {
        if state.open.removeValue(forKey: descriptor) != nil {
            _ = Glibc.close(descriptor)
        } else {
            state.log.append("closed twice")
        }
    }

    private func bytes(_ name: String) -> [UInt8]? {
        guard let file = fopen(folder + "/" + name, "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes[..<count])
    }

    private func put(_ bytes: [UInt8], _ name: String) {
        guard let file = fopen(folder + "/" + name, "we") else { return }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }
}
