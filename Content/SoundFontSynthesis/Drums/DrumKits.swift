/// Bank 128: the General MIDI drum map (keys 35...81, and the GS additions 27...34 and 82...87) and its variants.
enum DrumKits {
    static func hit(_ key: Int, _ sample: Sample, _ settings: Setting...) -> (Int, Layer) {
        (
            key,
            Layer(
                Multisample(sample, keys: key...key),
                [.root(key), .envelope(release: 4), .filter(18000, velocity: -1200)] + settings)
        )
    }

    /// A looped sound on one key, which rings for `decay` seconds.
    static func ring(_ key: Int, _ source: Multisample, _ decay: Double, _ settings: Setting...) -> (Int, Layer) {
        let sample = source.zones[0].left
        return (
            key,
            Layer(
                Multisample(sample, keys: key...key),
                [.root(key), .decaying(decay, release: decay), .filter(18000, velocity: -1500)] + settings)
        )
    }

    static let effects: [(Int, Layer)] = {
        typealias H = HandPercussion
        return [
            hit(27, H.highQ, .quieter(1)), hit(28, H.slap, .quieter(0)), hit(29, H.scratch, .quieter(1), .exclusive(7)),
            hit(30, H.scratch, .tuned(-4), .quieter(1), .exclusive(7)), hit(31, H.sticks, .quieter(1)),
            hit(32, H.click, .quieter(3)), hit(33, H.sticks, .tuned(9), .quieter(3)),
            hit(34, H.metronomeBell, .quieter(2)),
        ]
    }()

    static let body: [(Int, Layer)] = {
        var sounds: [(Int, Layer)] = [
            hit(35, Skins.softKick), hit(36, Skins.kick), hit(37, Skins.sideStick, .quieter(3)), hit(38, Skins.snare),
            hit(39, Skins.clap, .quieter(2), .pan(-0.1)), hit(40, Skins.tightSnare),
            ring(42, Cymbals.hat, 0.16, .exclusive(1), .pan(0.25), .quieter(1)),
            hit(42, Cymbals.tick, .quieter(11), .exclusive(1), .pan(0.25)),
            ring(44, Cymbals.hat, 0.12, .exclusive(1), .pan(0.25), .filter(13000, velocity: -1500), .quieter(-4)),
            ring(46, Cymbals.hat, 1.3, .exclusive(1), .pan(0.25), .quieter(4)),
            hit(46, Cymbals.tick, .quieter(10), .exclusive(1), .pan(0.25)),
        ]
        for (key, semitones, pan) in [
            (41, -5.0, -0.45), (43, -2, -0.3), (45, 1, -0.12), (47, 4, 0.08), (48, 7, 0.25), (50, 10, 0.4),
        ] {
            sounds.append(hit(key, Skins.tom, .tuned(semitones), .pan(pan), .quieter(1)))
        }
        return sounds
    }()

    static let cymbals: [(Int, Layer)] = [
        ring(
            49, Cymbals.crash, 3.6, .pan(-0.3), .filterSweep(-1300, attack: 2.6, decay: 1, sustain: 1),
            .filter(19000, velocity: -1500), .quieter(1)),
        ring(
            57, Cymbals.crash, 3.1, .pan(0.35), .tuned(2), .filterSweep(-1300, attack: 2.3, decay: 1, sustain: 1),
            .filter(19000, velocity: -1500), .quieter(2)),
        ring(52, Cymbals.crash, 1.9, .pan(0.2), .tuned(-4), .filter(13000, q: 3, velocity: -1500), .quieter(1)),
        ring(55, Cymbals.crash, 0.8, .pan(-0.15), .tuned(8), .quieter(2)),
        ring(51, Cymbals.ride, 2.2, .pan(0.4), .quieter(6)), ring(59, Cymbals.ride, 2.4, .pan(0.3), .tuned(2), .quieter(7)),
        hit(53, Cymbals.bell, .pan(0.4), .quieter(7)), ring(53, Cymbals.ride, 1.5, .pan(0.4), .quieter(13)),
    ]

    static let latin: [(Int, Layer)] = {
        typealias H = HandPercussion
        return [
            hit(54, H.tambourine, .pan(0.15), .quieter(1)), hit(56, H.cowbell, .pan(0.2), .quieter(2)),
            hit(58, H.vibraslap, .pan(-0.35), .quieter(-1)),
            hit(60, Skins.bongo, .tuned(2), .pan(0.35), .quieter(0)),
            hit(61, Skins.bongo, .tuned(-4), .pan(0.35), .quieter(-1)),
            hit(62, Skins.mutedConga, .tuned(2), .pan(-0.3), .quieter(0)),
            hit(63, Skins.conga, .tuned(3), .pan(-0.3), .quieter(-1)),
            hit(64, Skins.conga, .tuned(-2), .pan(-0.35), .quieter(-1)),
            hit(65, Skins.timbale, .tuned(3), .pan(0.25), .quieter(1)),
            hit(66, Skins.timbale, .tuned(-3), .pan(0.25), .quieter(0)), hit(67, H.agogo, .pan(-0.3), .quieter(3)),
            hit(68, H.agogo, .tuned(-5), .pan(-0.3), .quieter(2)), hit(69, H.cabasa, .pan(-0.25), .quieter(1)),
            hit(70, H.maracas, .pan(-0.4), .quieter(2)),
            ring(
                71, Multisample(H.whistle), 60, .envelope(hold: 0.12, decay: 0.05, sustain: 100, release: 0.1),
                .pan(0.3), .exclusive(2), .quieter(0)),
            ring(
                72, Multisample(H.whistle), 60, .envelope(hold: 0.4, decay: 0.15, sustain: 100, release: 0.3),
                .pan(0.3), .exclusive(2), .quieter(0)),
            hit(73, H.shortGuiro, .pan(0.3), .exclusive(3), .quieter(2)),
            hit(74, H.longGuiro, .pan(0.3), .exclusive(3), .quieter(1)),
            hit(75, H.claves, .pan(0.2), .quieter(3)), hit(76, H.woodblock, .tuned(3), .pan(0.3), .quieter(1)),
            hit(77, H.woodblock, .tuned(-2), .pan(0.3), .quieter(1)),
            hit(78, H.mutedCuica, .pan(-0.3), .exclusive(4), .quieter(2)),
            hit(79, H.openCuica, .pan(-0.3), .exclusive(4), .quieter(2)),
            ring(80, H.triangle, 0.18, .pan(-0.35), .exclusive(5), .quieter(5)),
            ring(81, H.triangle, 3.2, .pan(-0.35), .exclusive(5), .quieter(5)),
            hit(82, H.shaker, .pan(-0.2), .quieter(2)), hit(83, H.jingle, .pan(0.3), .quieter(3)),
            hit(84, H.bellTree, .pan(0.2), .quieter(2)), hit(85, H.castanets, .pan(0.1), .quieter(1)),
            hit(
                86, Skins.surdo, .envelope(hold: 0.06, decay: 0.2, sustain: 100, release: 0.2), .exclusive(6),
                .quieter(2)),
            hit(87, Skins.surdo, .exclusive(6)),
        ]
    }()

    static let standard = effects + body + cymbals + latin

    static func variant(
        _ replacements: [(Int, Layer)], settings: [Setting] = [], on range: ClosedRange<Int> = 35...50
    ) -> [Layer] {
        let replaced = Set(replacements.map(\.0))
        let kept = standard.filter { !replaced.contains($0.0) }.map { key, layer in
            range.contains(key) ? Layer(layer.source, layer.settings + settings) : layer
        }
        return kept + replacements.map(\.1)
    }

    static var programs: [Program] {
        func toms(_ sample: Sample, _ shift: Double, _ settings: Setting...) -> [(Int, Layer)] {
            [(41, -5.0, -0.45), (43, -2, -0.3), (45, 1, -0.12), (47, 4, 0.08), (48, 7, 0.25), (50, 10, 0.4)].map {
                key, tune, pan in
                let (_, layer) = hit(key, sample, .tuned(tune + shift), .pan(pan))
                return (key, Layer(layer.source, layer.settings + settings))
            }
        }
        let hats = [
            ring(42, ElectronicDrums.hat, 0.14, .exclusive(1), .pan(0.2), .quieter(2)),
            ring(44, ElectronicDrums.hat, 0.1, .exclusive(1), .pan(0.2), .quieter(4)),
            ring(46, ElectronicDrums.hat, 0.9, .exclusive(1), .pan(0.2), .quieter(2)),
        ]
        let timpani = (41...53).map { key in
            (
                key,
                Layer(
                    Multisample(Bowed.timpani.zones[0].left, keys: key...key),
                    [.filter(4500, velocity: -3000), .decaying(3, release: 2.5)])
            )
        }
        return [
            Program(0, "Standard Kit", bank: 128, standard.map(\.1)),
            Program(8, "Room Kit", bank: 128, variant(toms(Skins.tom, -2), settings: [.sends(reverb: 0.25)])),
            Program(
                16, "Power Kit", bank: 128,
                variant(
                    [hit(36, Skins.kick, .tuned(-2)), hit(38, Skins.snare, .tuned(-3)), hit(40, Skins.snare)]
                        + toms(Skins.tom, -4),
                    settings: [.sends(reverb: 0.15)])),
            Program(
                24, "Electronic Kit", bank: 128,
                variant(
                    [
                        hit(35, ElectronicDrums.kick, .tuned(3)), hit(36, Skins.kick, .tuned(3)),
                        hit(38, ElectronicDrums.snare, .tuned(-2)), hit(40, Skins.tightSnare, .tuned(-4)),
                    ] + toms(ElectronicDrums.tom, 0, .pitchSweep(700, decay: 0.3)))),
            Program(
                25, "TR-808 Kit", bank: 128,
                variant(
                    [
                        hit(35, ElectronicDrums.kick, .tuned(-2)), hit(36, ElectronicDrums.kick),
                        hit(38, ElectronicDrums.snare, .quieter(1)),
                        hit(40, ElectronicDrums.snare, .tuned(3), .quieter(1)),
                        hit(56, ElectronicDrums.cowbell, .quieter(5)),
                    ] + hats + toms(ElectronicDrums.tom, 0))),
            Program(
                32, "Jazz Kit", bank: 128,
                variant([hit(36, Skins.softKick, .tuned(1)), hit(38, Skins.tightSnare, .tuned(-2), .quieter(3))])),
            Program(
                40, "Brush Kit", bank: 128,
                variant([
                    hit(36, Skins.softKick, .tuned(1)), hit(38, Skins.brushTap, .quieter(2)),
                    hit(39, HandPercussion.slap, .quieter(6)),
                    hit(40, Skins.brushSwirl, .quieter(4)),
                ])),
            Program(
                48, "Orchestra Kit", bank: 128,
                variant(
                    [
                        hit(35, Skins.concertBass), hit(36, Skins.concertBass, .tuned(2)),
                        hit(38, Skins.snare, .tuned(1), .quieter(2)),
                        hit(39, HandPercussion.castanets, .quieter(4)), hit(40, Skins.tightSnare, .quieter(2)),
                        ring(55, Cymbals.crash, 2.6, .tuned(1), .quieter(2)),
                    ] + timpani)),
        ]
    }
}
