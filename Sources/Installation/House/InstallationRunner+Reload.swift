import Carillon

/// Changes of an installation's file while it runs.
extension InstallationRunner {
    /// Takes another file over while it sounds: playlists, calendar and patch at once, without a gap; what a device or an
    /// instrument is made of after a fade, at the same bar. What cannot be leaves everything as it was.
    ///
    /// - Returns: what is different now, as sentences.
    /// - Throws: `option` for another time zone or another state folder, which need a new start; `sound`, `patchFile`,
    ///   `engine` for a patch that cannot be.
    public func reload(_ new: Installation) throws(LiveError) -> [String] {
        if new.timeZone != installation.timeZone {
            throw .option(
                name: "time-zone", value: new.timeZone ?? "the machine's", remedy: "start again: it is that of the process")
        }
        if new.stateFolder != installation.stateFolder {
            throw .option(name: "state", value: new.stateFolder ?? "none", remedy: "start again: it is locked while it runs")
        }
        // Whatever can be wrong is found before anything has changed.
        let options = try LiveOptions(new)
        var changes: [String] = []
        let (lists, remarks) = new.playlists()
        let isOtherSession = new.device != installation.device || new.needsOtherSession(than: installation)
        if !isOtherSession, let session, let patch = options.patch, patch != session.options.patch {
            try session.apply(patch)
            changes.append("the patch is another")
        }
        if lists != house.playlists { changes.append("the playlists are others") }
        if new.calendar != installation.calendar { changes.append("the calendar is another") }
        if new.fade != installation.fade { changes.append("the fade is another") }
        if new.cues != installation.cues || new.dropFolder != installation.dropFolder { changes.append("the cues are others") }
        if new.master != installation.master { changes.append("the master of the beat is another") }
        if new.network != installation.network { changes.append("control, http, osc and tokens change with the next start") }
        if new.layers != installation.layers { changes.append("the layers are others") }
        if new.sends != installation.sends || new.clock != installation.clock { changes.append("what plays out is another") }
        let keptSound = installation.sound, keptDevice = installation.device
        house.adopt(new, lists, playing: session?.playlist)
        if new.sound.withoutPatch != keptSound.withoutPatch { changes.append("the sound is another") }
        if isOtherSession {
            if keptDevice != new.device { changes.append("the device is another") }
            // Behind a fade, at the same bar.
            programme?.fadeOut(then: .end)
        }
        return changes + remarks
    }
}

extension Installation {
    /// Tells whether a session that plays another file cannot play this one, whatever its device.
    fileprivate func needsOtherSession(than former: Installation) -> Bool {
        sound.withoutPatch != former.sound.withoutPatch || (sound.patch == nil) != (former.sound.patch == nil)
            || sounds != former.sounds || layers != former.layers || buttons != former.buttons || sends != former.sends
            || clock != former.clock || master != former.master
    }
}

extension Installation.Sound {
    /// All that a session has to be made anew for.
    fileprivate var withoutPatch: Self {
        var sound = self
        sound.patch = nil
        return sound
    }
}
