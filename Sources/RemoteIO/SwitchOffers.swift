/// The offers of devices further up the list that may be made to the audio thread now: one that was taken and did not last is
/// not offered again for a pause that grows, so that a device which opens and then fails does not interrupt a working one for
/// ever. Pure; the thread that looks for devices.
package struct SwitchOffers: Sendable, Equatable {
    /// The first pause after an offer and the longest, nanoseconds.
    package static let firstPause: Int64 = 10_000_000_000
    package static let longestPause: Int64 = 300_000_000_000
    /// The time that a device must have been seen playing for its offers to be forgotten, nanoseconds.
    package static let probation: Int64 = 10_000_000_000

    private var pauses: [Int64]
    private var nextOffers: [Int64]
    private var playing = -1
    private var playingSince: Int64 = 0

    /// Creates a record without offers, for a list of `deviceCount` devices.
    package init(deviceCount: Int) {
        pauses = Array(repeating: 0, count: max(0, deviceCount))
        nextOffers = Array(repeating: Int64.min, count: max(0, deviceCount))
    }

    /// Takes note of what plays at `now` (nanoseconds of CLOCK_MONOTONIC): a device's index, or nil while none does.
    package mutating func saw(_ device: Int?, at now: Int64) {
        guard let device, pauses.indices.contains(device) else {
            playing = -1
            return
        }
        if device != playing {
            playing = device
            playingSince = now
        } else if now &- playingSince >= SwitchOffers.probation {
            pauses[device] = 0
            nextOffers[device] = Int64.min
        }
    }

    /// Returns true if the device may be offered at `now`.
    package func isAllowed(_ device: Int, at now: Int64) -> Bool {
        pauses.indices.contains(device) && now >= nextOffers[device]
    }

    /// Takes note that the device was offered at `now`: the next offer is not before 10 s, then 20, 40, ... 300.
    package mutating func offered(_ device: Int, at now: Int64) {
        guard pauses.indices.contains(device) else { return }
        let doubled = pauses[device] &* 2
        pauses[device] = min(max(doubled, SwitchOffers.firstPause), SwitchOffers.longestPause)
        nextOffers[device] = now &+ pauses[device]
    }
}
