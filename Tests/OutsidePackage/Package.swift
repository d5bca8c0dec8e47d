// swift-tools-version: 6.2
import PackageDescription

// A package of somebody else's that uses Carillon. `tools/test` builds and runs it.
let carillon = Target.Dependency.product(name: "Carillon", package: "Carillon")
// As the first page has it.
let avFoundation: Target.Dependency =
    .product(name: "AVFoundation", package: "carillon", condition: .when(platforms: [.linux]))
let coreMIDI: Target.Dependency = .product(name: "CoreMIDI", package: "carillon", condition: .when(platforms: [.linux]))
let testKit = Target.Dependency.product(name: "CarillonTestKit", package: "Carillon")

let package = Package(
    name: "Outside",
    dependencies: [.package(name: "Carillon", path: "../..", traits: [])],
    targets: [
        .executableTarget(name: "Outside", dependencies: [carillon]),
        .executableTarget(name: "Player", dependencies: [carillon]),
        // What whoever comes from Core Audio, AVAudioEngine or AudioKit writes first. Each checks what it hears.
        .target(name: "Hearing", dependencies: [carillon]),
        .executableTarget(name: "Slide", dependencies: [carillon, "Hearing"]),
        .executableTarget(name: "PlayerWithTap", dependencies: [carillon, "Hearing"]),
        .executableTarget(name: "AudioUnitGraph", dependencies: [carillon, "Hearing"]),
        .executableTarget(name: "OwnSwell", dependencies: [carillon, testKit, "Hearing"]),
        .executableTarget(name: "OwnInstrument", dependencies: [carillon, testKit, "Hearing"]),
        .executableTarget(name: "OwnMIDIUnit", dependencies: [carillon, testKit, "Hearing"]),
        // Units of Carillon's own catalogue, by name: those that the guide to effects adds.
        .executableTarget(name: "LawsOfUnits", dependencies: [carillon, testKit, "Hearing"]),
        .executableTarget(name: "HostingPatterns", dependencies: [carillon, "Hearing"]),
        .executableTarget(name: "Karaoke", dependencies: [carillon, "Hearing"]),
        .executableTarget(name: "GameScene", dependencies: [carillon, "Hearing"]),
        .executableTarget(name: "MixPlayer", dependencies: [carillon, "Hearing"]),
        .executableTarget(name: "InputRecorder", dependencies: [carillon, "Hearing"]),
        .executableTarget(name: "SurroundTape", dependencies: [carillon, "Hearing"]),
        .executableTarget(name: "Onsets", dependencies: [carillon, "Hearing"]),
        .executableTarget(name: "FilteredKeyboard", dependencies: [carillon, "Hearing"]),
        .executableTarget(name: "SongInCode", dependencies: [carillon, "Hearing"]),
        .executableTarget(name: "ChangingTracks", dependencies: [carillon, "Hearing"]),
        .executableTarget(name: "SongWithSoundFont", dependencies: [carillon, "Hearing"]),
        .executableTarget(name: "DataSet", dependencies: [carillon, "Hearing"]),
        .executableTarget(name: "RunningGraph", dependencies: [carillon, "Hearing"]),
        .executableTarget(name: "FirstLines", dependencies: [carillon, "Hearing"]),
        // What a Mac's program is, as it is.
        .executableTarget(
            name: "MacSong", dependencies: [avFoundation, "Hearing"], swiftSettings: [.swiftLanguageMode(.v5)]),
        .executableTarget(
            name: "MacTone", dependencies: [avFoundation, "Hearing"], swiftSettings: [.swiftLanguageMode(.v5)]),
        .executableTarget(
            name: "MacSquare", dependencies: [avFoundation, "Hearing"], swiftSettings: [.swiftLanguageMode(.v5)]),
        .executableTarget(
            name: "MacKeyboard", dependencies: [avFoundation, coreMIDI, "Hearing"], swiftSettings: [.swiftLanguageMode(.v5)]),
    ],
    swiftLanguageModes: [.v6]
)
