import Foundation
import Testing

/// The units that a service manager starts an installation and its gateway with.
@Suite struct ServiceUnitTests {
    private static let judge = "/usr/bin/systemd-analyze"

    /// Systemd's own measure, from 0 to 10; a service that says nothing of its rights has 9.6.
    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: judge), "systemd-analyze is not installed"),
        // Whatever comes over the network is to find less than whatever plays.
        arguments: [("carillon", 4), ("carillon-gateway", 2)])
    func itHasFewRights(_ program: String, _ most: Double) throws {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let unit = try String(contentsOf: package.appending(path: "tools/\(program)@.service"), encoding: .utf8)
        let folder = try InstallationInTime.folder([])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // The program need not be there to be judged; its path has to be one.
        let path = folder + "/\(program)@museum.service"
        try unit.replacing("@PREFIX@/bin/\(program)", with: "/bin/true").write(toFile: path, atomically: true, encoding: .utf8)
        let process = Process(), pipe = Pipe()
        process.executableURL = URL(filePath: Self.judge)
        process.arguments = ["security", "--offline=true", "--no-pager", path]
        (process.standardOutput, process.standardError) = (pipe, FileHandle.nullDevice)
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let level = try #require(text.firstMatch(of: /exposure level for .*: ([0-9.]+)/), "\(text)").output.1
        #expect(try #require(Double(level)) <= most)
    }
}
