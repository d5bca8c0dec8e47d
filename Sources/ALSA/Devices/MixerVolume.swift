import CALSA
import Glibc
import RemoteIO
import Reports

/// A control of a sound card's mixer, by the simple mixer interface of libasound: the one file that calls `snd_mixer_*`. Closed
/// with the object.
final class MixerVolume: CardVolume {
    /// Controls that mean all of what a card plays, best first; without one of them the first with a volume is taken.
    private static let usual = ["Master", "PCM", "Speaker", "Headphone", "Digital", "Line Out", "Front"]

    let name: String
    let names: [String]
    let steps: ClosedRange<Int>
    let decibels: ClosedRange<Int>?
    private let mixer: OpaquePointer
    private let element: OpaquePointer

    init(of device: String, control wanted: String?) throws(Fault) {
        let mixer: OpaquePointer
        do { mixer = try Self.open(HardwareVolume.card(of: device)) } catch { throw .noCard(device: device, error) }
        let found = Self.controls(mixer), names = found.map(\.name)
        let name = wanted ?? Self.usual.first { names.contains($0) } ?? names.first
        guard let name, let chosen = found.first(where: { $0.name == name }) else {
            snd_mixer_close(mixer)
            if let wanted, !names.isEmpty { throw .noControl(device: device, name: wanted, known: names) }
            throw .noVolume(device: device)
        }
        var low = 0, high = 0
        do {
            try Self.check(
                "snd_mixer_selem_get_playback_volume_range",
                snd_mixer_selem_get_playback_volume_range(chosen.element, &low, &high))
        } catch {
            snd_mixer_close(mixer)
            throw .failed(device: device, error)
        }
        steps = low...max(low, high)
        let hasDecibels = snd_mixer_selem_get_playback_dB_range(chosen.element, &low, &high) == 0 && low < high
        decibels = hasDecibels ? low...high : nil
        (self.name, self.names, self.mixer, element) = (name, names, mixer, chosen.element)
    }

    deinit { snd_mixer_close(mixer) }

    private static func open(_ control: String) throws(DeviceFault) -> OpaquePointer {
        var memory: OpaquePointer?
        try check("snd_mixer_open", snd_mixer_open(&memory, 0))
        guard let mixer = memory else { throw DeviceFault("snd_mixer_open", -ENOMEM) }
        do throws(DeviceFault) {
            try check("snd_mixer_attach", snd_mixer_attach(mixer, control))
            try check("snd_mixer_selem_register", snd_mixer_selem_register(mixer, nil, nil))
            try check("snd_mixer_load", snd_mixer_load(mixer))
        } catch {
            snd_mixer_close(mixer)
            throw error
        }
        return mixer
    }

    private static func controls(_ mixer: OpaquePointer) -> [(name: String, element: OpaquePointer)] {
        var found: [(String, OpaquePointer)] = [], next = snd_mixer_first_elem(mixer)
        while let element = next {
            if snd_mixer_selem_is_active(element) != 0, snd_mixer_selem_has_playback_volume(element) != 0 {
                let index = snd_mixer_selem_get_index(element)
                let name = snd_mixer_selem_get_name(element).map { String(cString: $0) } ?? ""
                found.append((index == 0 ? name : "\(name),\(index)", element))
            }
            next = snd_mixer_elem_next(element)
        }
        return found
    }

    func step() throws(DeviceFault) -> Int {
        var step = 0
        try Self.check(
            "snd_mixer_selem_get_playback_volume",
            snd_mixer_selem_get_playback_volume(element, SND_MIXER_SCHN_FRONT_LEFT, &step))
        return step
    }

    func decibel() -> Int? {
        var level = 0
        return snd_mixer_selem_get_playback_dB(element, SND_MIXER_SCHN_FRONT_LEFT, &level) == 0 ? level : nil
    }

    func isMuted() throws(DeviceFault) -> Bool? {
        if snd_mixer_selem_has_playback_switch(element) == 0 { return nil }
        var isOn: Int32 = 1
        try Self.check(
            "snd_mixer_selem_get_playback_switch",
            snd_mixer_selem_get_playback_switch(element, SND_MIXER_SCHN_FRONT_LEFT, &isOn))
        return isOn == 0
    }

    func set(step: Int) throws(DeviceFault) {
        try Self.check("snd_mixer_selem_set_playback_volume_all", snd_mixer_selem_set_playback_volume_all(element, step))
    }

    func set(decibel: Int) throws(DeviceFault) {
        try Self.check("snd_mixer_selem_set_playback_dB_all", snd_mixer_selem_set_playback_dB_all(element, decibel, 0))
    }

    func set(isMuted: Bool) throws(DeviceFault) {
        try Self.check(
            "snd_mixer_selem_set_playback_switch_all", snd_mixer_selem_set_playback_switch_all(element, isMuted ? 0 : 1))
    }

    var descriptors: [pollfd] {
        let count = max(0, snd_mixer_poll_descriptors_count(mixer))
        var list = [pollfd](repeating: pollfd(), count: Int(count))
        _ = snd_mixer_poll_descriptors(mixer, &list, UInt32(count))
        return list
    }

    func takeChanges() throws(DeviceFault) { try Self.check("snd_mixer_handle_events", snd_mixer_handle_events(mixer)) }

    private static func check(_ function: String, _ code: Int32) throws(DeviceFault) {
        if code < 0 { throw DeviceFault(function, code) }
    }
}
