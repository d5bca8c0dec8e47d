internal import RemoteIO

/// What audio of the program is for, and how it wants its device. It is simply there: Apple has it on iOS alone.
///
/// Category, mode and options are stored. Rate and duration are those of engines that start from then on, and what the engine that
/// started last was granted is what is read. What nothing here obeys is one line on standard error. Any thread.
open class AVAudioSession: NSObject {
    /// A kind of use.
    public struct Category: RawRepresentable, Hashable, Sendable {
        public static let ambient = Self(rawValue: AVAudioSessionCategoryAmbient)
        public static let soloAmbient = Self(rawValue: AVAudioSessionCategorySoloAmbient)
        public static let playback = Self(rawValue: AVAudioSessionCategoryPlayback)
        public static let record = Self(rawValue: AVAudioSessionCategoryRecord)
        public static let playAndRecord = Self(rawValue: AVAudioSessionCategoryPlayAndRecord)
        public static let multiRoute = Self(rawValue: AVAudioSessionCategoryMultiRoute)
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// A special kind of use.
    public struct Mode: RawRepresentable, Hashable, Sendable {
        public static let `default` = Self(rawValue: "AVAudioSessionModeDefault")
        public static let voiceChat = Self(rawValue: "AVAudioSessionModeVoiceChat")
        public static let videoRecording = Self(rawValue: "AVAudioSessionModeVideoRecording")
        public static let measurement = Self(rawValue: "AVAudioSessionModeMeasurement")
        public static let moviePlayback = Self(rawValue: "AVAudioSessionModeMoviePlayback")
        public static let spokenAudio = Self(rawValue: "AVAudioSessionModeSpokenAudio")
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// A kind of device. Those here are line inputs and outputs, whatever is plugged in.
    public struct Port: RawRepresentable, Hashable, Sendable {
        public static let lineIn = Self(rawValue: "LineIn"), lineOut = Self(rawValue: "LineOut")
        public static let builtInMic = Self(rawValue: "MicrophoneBuiltIn"), builtInSpeaker = Self(rawValue: "Speaker")
        public static let headsetMic = Self(rawValue: "MicrophoneWired"), headphones = Self(rawValue: "Headphones")
        public static let bluetoothA2DP = Self(rawValue: "BluetoothA2DPOutput"), bluetoothHFP = Self(rawValue: "BluetoothHFP")
        public static let usbAudio = Self(rawValue: "USBAudio"), HDMI = Self(rawValue: "HDMIOutput")
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// How it meets the audio of other programs, and which devices it may use.
    public struct CategoryOptions: OptionSet, Sendable {
        public static let mixWithOthers = CategoryOptions(rawValue: 1), duckOthers = CategoryOptions(rawValue: 2)
        public static let allowBluetooth = CategoryOptions(rawValue: 4), defaultToSpeaker = CategoryOptions(rawValue: 8)
        public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 17)
        public static let allowBluetoothA2DP = CategoryOptions(rawValue: 32), allowAirPlay = CategoryOptions(rawValue: 64)
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }

    /// What other programs hear of when it ends.
    public struct SetActiveOptions: OptionSet, Sendable {
        public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }

    /// What may be done after an interruption: always to go on.
    public struct InterruptionOptions: OptionSet, Sendable {
        public static let shouldResume = InterruptionOptions(rawValue: 1)
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }

    /// Whether the program may record: always.
    public enum RecordPermission: UInt, Sendable {
        case undetermined = 0x756E_6474
        case denied = 0x6465_6E79
        case granted = 0x6772_6E74
    }
    /// Another output port.
    public enum PortOverride: UInt, Sendable {
        case none = 0
        case speaker = 0x7370_6B72
    }
    /// Kinds of interruption: the device is lost, and is back.
    public enum InterruptionType: UInt, Sendable { case ended, began }
    /// Why the route changed; `newDeviceAvailable` and `oldDeviceUnavailable` alone are sent.
    public enum RouteChangeReason: UInt, Sendable {
        case unknown, newDeviceAvailable, oldDeviceUnavailable, categoryChange, `override`
        case wakeFromSleep = 6
        case noSuitableRouteForCategory, routeConfigurationChange
    }

    private static let shared = Carried(AVAudioSession())
    private override init() { super.init() }

    /// The program's session.
    public class func sharedInstance() -> AVAudioSession { shared.value }

    /// What was set.
    public private(set) var category = Category.soloAmbient
    public private(set) var mode = Mode.default
    public private(set) var categoryOptions: CategoryOptions = []
    /// What is preferred: seconds of a slice, and hertz; 0: nothing.
    public private(set) var preferredIOBufferDuration: TimeInterval = 0
    public private(set) var preferredSampleRate: Double = 0
    private var ignored: Set<String> = []

    /// Stores the use; a mode of nil is the one that was set.
    open func setCategory(_ category: Category, mode: Mode? = nil, options: CategoryOptions = []) throws {
        Control.run { (self.category, self.mode, categoryOptions) = (category, mode ?? self.mode, options) }
    }
    /// By the older names.
    open func setCategory(_ category: String, with options: CategoryOptions = []) throws {
        try setCategory(Category(rawValue: category), options: options)
    }
    open func setMode(_ mode: Mode) throws { Control.run { self.mode = mode } }

    /// Engines open their devices themselves; `false` stops the one that started last, and throws `'!act'` if it ran.
    open func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
        guard !active, let engine = Control.run({ SessionState.engine }), engine.isRunning else { return }
        engine.stop()
        throw osError(0x2161_6374, "setActive")
    }

    /// The rate of engines that are made from now on; 1000...768 000.
    open func setPreferredSampleRate(_ sampleRate: Double) throws {
        guard (1_000...768_000).contains(sampleRate) else { throw osError(kAudio_ParamError, "setPreferredSampleRate") }
        Control.run { (preferredSampleRate, SessionState.sampleRate) = (sampleRate, sampleRate) }
    }

    /// The length of a slice of engines that start from now on, above 0; the device grants the nearest of 16...8192 frames.
    open func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
        guard duration.isFinite, duration > 0 else { throw osError(kAudio_ParamError, "setPreferredIOBufferDuration") }
        Control.run {
            preferredIOBufferDuration = duration
            SessionState.sliceFrames = Int(max(16, min(8_192, duration * sampleRate)).rounded())
        }
    }

    /// Without effect: devices have the channels that they have. The first call of each writes one line.
    open func setPreferredInputNumberOfChannels(_ count: Int) throws { ignore("setPreferredInputNumberOfChannels") }
    open func setPreferredOutputNumberOfChannels(_ count: Int) throws { ignore("setPreferredOutputNumberOfChannels") }
    open func overrideOutputAudioPort(_ portOverride: PortOverride) throws { ignore("overrideOutputAudioPort") }
    open func setAllowHapticsAndSystemSoundsDuringRecording(_ inValue: Bool) throws { ignore("allowHaptics") }

    private func ignore(_ call: String) {
        let isFirst = Control.run { ignored.insert(call).inserted }
        if isFirst { report("AVAudioSession: nothing obeys \(call) here") }
    }

    private var grant: DeviceGrant? { Control.run { SessionState.engine?.host?.engine.grant } }

    /// What the engine that runs has, or the next one will ask for: hertz, and seconds of a slice.
    open var sampleRate: Double { Control.run { SessionState.engine?.host?.engine.sampleRate ?? SessionState.sampleRate } }
    open var ioBufferDuration: TimeInterval { Double(grant?.sliceFrames ?? SessionState.sliceFrames) / sampleRate }
    /// Channels of the device, 2 before it is open.
    open var inputNumberOfChannels: Int { grant?.captureChannels ?? 2 }
    open var outputNumberOfChannels: Int { grant?.channels ?? 2 }
    open var maximumInputNumberOfChannels: Int { inputNumberOfChannels }
    open var maximumOutputNumberOfChannels: Int { outputNumberOfChannels }
    open var isInputAvailable: Bool { true }
    open var isOtherAudioPlaying: Bool { false }
    open var outputVolume: Float { 1 }
    /// Seconds until what is rendered now is heard.
    open var outputLatency: TimeInterval { Double(grant?.bufferFrames ?? 768) / sampleRate }
    open var inputLatency: TimeInterval { 0 }
    open var recordPermission: RecordPermission { .granted }
    /// Answers that the program may record.
    open func requestRecordPermission(_ response: @escaping (Bool) -> Void) { response(true) }
    /// The device of the engine that started last.
    open var currentRoute: AVAudioSessionRouteDescription { AVAudioSessionRouteDescription(grant) }

    /// Sent on a thread of the engine's, from its device's events alone: it is lost, is back, or is another one.
    public static let interruptionNotification = Notification.Name("AVAudioSessionInterruptionNotification")
    public static let routeChangeNotification = Notification.Name("AVAudioSessionRouteChangeNotification")
    /// Never sent.
    public static let mediaServicesWereResetNotification = Notification.Name("AVAudioSessionMediaServicesWereResetNotification")
}

/// A device in a route.
open class AVAudioSessionPortDescription: NSObject {
    public let portType: AVAudioSession.Port
    public let portName: String
    open var uid: String { portName }

    init(_ type: AVAudioSession.Port, _ name: String) { (portType, portName) = (type, name) }
}

/// The devices that are open.
open class AVAudioSessionRouteDescription: NSObject {
    public let inputs: [AVAudioSessionPortDescription]
    public let outputs: [AVAudioSessionPortDescription]

    init(_ grant: DeviceGrant?) {
        let isCaptured = (grant?.captureChannels ?? 0) > 0
        inputs = isCaptured ? [AVAudioSessionPortDescription(.lineIn, grant?.device ?? "")] : []
        outputs = grant.map { [AVAudioSessionPortDescription(.lineOut, $0.device)] } ?? []
    }
}

/// What the session and engines share. Guarded by the lock of `Control`.
enum SessionState {
    nonisolated(unsafe) static var sampleRate = 48_000.0
    nonisolated(unsafe) static var sliceFrames = 256
    /// The engine that was started last on a device, whether its device was lost, and the route.
    nonisolated(unsafe) static weak var engine: AVAudioEngine? { didSet { (isLost, route) = (false, now) } }
    private nonisolated(unsafe) static var isLost = false
    private nonisolated(unsafe) static var route = now
    private static var now: AVAudioSessionRouteDescription { AVAudioSessionRouteDescription(engine?.host?.engine.grant) }

    /// Posts what has happened to an engine's device. Without the lock.
    static func follow(_ engine: AVAudioEngine, isLost: Bool, hasChanged: Bool) {
        let known = Control.run { () -> (Bool, AVAudioSessionRouteDescription)? in
            guard engine === Self.engine, hasChanged || isLost != Self.isLost else { return nil }
            defer { (Self.isLost, route) = (isLost, now) }
            return (Self.isLost, route)
        }
        guard let (wasLost, old) = known else { return }
        func post(_ name: Notification.Name, _ info: [String: Any]) {
            NotificationCenter.default.post(name: name, object: AVAudioSession.sharedInstance(), userInfo: info)
        }
        let reason = isLost ? AVAudioSession.RouteChangeReason.oldDeviceUnavailable : .newDeviceAvailable
        post(
            AVAudioSession.routeChangeNotification,
            [AVAudioSessionRouteChangeReasonKey: reason.rawValue, AVAudioSessionRouteChangePreviousRouteKey: old])
        if isLost == wasLost { return }
        let type = isLost ? AVAudioSession.InterruptionType.began : .ended
        let options: AVAudioSession.InterruptionOptions = isLost ? [] : .shouldResume
        post(
            AVAudioSession.interruptionNotification,
            [AVAudioSessionInterruptionTypeKey: type.rawValue, AVAudioSessionInterruptionOptionKey: options.rawValue])
    }
}

/// The older names of categories, and keys of notifications.
public let AVAudioSessionCategoryAmbient = "AVAudioSessionCategoryAmbient"
public let AVAudioSessionCategorySoloAmbient = "AVAudioSessionCategorySoloAmbient"
public let AVAudioSessionCategoryPlayback = "AVAudioSessionCategoryPlayback"
public let AVAudioSessionCategoryRecord = "AVAudioSessionCategoryRecord"
public let AVAudioSessionCategoryPlayAndRecord = "AVAudioSessionCategoryPlayAndRecord"
public let AVAudioSessionCategoryMultiRoute = "AVAudioSessionCategoryMultiRoute"
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"
public let AVAudioSessionRouteChangePreviousRouteKey = "AVAudioSessionRouteChangePreviousRouteKey"

/// The program's recording permission by its newer name.
open class AVAudioApplication: NSObject {
    /// Whether the program may record: always.
    public enum recordPermission: Int, Sendable {
        case undetermined = 0x756E_6474
        case denied = 0x6465_6E79
        case granted = 0x6772_6E74
    }

    private static let one = Carried(AVAudioApplication())
    private override init() { super.init() }
    /// The program.
    public class var shared: AVAudioApplication { one.value }
    public var recordPermission: recordPermission { .granted }
    /// Answers that the program may record.
    public class func requestRecordPermission(completionHandler response: @escaping (Bool) -> Void) { response(true) }
}
