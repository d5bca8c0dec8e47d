/// What Apple's classes answer with an exception: one sentence on standard error, and the call does nothing. With
/// CARILLON_STRICT=1 the program stops there.
enum Refusal {
    static let isStrict = ProcessInfo.processInfo.environment["CARILLON_STRICT"] == "1"

    static func write(_ sentence: String) {
        report("AVFAudio: \(sentence)")
        if isStrict { fatalError(sentence) }
    }

    /// A sentence with Apple's code, unless there is no error.
    static func write(_ status: OSStatus, _ call: @autoclosure () -> String) {
        if status != noErr { write(osError(status, call()).localizedDescription) }
    }
}

/// The domain of errors that are codes of Core Audio.
public let NSOSStatusErrorDomain = "NSOSStatusErrorDomain"

/// An error code as AVFAudio throws it.
func osError(_ status: OSStatus, _ subject: String? = nil) -> NSError {
    let text = "\(subject.map { "\($0): " } ?? "")error \(UInt32(bitPattern: status).fourCharacters)"
    return NSError(domain: NSOSStatusErrorDomain, code: Int(status), userInfo: [NSLocalizedDescriptionKey: text])
}

func check(_ status: OSStatus, _ subject: String? = nil) throws { if status != noErr { throw osError(status, subject) } }
