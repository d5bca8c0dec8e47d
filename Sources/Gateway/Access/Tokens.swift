import Glibc

/// The tokens that give access, each with its rights.
public struct Tokens: Sendable {
    /// The rights of a client.
    public enum Role: String, Sendable {
        /// Steer and look.
        case full
        /// Look.
        case reader
    }

    private static let mostBytes = 65_536
    private let tokens: [(role: Role, bytes: [UInt8])]

    /// Tokens and their roles; only those of files are looked at.
    init(_ tokens: [(Role, String)]) { self.tokens = tokens.map { ($0, Array($1.utf8)) } }

    /// Reads a file in which each line is `full TOKEN` or `reader TOKEN`; `#` begins a remark.
    ///
    /// - Throws: `tokenFile` if it cannot be read, others than its owner could read it, or a line is something else.
    public init(path: String) throws(GatewayError) {
        func fault(_ reason: String) -> GatewayError { .tokenFile(path: path, reason: reason) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        if descriptor < 0 { throw fault(String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var info = stat()
        if fstat(descriptor, &info) != 0 { throw fault(String(cString: strerror(errno))) }
        if info.st_mode & S_IFMT != S_IFREG { throw fault("is no file") }
        if info.st_mode & (Self.isHandedOver(path) ? 0o037 : 0o077) != 0 {
            throw fault("others can read the tokens: chmod 600 \(path)")
        }
        var bytes = [UInt8](repeating: 0, count: Self.mostBytes)
        let count = read(descriptor, &bytes, bytes.count)
        if count < 0 { throw fault(String(cString: strerror(errno))) }
        guard let text = String(validating: bytes[..<count], as: UTF8.self) else { throw fault("is no text") }
        var tokens: [(Role, String)] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
            if words.isEmpty { continue }
            guard words.count == 2, let role = Role(rawValue: String(words[0])) else {
                throw fault("line \(index + 1): write full TOKEN or reader TOKEN")
            }
            guard words[1].utf8.allSatisfy(Self.isSign) else {
                throw fault("line \(index + 1): a token has letters, digits and - . _ ~ + / = only")
            }
            let bits = TokenStrength.bits(words[1].utf8)
            if bits < TokenStrength.least {
                throw fault(
                    "line \(index + 1): this token has about \(Int(bits)) bits, and needs \(Int(TokenStrength.least)) so that "
                        + "it cannot be guessed; openssl rand -hex 16 makes one")
            }
            tokens.append((role, String(words[1])))
        }
        if tokens.isEmpty { throw fault("has no token; write a line like: full \(String(repeating: "x", count: 4))...") }
        self.init(tokens)
    }

    /// Returns true if a service manager has passed a file to this process, in a folder of its own. If it does so by an
    /// access list, that shows in the rights of the group.
    private static func isHandedOver(_ path: String) -> Bool {
        guard let folder = getenv("CREDENTIALS_DIRECTORY").map({ String(cString: $0) }), !folder.isEmpty else { return false }
        return path.hasPrefix(folder + "/") && !path.dropFirst(folder.count + 1).contains("/")
    }

    /// Returns true if a header and a cookie carry a byte unchanged (RFC 6750, 2.1).
    private static func isSign(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._~+/=".utf8.contains(byte)
        }
    }

    func role(of shown: some Sequence<UInt8>) -> Role? { find(shown)?.role }

    /// Finds a token: its number and its rights; nil if there is none. The time does not depend on the text: every byte of
    /// every token is compared, even after a difference.
    func find(_ shown: some Sequence<UInt8>) -> (number: Int, role: Role)? {
        let shown = Array(shown.prefix(1024))
        var found: (number: Int, role: Role)?
        for (number, (role, bytes)) in tokens.enumerated() {
            var difference = UInt(bitPattern: bytes.count ^ shown.count)
            for index in bytes.indices {
                difference |= UInt(bytes[index] ^ (shown.isEmpty ? 0 : shown[index % shown.count]))
            }
            if difference == 0, found == nil { found = (number, role) }
        }
        return found
    }
}
