/// What audio of the program is for, and how it wants its device. What nothing obeys is stored.
///
/// The preferred rate is that of engines that are made from then on. The rest of what the device has is asked of the engine.
open class AVAudioSession: NSObject {
    /// A kind of use.
    public struct Category: RawRepresentable, Hashable, Sendable {
        public static let ambient = Category(rawValue: AVAudioSessionCategoryAmbient)
        public static let soloAmbient = Category(rawValue: AVAudioSessionCategorySoloAmbient)
        public static let playback = Category(rawValue: AVAudioSessionCategoryPlayback)
        public static let record = Category(rawValue: AVAudioSessionCategoryRecord)
        public static let playAndRecord = Category(rawValue: AVAudioSessionCategoryPlayAndRecord)
        public static let multiRoute = Category(rawValue: AVAudioSessionCategoryMultiRoute)
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// A special kind of use.
    public struct Mode: RawRepresentable, Hashable, Sendable {
        public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
        public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
        public static let videoRecording = Mode(rawValue: "AVAudioSessionModeVideoRecording")
        public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
        public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
        public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// How it meets the audio of other programs, and which devices it may use.
    public struct CategoryOptions: OptionSet, Sendable {
        public static let mixWithOthers = CategoryOptions(rawValue: 1)
        public static let duckOthers = CategoryOptions(rawValue: 2)
        public static let allowBluetooth = CategoryOptions(rawValue: 4)
        public static let defaultToSpeaker = CategoryOptions(rawValue: 8)
        public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 17)
        public static let allowBluetoothA2DP = CategoryOptions(rawValue: 32)
        public static let allowAirPlay = CategoryOptions(rawValue: 64)
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }

    /// What other programs hear of when it ends.
    public struct SetActiveOptions: OptionSet, Sendable {
        public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
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
    /// Kinds of interruption.
    public enum InterruptionType: UInt, Sendable { case ended, began }
    /// Why the route changed.
    public enum RouteChangeReason: UInt, Sendable {
        case unknown, newDeviceAvailable, oldDeviceUnavailable, categoryChange, `override`
        case wakeFromSleep = 6
        case
            noSuitableRouteForCategory, routeConfigurationChange
    }

    private static let shared = Carried(AVAudioSession())
    private override init() { super.init() }

    /// The program's session.
    public class func sharedInstance() -> AVAudioSession { shared.value }

    /// What was set.
    public private(set) var category = Category.soloAmbient
    public private(set) var mode = Mode.default
    public private(set) var categoryOptions: CategoryOptions = []
    /// True between activations.
    private(set) var isActive = false
    /// What is preferred: seconds of a slice, and hertz.
    public private(set) var preferredIOBufferDuration: TimeInterval = 0
    public private(set) var preferredSampleRate: Double = 0

    /// Stores the use; nothing obeys it.
    open func setCategory(_ category: Category) throws { try setCategory(category, mode: mode, options: []) }
    open func setCategory(_ category: Category, options: CategoryOptions) throws {
        try setCategory(category, mode: mode, options: options)
    }
    open func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
        (self.category, self.mode, categoryOptions) = (category, mode, options)
    }
    /// By the older names.
    open func setCategory(_ category: String) throws { try setCategory(Category(rawValue: category)) }
    open func setCategory(_ category: String, with options: CategoryOptions) throws {
        try setCategory(Category(rawValue: category), options: options)
    }
    open func setMode(_ mode: Mode) throws { self.mode = mode }
    /// Stores the activation; engines open their devices themselves.
    open func setActive(_ active: Bool, options: SetActiveOptions = []) throws { isActive = active }

    /// The rate of engines that are made from now on; 1000...768 000.
    open func setPreferredSampleRate(_ sampleRate: Double) throws {
        guard (1_000...768_000).contains(sampleRate) else { throw osError(kAudio_ParamError, "setPreferredSampleRate") }
        Control.run { (preferredSampleRate, SessionState.sampleRate) = (sampleRate, sampleRate) }
    }
    /// Stored: a slice has 256 frames.
    open func setPreferredIOBufferDuration(_ duration: TimeInterval) throws { preferredIOBufferDuration = duration }
    open func setPreferredInputNumberOfChannels(_ count: Int) throws {}
    open func setPreferredOutputNumberOfChannels(_ count: Int) throws {}
    open func overrideOutputAudioPort(_ portOverride: PortOverride) throws {}

    /// What engines have: their rate, slice and channels.
    open var sampleRate: Double { Control.run { SessionState.sampleRate } }
    open var ioBufferDuration: TimeInterval { 256 / sampleRate }
    open var inputNumberOfChannels: Int { 2 }
    open var outputNumberOfChannels: Int { 2 }
    open var maximumInputNumberOfChannels: Int { 2 }
    open var maximumOutputNumberOfChannels: Int { 2 }
    open var isInputAvailable: Bool { true }
    open var isOtherAudioPlaying: Bool { false }
    open var outputVolume: Float { 1 }
    open var inputLatency: TimeInterval { 0 }
    open var outputLatency: TimeInterval { 768 / sampleRate }
    open var recordPermission: RecordPermission { .granted }
    /// Answers that the program may record.
    open func requestRecordPermission(_ response: @escaping (Bool) -> Void) { response(true) }

    /// Notifications of Apple's names; engines here send `AVAudioEngineConfigurationChange`.
    public static let interruptionNotification = Notification.Name("AVAudioSessionInterruptionNotification")
    public static let routeChangeNotification = Notification.Name("AVAudioSessionRouteChangeNotification")
    public static let mediaServicesWereResetNotification = Notification.Name("AVAudioSessionMediaServicesWereResetNotification")
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
