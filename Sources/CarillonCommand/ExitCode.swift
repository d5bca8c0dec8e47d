import ALSA
import AudioFiles
import Carillon
import Patches
import SongFiles

// Which error ends the program with which code of `sysexits.h`: 64 wrong arguments, 65 unreadable data, 66 no such input,
// 69 device unavailable, 70 internal fault, 71 system error, 73 output cannot be created, 74 input or output failed, 78 a
// patch that cannot be, 130 interrupted. The library knows nothing of them.

extension RenderError {
    var exitCode: Int32 {
        switch self {
        case .song(let error): error.exitCode
        case .unit(let error): error.exitCode
        case .audioFile(let error): error.exitCode
        case .timeline, .passage, .parameter, .setting, .option: 64
        case .tooLong, .empty, .unheard, .refused, .layer: 65
        // A patch has made units that do not fit together.
        case .graph(.formatMismatch), .graph(.hearsNoMusic), .graph(.hearsNoSound), .graph(.cycle), .patch: 78
        case .graph, .engine, .rendered, .lostLabels: 70
        case .interrupted, .keptPartial: Interruption.exitCode
        }
    }
}

extension PatchFileError {
    var exitCode: Int32 {
        switch fault {
        case .cannotRead, .notAFile: 66
        case .cannotWrite, .exists: 73
        case .inside(let error, _): error.exitCode
        default: 78
        }
    }
}

extension LiveError {
    var exitCode: Int32 {
        switch self {
        case .sound(let error): error.exitCode
        case .song(let error): error.exitCode
        case .journal(let error): error.exitCode
        case .audioFile(let error): error.exitCode
        case .unavailable(let device, let sequencer): device?.exitCode ?? sequencer?.exitCode ?? 69
        case .hardwareVolume(let error): error.exitCode
        case .nothingPlaysOut: 78
        case .presetExists: 73
        case .patchFile(let error): error.exitCode
        case .journalUnit, .nothingPlayed, .layer: 65
        case .engine, .keyboardsPlay: 70
        case .captureGaps: 74
        case .interrupted: 130
        // What was requested cannot be.
        default: 64
        }
    }
}

extension SongError {
    var exitCode: Int32 {
        switch self {
        case .notFound, .isDirectory, .unreadable, .noWriter: 66
        case .empty, .notASong, .noTracks, .tooLong, .tooManyEvents, .tooManyTracks, .refused: 65
        case .library, .cannotWrite: 70
        case .cannotCreate: 73
        }
    }
}

extension UnitError {
    var exitCode: Int32 {
        switch self {
        case .resource(_, _, let fault): fault.exitCode
        case .invalidDeclaration, .invalidPreset: 70
        case .unsupportedSampleRate, .invalidProperty, .unknownParameter, .elementCount, .startValue, .unknownProperty: 64
        }
    }
}

extension UnitError.ResourceFault {
    var exitCode: Int32 {
        switch self {
        case .property: 64
        case .damaged: 65
        case .missing: 66
        case .notInstalled: 69
        case .library: 70
        case .unreadable: 74
        case .plugIn: 78
        }
    }
}

extension SoundFontError {
    var exitCode: Int32 { fault.exitCode }
}

extension AudioFileError {
    var exitCode: Int32 {
        switch self {
        case .unknownFormat, .formatNotInLibrary, .encodingNotOffered, .qualityNotOffered, .qualityOutOfRange,
            .bitRateNotOffered, .bitRateOutOfRange, .contradiction, .sampleRateNotOffered, .channelCountNotOffered,
            .layoutNotOffered, .cannotStream:
            64
        case .unreadable: 65
        case .cannotOpen: 66
        case .channels, .frames: 70
        case .isDirectory, .cannotCreate, .noReader, .exists, .encoderRefused: 73
        case .writeFailed, .cutShort, .cannotReplace, .encodingFailed, .tooLong, .lengthMismatch: 74
        }
    }
}

extension JournalError {
    var exitCode: Int32 {
        switch self {
        case .notAJournal, .malformed, .tooLarge, .patch: 65
        case .cannotRead: 66
        case .cannotCreate: 73
        case .cannotWrite: 74
        }
    }
}

extension DeviceError {
    var exitCode: Int32 {
        switch self {
        case .request: 64
        case .noSoundCard, .notFound, .busy, .denied, .refused, .buffer, .captureRate, .conversion, .noThread, .failed, .rate,
            .missingLibrary, .noServer, .unresponsive, .inputRate:
            69
        case .alreadyPulled: 70
        }
    }
}

extension MIDIInletError {
    var exitCode: Int32 {
        switch self {
        case .portCount, .rule: 64
        case .noSequencer, .notPermitted, .noRoom, .failed: 69
        case .system: 71
        }
    }
}
