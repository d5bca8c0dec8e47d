// [render]
import SoundFonts

/// Groups of SFZ regions: which silence others, and how many voices each may have.
enum RegionLimits {
    /// Silences the voices that a region's group silences. Source: sfzformat.com, "off_by".
    @_noLocks static func silence(_ sampler: inout Sampler, by plan: UnsafePointer<RegionPlan>, _ event: RegionEvent) {
        let group = plan.pointee.rule.group
        for place in 0..<sampler.pool.count {
            let voice = sampler.pool.voice(place)
            guard let region = voice.pointee.region, isOfInstrument(voice, region, plan, event) else { continue }
            let rule = region.pointee.plan.pointee.rule
            // Notes of one key and group live side by side.
            guard rule.silencer == group, rule.group != group || voice.pointee.key != event.key,
                region.pointee.event.number != event.number,
                !region.pointee.event.isRelease
            else { continue }
            silence(voice, sampler)
        }
    }

    @_noLocks private static func silence(_ voice: UnsafeMutablePointer<Voice>, _ sampler: borrowing Sampler) {
        guard let region = voice.pointee.region, !region.pointee.isSilenced else { return }
        sampler.pool.markReleased(voice)
        region.pointee.silence(&voice.pointee, rate: sampler.setting.rate)
    }

    /// True if a voice sounds and is one of the region's instrument on the channel of an event, or in its zone.
    @_noLocks private static func isOfInstrument(
        _ voice: UnsafePointer<Voice>, _ region: UnsafePointer<RegionVoice>, _ plan: UnsafePointer<RegionPlan>,
        _ event: RegionEvent
    ) -> Bool {
        voice.pointee.isSounding && voice.pointee.bus == event.manager
            && region.pointee.plan.pointee.instrument == plan.pointee.instrument
    }

    /// Ends notes where a region has as many as it may. Source: sfzformat.com, "polyphony" and "note_polyphony".
    @_noLocks static func makeRoom(_ sampler: inout Sampler, for plan: UnsafePointer<RegionPlan>, _ event: RegionEvent) {
        if plan.pointee.rule.notePolyphony > 0 {
            makeRoom(&sampler, Int(plan.pointee.rule.notePolyphony), for: plan, event, ofKey: true)
        }
        if plan.pointee.rule.polyphony > 0 {
            makeRoom(&sampler, Int(plan.pointee.rule.polyphony), for: plan, event, ofKey: false)
        }
    }

    @_noLocks private static func makeRoom(
        _ sampler: inout Sampler, _ most: Int, for plan: UnsafePointer<RegionPlan>, _ event: RegionEvent, ofKey: Bool
    ) {
        // One round for each voice that is one too many.
        for _ in 0..<sampler.pool.count {
            var count = 0
            var oldest: UnsafeMutablePointer<Voice>?
            for place in 0..<sampler.pool.count {
                let voice = sampler.pool.voice(place)
                guard let region = voice.pointee.region, counts(voice, region, plan, event, ofKey: ofKey) else { continue }
                count &+= 1
                if ofKey && plan.pointee.rule.masksSofter && region.pointee.event.velocity > event.velocity { continue }
                if let known = oldest?.pointee.region, goesFirst(known, region, ofKey && plan.pointee.rule.masksSofter) {
                    continue
                }
                oldest = voice
            }
            guard count >= most, let oldest, let region = oldest.pointee.region else { return }
            let number = region.pointee.event.number
            for place in 0..<sampler.pool.count {
                let voice = sampler.pool.voice(place)
                guard let other = voice.pointee.region, isOfInstrument(voice, other, plan, event),
                    other.pointee.event.number == number, isLimited(voice, other, plan, event, ofKey: ofKey)
                else { continue }
                silence(voice, sampler)
            }
        }
    }

    /// True if the first goes before the second: the older one, or the softer.
    @_noLocks private static func goesFirst(
        _ first: UnsafePointer<RegionVoice>, _ second: UnsafePointer<RegionVoice>, _ bySoftness: Bool
    ) -> Bool {
        if bySoftness && first.pointee.event.velocity != second.pointee.event.velocity {
            return first.pointee.event.velocity < second.pointee.event.velocity
        }
        return first.pointee.event.number <= second.pointee.event.number
    }

    /// True if a voice is one of those that a limit counts; the two sides of a stereo sample are one.
    @_noLocks private static func counts(
        _ voice: UnsafePointer<Voice>, _ region: UnsafePointer<RegionVoice>, _ plan: UnsafePointer<RegionPlan>,
        _ event: RegionEvent, ofKey: Bool
    ) -> Bool {
        let rule = region.pointee.plan
        if region.pointee.isSilenced || rule.pointee.side > 0 || voice.pointee.isDying { return false }
        if !isOfInstrument(voice, region, plan, event) || region.pointee.event.number == event.number { return false }
        return isLimited(voice, region, plan, event, ofKey: ofKey)
    }

    /// True if a voice is under a region's limit.
    @_noLocks private static func isLimited(
        _ voice: UnsafePointer<Voice>, _ region: UnsafePointer<RegionVoice>, _ plan: UnsafePointer<RegionPlan>,
        _ event: RegionEvent, ofKey: Bool
    ) -> Bool {
        let rule = region.pointee.plan
        if ofKey { return voice.pointee.key == event.key && rule.pointee.rule.group == plan.pointee.rule.group }
        return plan.pointee.rule.group != 0
            ? rule.pointee.rule.group == plan.pointee.rule.group : rule.pointee.rule.limit == plan.pointee.rule.limit
    }
}
