import Carillon
import Glibc
import TestFolders
import Testing

@testable import EngineCore

/// Scala's files of scales and keyboard maps.
@Suite struct ScalaFileTests {
    /// A major third, a fifth and a period of a twelfth; on a pattern of five keys from key 60 on, of which the second and the
    /// fourth play nothing.
    static let scaleOfFive = (
        scale: "! five.scl\n!\n\n 3\n! a third, a fifth\n 5/4 third\n 701.955 cents\n\t3/1\r\n",
        map: "! five.kbm\n5\n0\n127\n60\n60\n261.6255653\n3\n! keys\n0\nx\n2\nx\n1\n"
    )

    static func write(_ bytes: [UInt8], to path: String) -> Bool {
        guard let file = fopen(path, "w") else { return false }
        defer { fclose(file) }
        return fwrite(bytes, 1, bytes.count, file) == bytes.count
    }

    static func withFolder(_ body: (String) throws -> Void) throws {
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        try body(folder.path)
    }

    static func withFiles(_ files: (scale: String, map: String), _ body: (_ scale: String, _ map: String) throws -> Void) throws {
        try withFolder { folder in
            #expect(write(Array(files.scale.utf8), to: folder + "/a.scl") && write(Array(files.map.utf8), to: folder + "/a.kbm"))
            try body(folder + "/a.scl", folder + "/a.kbm")
        }
    }

    /// Cents of some keys above key 60 in equal temperament.
    private func expect(_ tuning: Tuning, _ cents: [Int: Double?]) {
        for (key, cents) in cents {
            let found = tuning.cents[key].map { $0 + Double(key - 60) * 100 }
            switch (found, cents) {
            case (let found?, let cents?): #expect(abs(found - cents) < 0.01, "key \(key): \(found)")
            default: #expect(found == nil && cents == nil, "key \(key)")
            }
        }
    }

    @Test func scalesAndMapsAreRead() throws {
        try Self.withFiles(Self.scaleOfFive) { scale, map in
            expect(try Tuning(scale: scale), [60: 0, 61: 386.314, 62: 701.955, 63: 1_901.955, 59: 701.955 - 1_901.955])
            expect(
                try Tuning(scale: scale, map: map),
                [60: 0, 61: nil, 62: 701.955, 64: 386.314, 65: 1_901.955, 55: -1_901.955, 127: nil])
        }
        // Without notes all keys sound alike; a map alone has equal temperament, and leaves keys alone.
        try Self.withFiles(("\n0\n", "0\n48\n72\n60\n69\n415.0\n0\n")) { scale, map in
            expect(try Tuning(scale: scale), [0: 0, 60: 0, 127: 0])
            let low = 1_200 * log2(415.0 / 440)
            expect(try Tuning(scale: nil, map: map), [47: -1_300, 48: -1_200 + low, 69: 900 + low, 72: 1_200 + low, 73: 1_300])
        }
        // Negative cents, whole ratios, letters of another encoding in the description.
        try Self.withFolder { folder in
            let bytes: [UInt8] = [0x6D, 0xE9] + Array("\n 2 notes\n -5.0\n 2\n".utf8)
            #expect(Self.write(bytes, to: folder + "/a.scl"))
            expect(try Tuning(scale: folder + "/a.scl"), [61: -5, 62: 1_200, 63: 1_195])
        }
    }

    /// One message for each key that differs: all keys, steps of an octave, or single ones.
    @Test func aTuningIsAFewMessages() throws {
        #expect(try Tuning(frequency: 442).events.count == 1)
        let steps = (1...11).map { "\($0 * 99).5\n" }.joined()
        for (files, count) in [((scale: "\n12\n\(steps)2/1\n", map: ""), 12), (Self.scaleOfFive, 128)] {
            try Self.withFiles(files) { scale, _ in
                let tuning = try Tuning(scale: scale)
                #expect(tuning.events.count == count)
            }
        }
    }

    @Test(arguments: [
        ("", "", "a.scl:1: ends before the number of notes"), ("x\ntwelve\n", "", "a.scl:2: \"twelve\" is not"),
        ("x\n-1\n", "", "a.scl:2: \"-1\""), ("! c\nx\n2\n3/2\n", "", "a.scl:4: ends after 1 of 2 notes"),
        ("x\n2\n3/0\n2\n", "", "a.scl:3: \"3/0\" is no pitch"), ("x\n1\n-4\n", "", "a.scl:3: \"-4\" is no pitch"),
        ("x\n1\nfifth\n", "", "a.scl:3: \"fifth\""), ("x\n1\n1.0.0\n", "", "a.scl:3: \"1.0.0\""),
        ("x\n1\n2\n", "12\n", "a.kbm:1: ends before the first key"),
        ("x\n1\n2\n", "0\n9\n8\n", "a.kbm:3: \"8\" is not the last key"),
        ("x\n1\n2\n", "0\n0\n127\n60\n69\nA\n", "a.kbm:6: \"A\" is no frequency"),
        ("x\n1\n2\n", "1\n0\n127\n60\n69\n440\n1\ny\n", "a.kbm:8: \"y\" is no degree"),
        ("x\n1\n2\n", "2\n0\n127\n60\n61\n440\n1\n0\n", "a.kbm: key 61, whose frequency it gives"),
    ])
    func faultsNameFileAndLine(scale: String, map: String, sentence: String) throws {
        try Self.withFiles((scale, map)) { path, keys in
            do {
                _ = try Tuning(scale: path, map: map.isEmpty ? nil : keys)
                Issue.record("\(sentence) is no fault")
            } catch let fault as Fault {
                #expect(fault.description.contains(sentence) && fault.remedy != nil && fault.kind == .tuning, "\(fault)")
            }
        }
    }
}
