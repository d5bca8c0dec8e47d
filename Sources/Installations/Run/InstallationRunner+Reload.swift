import Carillon
import Reports

/// Changes of an installation's file while it runs.
extension InstallationRunner {
    /// Looks at a file as `--check` does, and takes it over as `reload` with a trial does.
    ///
    /// - Throws: the reasons why it is not applied; nothing has changed.
    public func reload(_ new: Installation) throws(Fault) -> [String] {
        try reload(InstallationTrial(new, isThere: deviceQuestion(for: new)))
    }

    /// Returns the question that is to be asked about the devices of another file: none about those that run already, which may
    /// be away for a moment.
    public func deviceQuestion(for new: Installation) -> InstallationTrial.DeviceQuestion? {
        let former = installation.device
        return new.device.names == former.names && new.device.input == former.input ? nil : house.world.isThere
    }

    /// Takes another file over while it sounds: playlists, calendar and patch at once, without a gap; what a device or an
    /// instrument is made of after a fade, at the same bar. What `--check` refuses is refused here, in the same words.
    ///
    /// - Returns: what is different now, as sentences.
    /// - Throws: all faults for which the trial refuses the file; another time zone or another state folder, which need a new
    ///   start; a patch that cannot replace the one that plays. Nothing has changed.
    public func reload(_ trial: InstallationTrial) throws(Fault) -> [String] {
        let new = trial.installation, lists = trial.playlists
        var reasons = trial.isRefused ? trial.sentences : []
        if let fault = trial.soundFault { reasons += fault.sentences }
        if let silence = trial.silence { reasons.append(silence) }
        if new.timeZone != installation.timeZone {
            reasons.append(
                "\(new.path): time-zone: \(new.timeZone ?? "the machine's"): start again: it is that of the process")
        }
        if new.stateFolder != installation.stateFolder {
            reasons.append("\(new.path): state: \(new.stateFolder ?? "none"): start again: it is locked while it runs")
        }
        guard reasons.isEmpty, let options = trial.options else { throw Fault(reasons, .configuration) }
        var changes: [String] = []
        let isOtherDevice = (new.device, new.sampleRate) != (installation.device, installation.sampleRate)
        let isOtherSession = isOtherDevice || new.needsOtherSession(than: installation)
        if !isOtherSession, let session, let patch = options.patch, patch != session.options.patch {
            do throws(Fault) { try session.apply(patch) } catch {
                throw Fault(error.sentences.map { "\(new.path): \($0)" }, .configuration)
            }
            changes.append("the patch has changed")
        }
        if lists != house.playlists { changes.append("the playlists have changed") }
        if new.calendar != installation.calendar { changes.append("the calendar has changed") }
        if new.fade != installation.fade { changes.append("the fade has changed") }
        if new.cues != installation.cues || new.dropFolder != installation.dropFolder { changes.append("the cues have changed") }
        if new.master != installation.master { changes.append("the clock to follow has changed") }
        if new.network != installation.network { changes.append("control, http, osc and tokens change with the next start") }
        if new.layers != installation.layers { changes.append("the layers have changed") }
        if new.sends != installation.sends || new.clock != installation.clock { changes.append("the MIDI outputs have changed") }
        session?.exchange(buttons: installation.cueButtons, for: new.cueButtons)
        let keptSound = installation.sound
        // A song in the place of the music goes with the session, and the music goes on where it was.
        if isOtherSession { keepPlace() }
        house.adopt(new, lists, playing: session?.playlist)
        if new.sound.withoutPatch != keptSound.withoutPatch { changes.append("the sound has changed") }
        if isOtherSession {
            if isOtherDevice { changes.append("the device has changed") }
            // It goes on after a fade, at the same bar.
            programme?.fadeOut(then: .end)
        }
        return changes + trial.sentences
    }
}

extension Installation {
    fileprivate func needsOtherSession(than former: Installation) -> Bool {
        sound.withoutPatch != former.sound.withoutPatch || (sound.patch == nil) != (former.sound.patch == nil)
            || sounds != former.sounds || layers != former.layers || buttons != former.buttons || sends != former.sends
            || clock != former.clock || master != former.master
    }
}

extension Installation.Sound {
    /// A session has to be made anew for all that is left.
    fileprivate var withoutPatch: Self {
        var sound = self
        sound.patch = nil
        return sound
    }
}
