import Glibc
import Graphs
import Reports

/// A reason why an audio device cannot be used.
public enum DeviceError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The machine has no sound card at all.
    case noSoundCard(device: String)
    /// There are sound cards, but none of that name.
    case notFound(device: String, cards: [String])
    /// Another program holds it.
    case busy(device: String, owner: String?)
    /// The system does not let this user have it.
    case denied(device: String)
    /// The device cannot do what this program needs.
    case refused(device: String, DeviceFault)
    /// The device's buffer is too short, or its period too long, to be played in slices.
    case buffer(device: String, period: Int, buffer: Int)
    /// The capture side runs at another rate than the playback side.
    case captureRate(device: String, rate: Int, wanted: Int)
    /// The list of devices is empty, or a number in the request makes no sense.
    case request(reason: String)
    /// The device plays at another rate than the one it was to have.
    case rate(device: String, granted: Int, wanted: Int)
    /// The device captures at another rate than the renderer's, and only what plays is converted.
    case inputRate(device: String, rate: Int, renderer: Int)
    /// The rates of renderer and device cannot be converted.
    case conversion(device: String, from: Int, to: Int, reason: String)
    /// Another output pulls the renderer.
    case alreadyPulled
    /// The system gives no thread; the error number.
    case noThread(code: Int32)
    /// A library that the device is reached through is not installed; where to get it.
    case missingLibrary(device: String, library: String, package: String)
    /// The sound server that the device is reached through does not run, or does not answer.
    case noServer(device: String, server: String, remedy: String)
    /// The library of the sound server does not return from a call, of this device or an earlier one.
    case unresponsive(device: String)
    /// Something else that libasound reports.
    case failed(device: String, DeviceFault)

    public var description: String {
        switch self {
        case .noSoundCard(let device):
            "\(device): this machine has no sound card; connect one, or choose the device null to run without sound"
        case .notFound(let device, let cards):
            "\(device): no such audio device; there is \(cards.isEmpty ? "none" : cards.joined(separator: ", ")) "
                + "(see carillon devices)"
        case .busy(let device, let owner):
            "\(device): in use by \(owner ?? "another program"); end that, or choose another device"
        case .denied(let device):
            "\(device): permission denied; join the group audio (sudo adduser $USER audio) and log in again"
        case .refused(let device, let fault):
            "\(device): the device does not accept the request: \(fault); see carillon devices for what it can do"
        case .buffer(let device, let period, let buffer):
            "\(device): works in periods of \(period) frames and a buffer of \(buffer), which cannot be used; choose "
                + "another period, or another device"
        case .captureRate(let device, let rate, let wanted):
            "\(device): captures at \(rate) Hz, but plays at \(wanted) Hz; choose that rate, or another device"
        case .rate(let device, let granted, let wanted):
            "\(device): plays at \(granted) Hz, not at the \(wanted) Hz that it was to have; leave the rate to the device, "
                + "which is converted to, or choose another device"
        case .inputRate(let device, let rate, let renderer):
            "\(device): captures at \(rate) Hz where the renderer runs at \(renderer) Hz, and what is captured is not "
                + "converted; make an engine of \(rate) Hz"
        case .request(let reason): reason
        case .conversion(let device, let from, let to, let reason):
            "\(device): \(from) Hz cannot be converted to \(to) Hz: \(reason); choose a rate of \(to) Hz"
        case .alreadyPulled: PullError.alreadyPulled.description
        case .noThread(let code): "no thread for audio: \(String(cString: strerror(code)))"
        case .missingLibrary(let device, let library, let package):
            "\(device): \(library) is not installed; on Debian: apt-get install \(package)"
        case .noServer(let device, let server, let remedy):
            "\(device): no \(server) answers; \(remedy), or choose another device"
        case .unresponsive(let device):
            "\(device): the sound server or driver does not answer; restart it, and then this program, or choose another device"
        case .failed(let device, let fault): "\(device): \(fault); see carillon devices, or choose another device"
        }
    }

    /// The system's error number, for a state that is kept as a number; EINVAL if there is none.
    public var code: Int32 {
        switch self {
        case .noSoundCard, .notFound, .missingLibrary: ENODEV
        case .noServer: ECONNREFUSED
        case .unresponsive: ETIMEDOUT
        case .busy: EBUSY
        case .denied: EACCES
        case .refused(_, let fault), .failed(_, let fault): fault.code
        case .noThread(let code): code
        case .captureRate, .request, .conversion, .buffer, .rate, .inputRate, .alreadyPulled: EINVAL
        }
    }
}

extension DeviceError: ClassifiedError {
    /// The class of a fault that is made of it.
    public var exit: Fault.Exit {
        switch self {
        case .request: .usage
        case .noSoundCard, .notFound, .busy, .denied, .refused, .buffer, .captureRate, .conversion, .noThread, .failed, .rate,
            .missingLibrary, .noServer, .unresponsive, .inputRate:
            .unavailable
        case .alreadyPulled: .software
        }
    }
}
