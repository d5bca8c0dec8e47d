import Foundation
import TestFolders
import Testing

/// The container's files say what the programs understand.
@Suite struct ContainerTests {
    private let folder = TemporaryFolder()

    private static func file(_ name: String) throws -> String {
        try String(contentsOfFile: Program.package + "/tools/container/" + name, encoding: .utf8)
    }

    private static func options(in text: Substring) -> [String] {
        text.matches(of: /--[a-z][a-z-]+/).map { String($0.output) }
    }

    @Test func theInstallationsOptionsAreThoseOfServe() throws {
        let lines = try Self.file("Containerfile").split(separator: "\n")
        let command = try #require(lines.last(where: { $0.hasPrefix("CMD") }))
        let help = Program.run(["serve", "--help"], in: folder).text, used = Self.options(in: command)
        #expect(!used.isEmpty && used.allSatisfy { help.contains($0) }, "\(used)")
    }

    /// Both containers meet at the socket that the image names.
    @Test func theGatewayReachesTheSession() throws {
        let image = try Self.file("Containerfile"), compose = try Self.file("compose.yaml")
        let socket = try #require(image.firstMatch(of: /CARILLON_CONTROL=(\S+)/)?.output.1)
        let lines = compose.split(separator: "\n")
        let entry = try #require(lines.first(where: { $0.contains("entrypoint:") }))
        #expect(entry.contains("--control, \(socket)") && image.contains("\"--control\", \"\(socket)\""))
        let folder = socket.split(separator: "/").dropLast().joined(separator: "/")
        #expect(compose.components(separatedBy: "- control:/\(folder)\n").count == 3)
        #expect(Self.options(in: entry) == ["--control", "--listen", "--token-file"])
    }
}
