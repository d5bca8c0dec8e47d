import Reports

extension Fault.Kind {
    /// libmysofa is not installed.
    package static let noLibrary = Self("noLibrary", .noInput)
}

/// SOFA files that cannot be used; `code` is the system's `errno`, or libmysofa's, or 0.
extension Fault {
    package static func noLibrary(path: String) -> Fault {
        Fault(
            "libmysofa reads SOFA files, and is not installed", .noLibrary, of: path,
            remedy: "on Debian: apt-get install libmysofa1")
    }
    package static func unreadable(path: String, code: Int32) -> Fault {
        Fault(
            code == 2 ? "there is no such file" : "cannot be read (error \(code) of the system)", code == 2 ? .noInput : .io,
            of: path, remedy: "name a SOFA file in the property head, or install libmysofa1, which brings one")
    }
    static func damaged(path: String, code: Int32) -> Fault {
        Fault(
            "holds no responses of two ears" + (code == 0 ? "" : " (error \(code) of libmysofa)"), .data, of: path,
            remedy: "name another SOFA file in the property head")
    }
}
