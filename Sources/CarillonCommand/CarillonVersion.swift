import CProgram

/// The program's version, set only here.
enum CarillonVersion {
    static let number = "0.2.0"

    /// What it was built from too: "0.2.0 (645e4a6, release, x86-64)".
    static var text: String {
        #if arch(x86_64)
            let processor = "x86-64"
        #elseif arch(arm64)
            let processor = "arm64"
        #else
            let processor = "another processor"
        #endif
        let build = String(cString: program_build())
        return "\(number) (\(build.isEmpty ? "" : build + ", ")\(processor))"
    }
}
