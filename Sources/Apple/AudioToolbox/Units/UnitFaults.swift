internal import EngineCore
internal import UnitAPI

/// Apple's codes for what the engine refuses.
enum UnitFaults {
    struct Refusal: Error { let status: OSStatus }

    static func status(of error: any Error) -> OSStatus {
        if let refusal = error as? Refusal { return refusal.status }
        report("\(error)")
        return kAudioUnitErr_FailedInitialization
    }
}
