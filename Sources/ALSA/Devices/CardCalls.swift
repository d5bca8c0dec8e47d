import CALSA
import Glibc

/// The sound cards and their PCM devices, by the control interface of libasound.
enum CardCalls {
    struct Card {
        var index: Int
        /// The short name that `hw:` takes.
        var name: String
        var longName: String
    }
    struct Device {
        var cardIndex: Int
        var card: String
        var cardLongName: String
        var device: Int
        var deviceName: String
        var isCapture: Bool
        var streams: Int
        var freeStreams: Int
    }

    static func cards() -> [Card] { openCards { card, _ in [card] } }

    static func devices() -> [Device] {
        openCards { card, control in
            var found: [Device] = []
            var device: Int32 = -1
            while snd_ctl_pcm_next_device(control, &device) == 0, device >= 0 {
                for isCapture in [false, true] {
                    if let entry = describe(card, control, device, isCapture) { found.append(entry) }
                }
            }
            return found
        }
    }

    private static func openCards<T>(_ body: (Card, OpaquePointer) -> [T]) -> [T] {
        var result: [T] = []
        var index: Int32 = -1
        while snd_card_next(&index) == 0, index >= 0 {
            var control: OpaquePointer?
            guard snd_ctl_open(&control, "hw:\(index)", 0) == 0, let control else { continue }
            defer { snd_ctl_close(control) }
            var memory: OpaquePointer?
            guard snd_ctl_card_info_malloc(&memory) == 0, let info = memory else { continue }
            defer { snd_ctl_card_info_free(info) }
            guard snd_ctl_card_info(control, info) == 0 else { continue }
            let card = Card(
                index: Int(index), name: text(snd_ctl_card_info_get_id(info)),
                longName: text(snd_ctl_card_info_get_longname(info)))
            result += body(card, control)
        }
        return result
    }

    private static func describe(_ card: Card, _ control: OpaquePointer, _ device: Int32, _ isCapture: Bool) -> Device? {
        var memory: OpaquePointer?
        guard snd_pcm_info_malloc(&memory) == 0, let info = memory else { return nil }
        defer { snd_pcm_info_free(info) }
        snd_pcm_info_set_device(info, UInt32(device))
        snd_pcm_info_set_stream(info, isCapture ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK)
        guard snd_ctl_pcm_info(control, info) == 0 else { return nil }
        return Device(
            cardIndex: card.index, card: card.name, cardLongName: card.longName, device: Int(device),
            deviceName: text(snd_pcm_info_get_name(info)), isCapture: isCapture,
            streams: Int(snd_pcm_info_get_subdevices_count(info)),
            freeStreams: Int(snd_pcm_info_get_subdevices_avail(info)))
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
}
