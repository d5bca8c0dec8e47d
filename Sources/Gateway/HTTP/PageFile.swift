import CPageData
import NIOCore
import NIOHTTP1

/// A file of the page, which is part of the program.
struct PageFile {
    let type: String
    private let bytes: ByteBuffer
    private let tag: String

    /// Returns nil if no file of the page. The paths are those of a table: nothing is opened.
    static func named(_ path: String) -> PageFile? { all[path] }

    private static let all: [String: PageFile] = {
        var files: [String: PageFile] = [:]
        for index in 0..<carillon_page_count() {
            let file = carillon_page_file(index), name = String(cString: file.name)
            let bytes = UnsafeRawBufferPointer(start: file.bytes, count: file.size)
            let page = PageFile(type: type(of: name), bytes: ByteBuffer(bytes: bytes), tag: tag(of: bytes))
            files[name == "index.html" ? "/" : "/page/\(name)"] = page
        }
        return files
    }()

    /// The file, or that it is what the other side has already.
    func response(to head: HTTPRequestHead) -> GatewayResponse {
        let headers = [("ETag", tag), ("Cache-Control", "no-cache")]
        if head.headers.first(name: "if-none-match") == tag {
            return GatewayResponse(.notModified, type, ByteBuffer(), headers: headers)
        }
        return GatewayResponse(.ok, type, bytes, headers: headers)
    }

    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "webmanifest": "application/manifest+json"
        default: "application/octet-stream"
        }
    }

    /// FNV-1a over the bytes (Fowler, Noll, Vo): another file has another.
    private static func tag(of bytes: UnsafeRawBufferPointer) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return "\"\(String(hash, radix: 16))\""
    }
}
