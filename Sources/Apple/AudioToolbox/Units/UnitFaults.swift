internal import EngineCore
internal import UnitAPI

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

    static func status(_ body: () throws -> Void) -> OSStatus {
        do { try body() } catch { return status(of: error) }
        return noErr
    }

    static func check(_ status: OSStatus) throws { if status != noErr { throw Refusal(status) } }
}

typealias Refusal = UnitFaults.Refusal
