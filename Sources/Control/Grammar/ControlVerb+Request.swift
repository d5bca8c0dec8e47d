import Carillon

// The same table twice, there and back: a case that is missing from either does not compile.

extension ControlVerb {
    /// What it asks for with these values, which are those of its form.
    func request(_ values: [ControlValue]) -> ControlRequest? {
        let first = values.first ?? .none
        switch self {
        case .status: return .status
        case .metrics: return .metrics
        case .watch: return .watch(every: first.number ?? Double(Self.interval.initial))
        case .help: return .help
        case .prometheus: return .tell(.prometheus)
        case .song: return .tell(.song)
        case .notes:
            guard let start = first.number, let end = values.last?.number else { return nil }
            return .tell(.notes(from: start, to: end))
        case .sounds: return .tell(.sounds)
        case .parameters: return .tell(.parameters)
        case .hardwareLevel: return .tell(.hardwareVolume)
        case .log: return .tell(.log)
        case .health: return .tell(.health)
        case .openAPI: return .tell(.openAPI)
        case .role: return first.text.flatMap(ControlRole.Name.init).map { .role($0) }
        default: return command(values, first).map { .command($0) }
        }
    }

    private func command(_ values: [ControlValue], _ first: ControlValue) -> ControlCommand? {
        let second = values.dropFirst().first ?? .none, last = values.last ?? .none
        switch self {
        case .play: return .play
        case .pause: return .pause
        case .toggle: return .togglePlay
        case .stop: return .stop
        case .next: return .next
        case .previous: return .previous
        case .seekTo: return first.number.map { .seek(.seconds($0)) }
        case .seekBy: return first.number.map { .seek(.bySeconds($0)) }
        case .seekBar: return first.whole.map { .seek(.bar($0)) }
        case .seekBars: return first.whole.map { .seek(.byBars($0)) }
        case .seekMarkers: return first.whole.map { .seek(.byMarkers($0)) }
        case .tempo: return first.number.map { .tempo($0) }
        case .transpose: return first.whole.map { .transpose($0) }
        case .loop: return first.flag.map { .loop($0) }
        case .layer: return first.text.flatMap { name in second.flag.map { .layer(name, $0) } }
        case .mute: return first.whole.flatMap { channel in second.flag.map { .mute(channel: channel, $0) } }
        case .solo: return first.whole.flatMap { channel in second.flag.map { .solo(channel: channel, $0) } }
        case .volume: return first.number.map { .volume($0) }
        case .hardwareVolume: return first.number.map { .hardwareVolume(.decibels($0)) }
        case .hardwarePercent: return first.number.map { .hardwareVolume(.percent($0)) }
        case .hardwareMute: return first.flag.map { .hardwareVolume(.mute($0)) }
        case .set: return first.text.map { .set($0) }
        case .preset: return first.text.flatMap { unit in second.text.map { .preset(unit: unit, name: $0) } }
        case .panic: return .panic(.all)
        case .panicChannel: return first.whole.map { .panic(.channel($0)) }
        case .panicUnit: return first.text.map { .panic(.unit($0)) }
        case .panicSource: return first.text.map { .panic(.source($0)) }
        case .program:
            guard let channel = first.whole, let bank = second.whole, let program = last.whole else { return nil }
            return .program(channel: channel, bank: bank, program: program)
        case .keys: return first.whole.map { .transposeKeys($0) }
        case .note:
            guard values.count == 4, let channel = first.whole, let key = second.whole, let velocity = values[2].whole
            else { return nil }
            return .note(channel: channel, key: key, velocity: velocity, seconds: last.number)
        case .press:
            guard let channel = first.whole, let key = second.whole, let velocity = last.whole else { return nil }
            return .pressKey(channel: channel, key: key, velocity: velocity)
        case .lift: return first.whole.flatMap { channel in second.whole.map { .liftKey(channel: channel, key: $0) } }
        case .release: return .releaseNotes
        case .metronome: return first.flag.map { .metronome($0, tempo: second.number) }
        case .sceneNext: return .scene(.next)
        case .scenePrevious: return .scene(.previous)
        case .scene: return first.text.map { .scene(.named($0)) }
        case .learnOff: return .learn(nil)
        case .learn: return first.text.map { .learn($0) }
        case .forget: return first.text.map { .forget($0) }
        case .patchNext: return .patch(.next)
        case .patchPrevious: return .patch(.previous)
        case .patchNumber: return first.whole.map { .patch(.number($0)) }
        case .patch: return first.text.map { .patch(.named($0)) }
        case .savePatch: return .savePatch(path: first.text)
        case .savePreset, .replacePreset:
            let replaces = self == .replacePreset
            return first.text.flatMap { unit in
                second.text.map { .savePreset(unit: unit, name: $0, replaces: replaces) }
            }
        case .saveRecording: return .saveRecording(path: first.text)
        case .cue: return first.text.map { .cue($0) }
        case .releaseCue: return first.text.map { .releaseCue($0) }
        case .quit: return .quit
        case .status, .metrics, .prometheus, .watch, .song, .notes, .sounds, .parameters, .hardwareLevel, .log, .health, .help,
            .openAPI, .role:
            return nil
        }
    }

    /// The form that says a request, and what stands in its places.
    static func saying(_ request: ControlRequest) -> (verb: ControlVerb, values: [ControlValue]) {
        switch request {
        case .command(let command): saying(command)
        case .status: (.status, [])
        case .metrics: (.metrics, [])
        case .watch(let seconds): (.watch, [.number(seconds)])
        case .help: (.help, [])
        case .role(let name): (.role, [.text(name.rawValue)])
        case .tell(let question): saying(question)
        }
    }

    private static func saying(_ question: ControlQuestion) -> (verb: ControlVerb, values: [ControlValue]) {
        switch question {
        case .song: (.song, [])
        case .notes(let start, let end): (.notes, [.number(start), .number(end)])
        case .sounds: (.sounds, [])
        case .parameters: (.parameters, [])
        case .hardwareVolume: (.hardwareLevel, [])
        case .log: (.log, [])
        case .health: (.health, [])
        case .prometheus: (.prometheus, [])
        case .openAPI: (.openAPI, [])
        }
    }

    private static func saying(_ command: ControlCommand) -> (verb: ControlVerb, values: [ControlValue]) {
        func text(_ text: String?) -> [ControlValue] { text.map { [.text($0)] } ?? [] }
        return switch command {
        case .play: (.play, [])
        case .pause: (.pause, [])
        case .togglePlay: (.toggle, [])
        case .stop: (.stop, [])
        case .next: (.next, [])
        case .previous: (.previous, [])
        case .seek(.seconds(let seconds)): (.seekTo, [.number(seconds)])
        case .seek(.bySeconds(let seconds)): (.seekBy, [.number(seconds)])
        case .seek(.bar(let bar)): (.seekBar, [.whole(bar)])
        case .seek(.byBars(let count)): (.seekBars, [.whole(count)])
        case .seek(.byMarkers(let count)): (.seekMarkers, [.whole(count)])
        case .tempo(let factor): (.tempo, [.number(factor)])
        case .transpose(let semitones): (.transpose, [.whole(semitones)])
        case .loop(let isOn): (.loop, [.flag(isOn)])
        case .layer(let name, let isOn): (.layer, [.text(name), .flag(isOn)])
        case .mute(let channel, let isOn): (.mute, [.whole(channel), .flag(isOn)])
        case .solo(let channel, let isOn): (.solo, [.whole(channel), .flag(isOn)])
        case .panic(.all): (.panic, [])
        case .panic(.channel(let channel)): (.panicChannel, [.whole(channel)])
        case .panic(.unit(let name)): (.panicUnit, text(name))
        case .panic(.source(let name)): (.panicSource, text(name))
        case .set(let setting): (.set, text(setting))
        case .preset(let unit, let name): (.preset, [.text(unit), .text(name)])
        case .volume(let decibels): (.volume, [.number(decibels)])
        case .hardwareVolume(.decibels(let decibels)): (.hardwareVolume, [.number(decibels)])
        case .hardwareVolume(.percent(let percent)): (.hardwarePercent, [.number(percent)])
        case .hardwareVolume(.mute(let isOn)): (.hardwareMute, [.flag(isOn)])
        case .program(let channel, let bank, let program): (.program, [.whole(channel), .whole(bank), .whole(program)])
        case .transposeKeys(let semitones): (.keys, [.whole(semitones)])
        case .note(let channel, let key, let velocity, let seconds):
            (.note, [.whole(channel), .whole(key), .whole(velocity), seconds.map { .number($0) } ?? .none])
        case .pressKey(let channel, let key, let velocity): (.press, [.whole(channel), .whole(key), .whole(velocity)])
        case .liftKey(let channel, let key): (.lift, [.whole(channel), .whole(key)])
        case .releaseNotes: (.release, [])
        case .metronome(let isOn, let tempo): (.metronome, [.flag(isOn), tempo.map { .number($0) } ?? .none])
        case .scene(.next): (.sceneNext, [])
        case .scene(.previous): (.scenePrevious, [])
        case .scene(.named(let name)): (.scene, text(name))
        case .learn(let parameter): (parameter == nil ? .learnOff : .learn, text(parameter))
        case .forget(let parameter): (.forget, text(parameter))
        case .patch(.next): (.patchNext, [])
        case .patch(.previous): (.patchPrevious, [])
        case .patch(.number(let number)): (.patchNumber, [.whole(number)])
        case .patch(.named(let name)): (.patch, text(name))
        case .savePatch(let path): (.savePatch, text(path))
        case .savePreset(let unit, let name, let replaces):
            (replaces ? .replacePreset : .savePreset, [.text(unit), .text(name)])
        case .saveRecording(let path): (.saveRecording, text(path))
        case .cue(let name): (.cue, text(name))
        case .releaseCue(let name): (.releaseCue, text(name))
        case .quit: (.quit, [])
        }
    }
}
