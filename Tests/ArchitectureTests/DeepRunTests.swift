import Foundation
import Testing

/// `tools/deep`: what is dear is run again where something changed that it guards.
@Suite struct DeepRunTests {
    private static let tool = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../tools/deep")

    @Test(arguments: [
        ("Sources/DSP/Decibels.swift", ["debug-bytes", "old-processor"]), ("Sources/SongFiles/SongReader.swift", ["fuzz"]),
        ("tools/packages.sh", ["bare"]), ("python/carillon/ray.py", ["ray", "wheel"]),
        ("tools/carillon-gateway@.service", ["systemd"]),
        ("README.md", []),
    ]) func aPathCallsForWhatGuardsIt(_ path: String, _ expected: [String]) throws {
        #expect(try Self.due(after: "mkdir -p $(dirname \(path)); touch \(path) && git add . && git commit -qm b") == expected)
        #expect(try Self.due(after: "mkdir -p $(dirname \(path)); touch \(path) && git add .") == expected, "not committed yet")
    }

    @Test func withoutHistoryEverythingIsDue() throws {
        let all = try Self.due(after: "echo 0123456789abcdef0123456789abcdef01234567 >tools/deep-passed")
        #expect(all == ["debug-bytes", "old-processor", "fuzz", "systemd", "ray", "wheel", "bare"])
    }

    /// Words that it says where all passed in a repository's first commit, and `change` was done since.
    private static func due(after change: String) throws -> [String] {
        let process = Process(), output = Pipe()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = [
            "-ec",
            """
            folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"; exec 2>"$folder/errors"
            export GIT_CONFIG_GLOBAL=/dev/null GIT_{AUTHOR,COMMITTER}_{NAME,EMAIL}=a
            mkdir tools; cp "$0" tools/; git init -q; git commit -q --allow-empty -m a; git rev-parse HEAD >tools/deep-passed
            \(change)
            tools/deep --touched
            """, tool.path(),
        ]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return text.split(separator: "\n").map(String.init)
    }
}
