import CarillonTestKit
import Foundation
import Reports
import TestFolders
import Testing

@testable import Installations

/// Every call fails in every way, and the power goes: the former state or the new one is read, whole.
@Suite struct StateFileFaultTests {
    static let codes = [ENOSPC, EIO, EROFS, EINTR, EDQUOT, EACCES]

    static func fault(_ random: inout SeededRandom) -> FaultyDisk.Fault {
        let code = codes[Int.random(in: 0..<codes.count, using: &random)]
        return switch Int.random(in: 0..<5, using: &random) {
        case 0: .fails(code)
        case 1: .interrupted(Int.random(in: 1...120, using: &random))
        case 2: .short(code)
        case 3: .doneButFails(code)
        default: .powerCut
        }
    }

    /// A text that is not like another: its number, and bytes up to some length.
    static func text(_ number: Int, _ random: inout SeededRandom) -> String {
        let length = [0, 1, 40, 1000][Int.random(in: 0..<4, using: &random)]
        return "song \(number) ü\n" + String(repeating: "abc \(number)\n", count: length)
    }

    @Test(arguments: 0..<8) func theFormerOrTheNewStateIsReadWhateverFails(_ part: Int) throws {
        var random = SeededRandom(seed: UInt64(part) &* 7919)
        var written = 0, refused = 0, cut = 0
        for number in 0..<250 {
            let root = TemporaryFolder(inMemory: true), folder = root.path + "/state"
            let healthy = StateFile(folder: folder, calls: unforced)
            var former: String?
            switch Int.random(in: 0..<4, using: &random) {
            case 0: break
            case 1: try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            default:
                former = Self.text(number, &random)
                try healthy.write(former ?? "")
                if Bool.random(using: &random) { try Data("rest".utf8).write(to: URL(fileURLWithPath: folder + "/state.new")) }
            }
            let new = Self.text(number + 1_000_000, &random)
            let fault = Self.fault(&random), index = Int.random(in: 0..<14, using: &random)
            let disk = FaultyDisk(folder: folder, fault: (index, fault), shortWrites: Bool.random(using: &random))
            var error: Fault?
            do throws(Fault) { try StateFile(folder: folder, calls: disk.fileCalls).write(new) } catch let fault {
                error = fault
            }
            let told = "part \(part) case \(number): \(fault) at \(index): \(disk.log)"
            #expect(disk.openDescriptors == 0, "\(told)")
            #expect(!disk.log.contains("closed twice"), "\(told)")
            let isCut = fault == .powerCut || Bool.random(using: &random)
            if isCut { disk.losePower(&random) }
            var read: String?
            do throws(Fault) { read = try healthy.read() } catch {
                Issue.record("\(told): \(error)")
                continue
            }
            if error == nil {
                written += 1
                #expect(read == new, "\(told)")
            } else {
                refused += 1
                #expect(read == new || read == former, "\(told)")
                if let error, error.kind == .io, !isCut { #expect(read == new, "\(told)") }
                #expect(error?.description.contains(" failed (") == true, "\(told)")
            }
            if isCut { cut += 1 }
            #expect(try root.descriptors == [], "\(told)")
            // And the next state is kept as if nothing had been.
            try healthy.write("next \(number)")
            #expect(try healthy.read() == "next \(number)", "\(told)")
            #expect(TemporaryFolder.names(in: folder) == ["state"], "\(told)")
        }
        #expect(written > 40 && refused > 60 && cut > 60)
    }

    /// Every call of a write, of a lock and of a read fails once, by itself.
    @Test func aFaultOfAnyCallIsToldAndLeavesNothingBehind() throws {
        for code in Self.codes where code != EINTR {
            for index in 0..<20 {
                let root = TemporaryFolder(inMemory: true), folder = root.path + "/state"
                let disk = FaultyDisk(folder: folder, fault: (index, .fails(code)))
                let file = StateFile(folder: folder, calls: disk.fileCalls)
                do throws(Fault) {
                    try file.write("a")
                    try file.lock()
                    #expect(try file.read() == "a")
                } catch {
                    #expect(error.description.contains(String(cString: strerror(code))), "\(error)")
                    #expect(error.description.contains(folder), "\(error)")
                }
                let isLocked = disk.log.indices.contains { disk.log[$0] == "flock" && $0 != index }
                #expect(disk.openDescriptors == (isLocked ? 1 : 0))
                #expect(!TemporaryFolder.names(in: folder).contains("state.new"))
            }
        }
    }

    @Test func aCallThatIsAlwaysInterruptedFails() throws {
        let root = TemporaryFolder()
        let disk = FaultyDisk(folder: root.path, fault: (0, .interrupted(.max / 2)))
        #expect(throws: Fault.cannotWrite(FileFault(call: "open", path: root.path, code: EINTR))) {
            try StateFile(folder: root.path, calls: disk.fileCalls).write("a")
        }
    }

    @Test func aDiskThatTakesNothingIsNotAskedForEver() throws {
        let root = TemporaryFolder()
        var calls = FileCalls.system
        calls.write = { _, _, _ in 0 }
        #expect(throws: Fault.cannotWrite(FileFault(call: "write", path: root.path + "/state.new", code: EIO))) {
            try StateFile(folder: root.path, calls: calls).write("a")
        }
        #expect(root.names == [])
    }

    @Test func aFileSystemThatForcesNoFoldersIsEnough() throws {
        let root = TemporaryFolder()
        var calls = FileCalls.system
        calls.fsync = { descriptor in
            var status = stat()
            return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR ? Int(-EINVAL) : 0
        }
        let file = StateFile(folder: root.path, calls: calls)
        try file.write("a")
        #expect(try file.read() == "a")
    }

    /// Real calls, without the wait for a real disk.
    private var unforced: FileCalls {
        var calls = FileCalls.system
        calls.fsync = { _ in 0 }
        return calls
    }
}
