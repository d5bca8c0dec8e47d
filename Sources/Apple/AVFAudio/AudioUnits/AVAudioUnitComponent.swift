/// Names of types and makers of audio units, as `AVAudioUnitComponent` has them.
public let AVAudioUnitTypeOutput = "Output"
public let AVAudioUnitTypeMusicDevice = "Music Device"
public let AVAudioUnitTypeMusicEffect = "Music Effect"
public let AVAudioUnitTypeFormatConverter = "Format Converter"
public let AVAudioUnitTypeEffect = "Effect"
public let AVAudioUnitTypeMixer = "Mixer"
public let AVAudioUnitTypePanner = "Panner"
public let AVAudioUnitTypeGenerator = "Generator"
public let AVAudioUnitTypeOfflineEffect = "Offline Effect"
public let AVAudioUnitTypeMIDIProcessor = "MIDI Processor"
public let AVAudioUnitManufacturerNameApple = "Apple"

/// What is known of an audio unit before it is made.
open class AVAudioUnitComponent: NSObject {
    public let audioComponent: AudioComponent

    init(_ component: AudioComponent) { audioComponent = component }

    open var audioComponentDescription: AudioComponentDescription {
        var description = AudioComponentDescription()
        AudioComponentGetDescription(audioComponent, &description)
        return description
    }
    /// Maker and unit.
    var names: [String] {
        var name: Unmanaged<CFString>?
        AudioComponentCopyName(audioComponent, &name)
        let text = name?.takeRetainedValue() as String? ?? ""
        return text.split(separator: ": ", maxSplits: 1).map(String.init)
    }
    open var name: String { names.last ?? "" }
    open var manufacturerName: String { names.first ?? "" }
    open var version: Int {
        var version: UInt32 = 0
        AudioComponentGetVersion(audioComponent, &version)
        return Int(version)
    }
    /// As 1.0.0.
    open var versionString: String { "\(version >> 16).\(version >> 8 & 255).\(version & 255)" }
    open var typeName: String {
        let names = [
            kAudioUnitType_Output: AVAudioUnitTypeOutput, kAudioUnitType_MusicDevice: AVAudioUnitTypeMusicDevice,
            kAudioUnitType_MusicEffect: AVAudioUnitTypeMusicEffect,
            kAudioUnitType_FormatConverter: AVAudioUnitTypeFormatConverter,
            kAudioUnitType_Effect: AVAudioUnitTypeEffect, kAudioUnitType_Mixer: AVAudioUnitTypeMixer,
            kAudioUnitType_Panner: AVAudioUnitTypePanner, kAudioUnitType_Generator: AVAudioUnitTypeGenerator,
            kAudioUnitType_OfflineEffect: AVAudioUnitTypeOfflineEffect,
            kAudioUnitType_MIDIProcessor: AVAudioUnitTypeMIDIProcessor,
        ]
        return names[audioComponentDescription.componentType] ?? ""
    }
    open var localizedTypeName: String { typeName }
    /// Its type's name alone.
    open var allTagNames: [String] { [typeName] }
    open var hasMIDIInput: Bool {
        [kAudioUnitType_MusicDevice, kAudioUnitType_MusicEffect].contains(audioComponentDescription.componentType)
    }
}

/// Finds audio units.
open class AVAudioUnitComponentManager: NSObject {
    private nonisolated(unsafe) static let one = AVAudioUnitComponentManager()

    open class func shared() -> AVAudioUnitComponentManager { one }

    /// The tags that some unit has, in their order.
    open var tagNames: [String] { Set(components(matching: AudioComponentDescription()).flatMap(\.allTagNames)).sorted() }

    /// The units that a description asks for; zeros match any.
    open func components(matching desc: AudioComponentDescription) -> [AVAudioUnitComponent] {
        var wanted = desc, found: [AVAudioUnitComponent] = [], last: AudioComponent?
        while let next = AudioComponentFindNext(last, &wanted) {
            found.append(AVAudioUnitComponent(next))
            last = next
        }
        return found
    }

    /// The units that pass a test, which may end the search.
    open func components(
        passingTest testHandler: (AVAudioUnitComponent, UnsafeMutablePointer<ObjCBool>) -> Bool
    ) -> [AVAudioUnitComponent] {
        var isOver = ObjCBool(false), found: [AVAudioUnitComponent] = []
        for component in components(matching: AudioComponentDescription()) where !isOver.boolValue {
            if testHandler(component, &isOver) { found.append(component) }
        }
        return found
    }
}
