import CPageData
import Foundation
import Testing

@testable import Gateway

/// Addresses, tokens, and the files of the page.
@Suite struct AccessTests {
    @Test func addressesAreRead() throws {
        for (text, host, port, isLoopback) in [
            ("8080", "127.0.0.1", 8080, true), ("127.0.0.1:1", "127.0.0.1", 1, true), ("[::1]:80", "::1", 80, true),
            ("0.0.0.0:80", "0.0.0.0", 80, false), ("localhost:9", "127.0.0.1", 9, true),
            ("192.168.1.2:9", "192.168.1.2", 9, false),
            ("[::]:9", "::", 9, false), ("127.8.8.8:9", "127.8.8.8", 9, true), ("0", "127.0.0.1", 0, true),
        ] {
            let address = try ListenAddress(text)
            #expect(address.host == host && address.port == port && address.isLoopback == isLoopback, "\(text)")
        }
        for text in ["", ":", ":80", "x", "65536", "-1", "1.2.3:80", "::1:80", "host:80", "127.0.0.1:", "[::1]", "+80"] {
            #expect(throws: GatewayError.address(text)) { try ListenAddress(text) }
        }
    }

    @Test func whatOthersReachAsksForATokenBeforeAnythingListens() throws {
        let address = try ListenAddress("0.0.0.0:0")
        #expect(throws: GatewayError.needsToken(address: "0.0.0.0:0")) {
            try Gateway(Gateway.Options(socket: "/tmp/s", addresses: [address]))
        }
        #expect(throws: GatewayError.socketPath("")) {
            try Gateway(Gateway.Options(socket: "", addresses: [try ListenAddress("0")]))
        }
        let long = String(repeating: "a", count: 200)
        #expect(throws: GatewayError.socketPath(long)) { try Gateway(Gateway.Options(socket: long, addresses: [])) }
        let open = try OpenSession(hasSession: false)
        let taken = try ListenAddress("\(open.port)")
        #expect(throws: GatewayError.self) { try Gateway(Gateway.Options(socket: "/tmp/s", addresses: [taken])) }
    }

    @Test func aFileOfTokensIsReadAndIsItsOwnersAlone() throws {
        let path = NSTemporaryDirectory() + "carillon-tokens-\(UUID())"
        defer { unlink(path) }
        func write(_ text: String, mode: mode_t = 0o600) {
            unlink(path)
            let descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
            _ = text.withCString { Foundation.write(descriptor, $0, strlen($0)) }
            close(descriptor)
            chmod(path, mode)
        }
        func fault() -> String {
            do {
                _ = try Tokens(path: path)
                return ""
            } catch { return "\(error)" }
        }
        let full = "0123456789abcdef0123456789abcdef", reader = "fedcba9876543210fedcba9876543210"
        write("# who may\nfull \(full)  # the stage\n\nreader \(reader)\n")
        let tokens = try Tokens(path: path)
        #expect(tokens.role(of: full.utf8) == .full && tokens.role(of: reader.utf8) == .reader)
        for wrong in ["", "0", String(full.dropLast()), full + "0", full.dropLast() + "F", full + full] {
            #expect(tokens.role(of: wrong.utf8) == nil, "\(wrong)")
        }
        write("full \(full)\n", mode: 0o640)
        #expect(fault().contains("chmod 600"))
        // What can be guessed is refused, with what makes a good one.
        write("reader \(reader)\nfull short\n")
        #expect(fault().contains("line 2") && fault().contains("openssl rand -hex 16"))
        write("full \(full);\n")
        #expect(fault().contains("line 1: a token has letters"))
        write("# nothing\n")
        #expect(fault().contains("no token"))
        write("king \(full)\n")
        #expect(fault().contains("line 1: write full TOKEN"))
        unlink(path)
        #expect(fault().contains("No such file"))
    }

    @Test func aTokenHasTheBitsOfItsLetters() {
        for (token, isGood) in [
            ("0123456789abcdef0123456789abcdef", true), ("0123456789abcdef0123456789abcde", false),
            ("0123456789ABCDEF0123456789ABCDEF", true),
            // 16 bytes in base64, of either alphabet, with and without what fills it up.
            ("J5ZkNcPqXwVb2mTgYrLs8A", true), ("J5ZkNcPqXwVb2mTgYrLs8A==", true), ("J5ZkNc-qXwVb_mTgYrLs8A", true),
            ("J5ZkNcPqXwVb2mTgYrLs", false),
            ("JaZkNcPqXwVbmmTgYrLsAA", true), ("mfrggzdfmztwq2lkobzg6zdfmy", true), ("mfrggzdfmztwq2lkobzg6", false),
            ("550e8400-e29b-41d4-a716-446655440000", true), ("0123456789abcdef", false), ("the-museum-at-night", false),
            (String(repeating: "a", count: 80), false), (String(repeating: "abc1", count: 15), false), ("", false),
            ("314159265358979323846264338327950288419", true),
        ] { #expect((TokenStrength.bits(token.utf8) >= TokenStrength.least) == isGood, "\(token)") }
    }

    @Test func aProxyIsAHostsNumber() throws {
        var options = Gateway.Options(socket: "/tmp/s", addresses: [try ListenAddress("0")])
        options.proxies = ["127.0.0.1", "proxy.example"]
        #expect(throws: GatewayError.proxy("proxy.example")) { try Gateway(options) }
    }

    @Test func everyFileOfThePageIsInTheProgram() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/CPageData/page")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let held = (0..<carillon_page_count()).map { String(cString: carillon_page_file($0).name) }
        #expect(names == held.sorted())
        for index in 0..<carillon_page_count() {
            let file = carillon_page_file(index)
            let written = try Data(contentsOf: folder.appending(path: String(cString: file.name)))
            #expect(written == Data(bytes: file.bytes, count: file.size), "\(String(cString: file.name))")
        }
    }

    /// The icons of home screens are pictures of the size that their names and the manifest say.
    @Test(arguments: [192, 512]) func anIconIsAsLargeAsItIsCalled(size: Int) throws {
        let name = "icon-\(size).png", page = try #require(PageFile.named("/page/\(name)"))
        #expect(page.type == "image/png")
        let index = try #require((0..<carillon_page_count()).first { String(cString: carillon_page_file($0).name) == name })
        let file = carillon_page_file(index), bytes = [UInt8](UnsafeRawBufferPointer(start: file.bytes, count: file.size))
        #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        // The header of a PNG tells width and height behind its sixteenth byte.
        for offset in [16, 20] { #expect(bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } == size) }
    }

    @Test func textIsQuotedAndUnquoted() {
        for text in ["", "a", "a\"b\\c", "a\nb\tc", "\u{1}ü🎵"] {
            #expect(GatewayResponse.unquoted(GatewayResponse.quoted(text)) == text)
        }
        for wrong in ["", "\"", "a", "\"a\\", "{\"a\":1}"] { #expect(GatewayResponse.unquoted(wrong) == nil, "\(wrong)") }
    }
}
