internal import EngineCore
internal import UnitAPI

/// Apple's codes for what the engine refuses.
enum UnitFaults {
    struct Refusal: Error {
        let status: OSStatus
        init(_ status: OSStatus) { self.status = status }
    }

    static func status(of error: any Error) -> OSStatus {
        if let refusal = error as? Refusal { return refusal.status }
        report("\(error)")
        return kAudioUnitErr_FailedInitialization
    }

    /// Runs a call, and answers the code of what it throws.
    static func status(_ body: () throws -> Void) -> OSStatus {
        do { try body() } catch { return status(of: error) }
        return noErr
    }

    /// Throws a code that is an error's.
    static func check(_ status: OSStatus) throws { if status != noErr { throw Refusal(status) } }
}

typealias Refusal = UnitFaults.Refusal
