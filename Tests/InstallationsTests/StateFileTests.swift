import CarillonTestKit
import Foundation
import Patches
import Reports
import TestFolders
import Testing

@testable import Installations

/// A state that is kept, read, locked, and found damaged.
@Suite struct StateFileTests {
    @Test func aStateComesBackAndTheNextTakesItsPlace() throws {
        let root = TemporaryFolder(), folder = root.path + "/installation"
        let file = StateFile(folder: folder)
        #expect(try file.read() == nil)
        for text in ["", "one\n", "zwei: ü 𝄞\0\n", String(repeating: "x", count: StateFile.limit)] {
            try file.write(text)
            // Not `==` inside: a million characters are no message.
            let isEqual = try file.read() == text
            #expect(isEqual)
        }
        #expect(TemporaryFolder.names(in: folder) == ["state"])
        let attributes = try FileManager.default.attributesOfItem(atPath: folder)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
        #expect(try root.descriptors == [])
    }

    @Test func theFileIsReadableByPeople() throws {
        let root = TemporaryFolder(), file = StateFile(folder: root.path)
        try file.write("foobar")
        #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "carillon-state 1 6 85944171f73967e8\nfoobar")
    }

    /// The examples of the authors of FNV.
    @Test func theChecksumIsThatOfItsAuthors() {
        for (text, sum) in [("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8)]
            as [(String, UInt64)]
        { #expect(Checksum.fnv1a(text.utf8) == sum) }
    }

    @Test func everyBitThatFlipsAndEveryByteThatIsMissingIsFound() throws {
        let bytes = StateText.bytes("song 3\nbar 17\nvolume -6.5 ü\n")
        for index in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[index] ^= 1 << bit
                #expect(throws: Fault.self) { try StateText.text(damaged) }
            }
            #expect(throws: Fault.self) { try StateText.text(Array(bytes[..<index])) }
            #expect(throws: Fault.self) { try StateText.text(bytes + bytes[..<(index + 1)]) }
            var hole = bytes
            for place in index..<hole.count { hole[place] = 0 }
            #expect(throws: Fault.self) { try StateText.text(hole) }
        }
        #expect(try StateText.text(bytes) == "song 3\nbar 17\nvolume -6.5 ü\n")
    }

    @Test func noiseIsDamagedAndNeverACrash() throws {
        var random = SeededRandom(seed: 5)
        for _ in 0..<2000 {
            var bytes = (0..<Int.random(in: 0..<200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            if Bool.random(using: &random) { bytes = Array("carillon-state 1 ".utf8) + bytes }
            #expect(throws: Fault.self) { try StateText.text(bytes) }
        }
    }

    @Test(arguments: [
        ("", "it is empty"),
        ("hello\n", "its first line is not that of a state"),
        ("carillon-state 2 0 cbf29ce484222325\n", "version 2 is not known; this program reads version 1"),
        ("carillon-state 1 99999999999999 cbf29ce484222325\n", "0 bytes of state instead of 99999999999999"),
        ("carillon-state 1 +0 cbf29ce484222325\n", "its bytes have changed"),
        ("carillon-state 1 0 cbf29ce484222326\n", "its bytes have changed"),
        ("carillon-state 1 -1 cbf29ce484222325\n", "its first line is not that of a state"),
    ])
    func aDamagedFileSaysWhatIsWrongAndWhatToDo(_ content: String, _ message: String) throws {
        let root = TemporaryFolder(), file = StateFile(folder: root.path)
        try Data(content.utf8).write(to: URL(fileURLWithPath: file.path))
        let error = try #require(throws: Fault.self) { try file.read() }
        #expect(error.description.hasPrefix("\(file.path): \(message); it is left out and the installation starts anew"))
        try file.write("new")
        #expect(try file.read() == "new")
    }

    @Test func bytesThatAreNoTextAreDamaged() throws {
        var bytes = StateText.bytes("abc")
        bytes[bytes.count - 1] = 0xff
        let sum = Checksum.text(bytes.suffix(3))
        let line = "carillon-state 1 3 \(sum)\n"
        #expect(throws: Fault.notUTF8) { try StateText.text(Array(line.utf8) + bytes.suffix(3)) }
    }

    @Test func noMoreIsReadThanAStateMayHave() throws {
        let root = TemporaryFolder(), file = StateFile(folder: root.path)
        #expect(throws: Fault.stateTooLarge(path: file.path, limit: 1 << 20)) {
            try file.write(String(repeating: "x", count: StateFile.limit + 1))
        }
        #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
        // A terabyte that takes no room.
        #expect(truncate(file.path, 1 << 40) == 0)
        #expect(throws: Fault.damaged(path: file.path, .longState)) { try file.read() }
    }

    @Test func whatIsNoFileIsToldAndNobodyWaits() throws {
        let root = TemporaryFolder(), file = StateFile(folder: root.path)
        #expect(mkfifo(file.path, 0o600) == 0 && mkfifo(file.path + ".new", 0o600) == 0)
        #expect(throws: Fault.damaged(path: file.path, .emptyState)) { try file.read() }
        #expect(throws: Fault.cannotWrite(FileFault(call: "open", path: file.path + ".new", code: ENXIO))) {
            try file.write("a")
        }
        #expect(unlink(file.path) == 0 && symlink("/etc/passwd", file.path) == 0)
        #expect(throws: Fault.cannotRead(FileFault(call: "open", path: file.path, code: ELOOP))) { try file.read() }
        let folder = StateFile(folder: String(root.path.dropLast("/here".count)), name: "here")
        #expect(throws: Fault.cannotRead(FileFault(call: "read", path: root.path, code: EISDIR))) {
            try folder.read()
        }
    }

    @Test func aFolderWhoseParentIsMissingIsNotMade() throws {
        let root = TemporaryFolder(), file = StateFile(folder: root.path + "/a/b")
        let error = try #require(throws: Fault.self) { try file.write("a") }
        #expect(error == .cannotWrite(FileFault(call: "mkdir", path: root.path + "/a/b", code: ENOENT)))
        #expect(
            error.description == "\(root.path)/a/b: mkdir failed (No such file or directory); the music plays on and the "
                + "state before stays, but a new start will begin there; create its folder, or choose another"
        )
        #expect(try file.read() == nil)
    }

    @Test(arguments: ["", ".", "..", "a/b", "a\0b"]) func aNameThatLeadsElsewhereIsRefused(_ name: String) throws {
        let root = TemporaryFolder(), file = StateFile(folder: root.path, name: name)
        #expect(throws: Fault.self) { try file.write("a") }
        #expect(throws: Fault.self) { try file.lock() }
        #expect(throws: Fault.self) { try file.read() }
        #expect(root.names == [])
    }

    @Test func aFolderIsOneProcessesAloneUntilItsStoreIsGone() throws {
        let root = TemporaryFolder()
        var first: StateFile? = StateFile(folder: root.path)
        try first?.lock()
        try first?.lock()
        let second = StateFile(folder: root.path)
        #expect(throws: Fault.stateInUse(path: root.path + "/state.lock")) { try second.lock() }
        // Another name is another state.
        try StateFile(folder: root.path, name: "other").lock()
        first = nil
        try second.lock()
        #expect(try root.descriptors == [root.path + "/state.lock"])
    }
}

extension TemporaryFolder {
    /// Descriptors of this process that lead below the folder.
    var descriptors: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { name in
                // The descriptor of the listing itself is gone by now, and those of other tests come and go.
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)
                return target.flatMap { $0.hasPrefix(path) ? $0 : nil }
            }
        }
    }
}
