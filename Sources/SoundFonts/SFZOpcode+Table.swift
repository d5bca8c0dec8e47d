extension SFZOpcode {
    typealias Group = (version: Version, names: String, modulations: Modulations, meaning: String)

    /// What is followed.
    static let groups: [Group] = selection + playback + levels + filters + generators + effects + names

    private static let selection: [Group] = [
        (
            .sfz1, "sample", .none,
            "The audio file, or a generator: `*sine`, `*saw`, `*square`, `*triangle`, `*noise`, `*silence`."
        ),
        (.sfz1, "lokey hikey key lovel hivel", .none, "The keys and velocities of the region."),
        (.sfz1, "lochan hichan", .none, "The channels, 1...16."),
        (.sfz1, "lobend hibend", .none, "The bend wheel's range."),
        (.sfz1, "lochanaft hichanaft lopolyaft hipolyaft", .none, "The range of pressure of the channel, or of the key."),
        (.sfz1, "lobpm hibpm", .none, "The range of the song's tempo."),
        (.sfz1, "loccN hiccN", .none, "The range in which controller N must be."),
        (.aria, "lohdccN hihdccN", .none, "The same, 0...1."),
        (.sfz2, "loprog hiprog", .none, "The programs: each is a preset of its own."),
        (.sfz1, "lorand hirand", .none, "The range of chance, 0...1, drawn once for a note."),
        (.sfz1, "seq_length seq_position", .none, "Its turn in a round."),
        (.sfz1, "sw_last sw_down sw_up sw_previous", .none, "The key switch."),
        (.sfz2, "sw_default", .none, "The switch that counts at first."),
        (.aria, "sw_lolast sw_hilast", .none, "A range of switches."),
        (
            .sfz1, "sw_lokey sw_hikey", .none,
            "Keys that are switches, besides those that regions name."
        ),
        (.sfz1, "sw_vel", .none, "The velocity of the note before."),
        (.sfz1, "trigger", .none, "attack, first, legato, release, release_key."),
        (.sfz1, "on_loccN on_hiccN", .none, "The range of controller N that starts the region."),
        (.sfz2, "start_loccN start_hiccN start_lohdccN start_hihdccN", .none, "The same."),
        (.sfz1, "group off_by off_mode", .none, "The group; the one that silences it; how."),
        (.aria, "off_time", .none, "The time in which it is silenced."),
        (.sfz2, "polyphony note_polyphony note_selfmask", .none, "The most voices of the group, and of one key."),
        (.sfz1, "rt_decay", .none, "The fall of a release for each second that the key was down."),
        (.sfz2, "rt_dead", .none, "A release that sounds though its note is silent."),
        (
            .sfz2, "sustain_sw sostenuto_sw sustain_cc", .none,
            "Whether a pedal holds it, and which controller it is."
        ),
        (.aria, "sustain_lo", .none, "The value from which the pedal is down."),
    ]

    private static let playback: [Group] = [
        (.sfz1, "delay", .atStart, "Seconds before it sounds."),
        (.sfz1, "delay_random", .none, "The most that chance adds."),
        (.sfz1, "offset", .atStart, "The frame at which it begins."),
        (.sfz1, "offset_random", .none, "The most that chance adds."),
        (.sfz1, "end", .none, "The last frame; 0 or less: the region makes no sound."),
        (.sfz1, "count", .none, "How often the sample plays."),
        (.sfz1, "loop_mode loop_start loop_end", .none, "The loop."),
        (.sfz2, "loop_count loop_crossfade loop_type", .none, "Rounds of the loop; the fade into its beginning."),
        (.sfz2, "direction", .none, "forward or reverse."),
        (.sfz1, "transpose", .none, "Semitones."),
        (.sfz1, "tune", .steady, "Cents."),
        (.aria, "group_tune master_tune global_tune", .none, "Cents that add up."),
        (.sfz1, "pitch_keycenter pitch_keytrack pitch_random", .none, "The sample's key; cents a key; cents by chance."),
        (.sfz1, "pitch_veltrack", .atStart, "Cents at full velocity."),
        (.sfz1, "bend_up bend_down bend_step", .none, "The wheel's ends in cents, and its steps."),
        (.sfz2, "bend_stepup bend_stepdown bend_smooth", .none, "Steps up and down; how slowly it follows."),
    ]

    private static let levels: [Group] = [
        (.sfz1, "volume", .steady, "Decibels."),
        (.aria, "amplitude", .steady, "Percent."),
        (.aria, "group_volume master_volume global_volume", .none, "Decibels that add up."),
        (.aria, "group_amplitude master_amplitude global_amplitude", .none, "Percent that multiply."),
        (.sfz1, "pan width position", .steady, "The place of the region, and the width of a stereo sample."),
        (.sfz1, "amp_keytrack amp_keycenter amp_random", .none, "Decibels a key; by chance."),
        (.sfz1, "amp_veltrack", .atStart, "The share of velocity."),
        (.sfz1, "amp_velcurve_N", .none, "The level at velocity N, straight between the points."),
        (.sfz1, "xfin_lokey xfin_hikey xfout_lokey xfout_hikey xf_keycurve", .none, "Fades by key."),
        (.sfz1, "xfin_lovel xfin_hivel xfout_lovel xfout_hivel xf_velcurve", .none, "Fades by velocity."),
        (.sfz1, "xfin_loccN xfin_hiccN xfout_loccN xfout_hiccN xf_cccurve", .none, "Fades by controller N."),
        (.sfz2, "xfin_lohdccN xfin_hihdccN xfout_lohdccN xfout_hihdccN", .none, "The same, 0...1."),
        (
            .sfz1, "ampeg_delay ampeg_attack ampeg_hold ampeg_decay ampeg_sustain ampeg_release ampeg_start", .atStart,
            "The level's envelope."
        ),
        (
            .sfz1, "ampeg_vel2delay ampeg_vel2attack ampeg_vel2hold ampeg_vel2decay ampeg_vel2sustain ampeg_vel2release", .none,
            "What full velocity adds."
        ),
        (.aria, "ampeg_dynamic", .none, "1: controllers move the envelope while it runs."),
    ]

    private static let effects: [Group] = [
        (.sfz1, "effect1 effect2", .none, "Percent to buses 1 and 2; without `<effect>` to the reverb and to the chorus."),
        (.sfz2, "effectN", .none, "Percent to bus N."),
        (.sfz2, "bus type", .none, "Of <effect>: main, or fx1 and so on; fverb, filter or eq."),
        (.sfz2, "directtomain fxNtomain", .none, "Of <effect>: the level of the main bus, 100, and of bus N, 0. Percent."),
        (
            .sfz2, "reverb_input reverb_dry reverb_wet", .none,
            "Of <effect> with type=fverb: percent that go in and on; what comes of it is the mixer's reverb."
        ),
        (.sfz2, "filter_type", .none, "Of <effect> with type=filter: a filter of each region that has one free."),
        (.sfz2, "filter_cutoff filter_resonance", .steady, "The same: hertz, decibels."),
        (.sfz2, "eq_type", .none, "Of <effect> with type=eq: a band of each region that has one free."),
        (.sfz2, "eq_freq eq_bw eq_gain", .steady, "The same: hertz, octaves, decibels."),
    ]

    private static let filters: [Group] = [
        (.sfz1, "fil_type", .none, "The filter."),
        (.sfz1, "cutoff resonance", .steady, "Hertz, decibels."),
        (.sfz1, "cutoff_chanaft cutoff_polyaft", .none, "Cents at full pressure of the channel, or of the key."),
        (.sfz1, "fil_keytrack fil_keycenter fil_veltrack fil_random", .none, "Cents a key, at full velocity, by chance."),
        (.aria, "fil_gain", .steady, "Decibels of a shelf or a peak."),
        (.sfz2, "fil2_type cutoff2_chanaft cutoff2_polyaft", .none, "The second filter."),
        (.sfz2, "cutoff2 resonance2 fil2_gain", .steady, "The second filter."),
        (.sfz2, "fil2_keytrack fil2_keycenter fil2_veltrack fil2_random", .none, "The second filter."),
        (.sfz1, "eq1_freq eq1_bw eq1_gain eq2_freq eq2_bw eq2_gain", .steady, "Bands: hertz, octaves, decibels."),
        (.sfz1, "eq3_freq eq3_bw eq3_gain", .steady, "The third band."),
        (
            .sfz1, "eq1_vel2freq eq1_vel2gain eq2_vel2freq eq2_vel2gain eq3_vel2freq eq3_vel2gain", .none,
            "What full velocity adds."
        ),
        (.sfz2, "eq1_type eq2_type eq3_type", .none, "peak, lshelf, hshelf."),
    ]

    private static let generators: [Group] = [
        (
            .sfz1, "fileg_delay fileg_attack fileg_hold fileg_decay fileg_sustain fileg_release fileg_start", .atStart,
            "The filter's envelope."
        ),
        (
            .sfz1, "pitcheg_delay pitcheg_attack pitcheg_hold pitcheg_decay pitcheg_sustain pitcheg_release pitcheg_start",
            .atStart,
            "The pitch's envelope."
        ),
        (.sfz1, "fileg_depth pitcheg_depth", .steady, "Cents."),
        (
            .sfz1, "fileg_vel2delay fileg_vel2attack fileg_vel2hold fileg_vel2decay fileg_vel2sustain fileg_vel2release", .none,
            "What full velocity adds."
        ),
        (
            .sfz1,
            "pitcheg_vel2delay pitcheg_vel2attack pitcheg_vel2hold pitcheg_vel2decay pitcheg_vel2sustain pitcheg_vel2release",
            .none, "What full velocity adds."
        ),
        (.sfz1, "fileg_vel2depth pitcheg_vel2depth", .none, "Cents at full velocity."),
        (.aria, "fileg_dynamic pitcheg_dynamic", .none, "1: controllers move the envelope while it runs."),
        (.sfz1, "amplfo_delay amplfo_fade pitchlfo_delay pitchlfo_fade fillfo_delay fillfo_fade", .none, "Seconds."),
        (
            .sfz1, "amplfo_depth amplfo_freq pitchlfo_depth pitchlfo_freq fillfo_depth fillfo_freq", .steady,
            "The oscillators of level, pitch and filter."
        ),
        (.sfz1, "amplfo_depthchanaft pitchlfo_depthchanaft fillfo_depthchanaft", .none, "Depth at full pressure of the channel."),
        (.sfz1, "amplfo_depthpolyaft pitchlfo_depthpolyaft fillfo_depthpolyaft", .none, "Depth at full pressure of the key."),
        (.sfz1, "amplfo_freqchanaft pitchlfo_freqchanaft fillfo_freqchanaft", .none, "Hertz at full pressure of the channel."),
        (.sfz1, "amplfo_freqpolyaft pitchlfo_freqpolyaft fillfo_freqpolyaft", .none, "Hertz at full pressure of the key."),
        (.sfz2, "lfoN_freq lfoN_phase", .steady, "Oscillators, up to eight a region."),
        (.sfz2, "lfoN_delay lfoN_fade", .atStart, "Seconds."),
        (.sfz2, "lfoN_beats lfoN_count lfoN_steps lfoN_stepN", .none, "Beats of the song; turns; levels of a sequence."),
        (.aria, "lfoN_waveN lfoN_offsetN lfoN_ratioN lfoN_scaleN", .none, "Up to four waves of an oscillator."),
        (.sfz2, "lfoN_volume lfoN_amplitude lfoN_pan lfoN_width lfoN_position lfoN_pitch", .steady, "What an oscillator moves."),
        (
            .sfz2, "lfoN_cutoffN lfoN_resonanceN lfoN_filNgain lfoN_eqNfreq lfoN_eqNbw lfoN_eqNgain lfoN_freq_lfoN", .steady,
            "What an oscillator moves."
        ),
        (.sfz2, "egN_sustain", .none, "The point at which a flex envelope waits for the key."),
        (.aria, "egN_ampeg", .none, "Makes a flex envelope that of the level."),
        (.sfz2, "egN_timeN egN_levelN", .atStart, "The points of a flex envelope."),
        (.sfz2, "egN_shapeN", .none, "The way to a point: 0 straight."),
        (.sfz2, "egN_volume egN_amplitude egN_pan egN_width egN_position egN_pitch", .steady, "What an envelope moves."),
        (.sfz2, "egN_cutoffN egN_resonanceN egN_filNgain egN_eqNfreq egN_eqNbw egN_eqNgain", .steady, "What an envelope moves."),
        (.sfz2, "egN_freq_lfoN", .none, "The rate of the oscillator that an envelope moves. Hertz."),
        (.sfz2, "phase oscillator_phase", .none, "phase=invert; the phase at which a generator begins, 0...1."),
    ]

    private static let names: [Group] = [
        (.sfz2, "default_path note_offset octave_offset", .none, "Of <control>: the folder, and a shift of all keys."),
        (.sfz2, "set_ccN", .none, "Of <control>: a controller until it is moved."),
        (.aria, "set_hdccN", .none, "The same, 0...1."),
        (.aria, "label_ccN sw_label group_label region_label master_label global_label label_keyN", .none, "Names; no sound."),
        (
            .sfz2, "hint_ram_based hint_stealing ram_based sample_quality oscillator_quality", .none,
            "Advice on memory and quality; the memory for samples decides."
        ),
        (.aria, "curve_index vN", .none, "Of <curve>: its number and its points."),
    ]

    /// What is not followed, and why.
    static let refusals: [(version: Version, names: String, reason: String)] = [
        (.sfz1, "sync_beats sync_offset", "a voice begins with its note"),
        (.sfz2, "end_onccN loop_start_onccN loop_end_onccN loop_length_onccN", "a loop stays where it is"),
        (.sfz2, "loop_length", "loop_end says where a loop ends"),
        (.sfz2, "stop_loccN stop_hiccN stop_lohdccN stop_hihdccN", "a controller stops no voice"),
        (
            .aria, "loop_tune loop_tuneN loop_lengthN loop_startN loop_endN loop_modeN loop_typeN loop_crossfadeN",
            "a sample has one loop"
        ),
        (
            .sfz2, "bitred+ decim+ drive+ drive_shape+ drive_tone+ drive_filter",
            "a voice has no such effect"
        ),
        (
            .sfz2,
            "fxNtomix dsp_order bypass_onccN param_offset dry wet input reverb_type reverb_size reverb_predelay reverb_tone reverb_damp",
            "the reverb is the mixer's, and buses go to it alone"
        ),
        (
            .sfz2,
            "apan_depth apan_dry apan_freq apan_phase apan_waveform apan_wet comp_attack comp_gain comp_ratio comp_release comp_stlink comp_threshold disto_depth disto_dry disto_stages disto_tone disto_wet gate_attack gate_onccN gate_release gate_stlink gate_threshold phaser_depth phaser_feedback phaser_freq phaser_phase_onccN phaser_stages phaser_waveform phaser_wet",
            "a bus has no such effect; add a unit to the patch"
        ),
        (
            .sfz2,
            "delay_cutoff delay_damphi delay_damplo delay_dry delay_feedback delay_filter delay_input delay_levelc delay_levell delay_levelr delay_lfofreq delay_moddepth delay_mode delay_panc delay_panl delay_panr delay_resonance delay_spread delay_syncc_onccN delay_syncl_onccN delay_syncr_onccN delay_time_tap delay_timec delay_timel delay_timer delay_wet",
            "a bus has no such effect; add a unit to the patch"
        ),
        (
            .sfz2,
            "static_cyclic_level static_cyclic_time static_filter static_level static_random_level static_random_maxtime static_random_mintime static_stereo static_tone strings_number strings_wet_onccN tdfir_dry tdfir_gain tdfir_impulse tdfir_wet",
            "a bus has no such effect; add a unit to the patch"
        ),
        (
            .sfz2,
            "egN_points egN_shape egN_loop egN_loop_count egN_loop_shape egN_follow_attack egN_follow_release egN_follow_gain egN_follow_speed",
            "a flex envelope goes from point to point once"
        ),
        (
            .sfz2, "egN_depth_lfoN egN_depthadd_lfoN lfoN_depth_lfoN lfoN_depthadd_lfoN",
            "an oscillator has its rate moved, not its depth"
        ),
        (
            .aria,
            "ampeg_attack_shape ampeg_decay_shape ampeg_release_shape ampeg_decay_zero ampeg_release_zero fileg_decay_zero fileg_release_zero pitcheg_decay_zero pitcheg_release_zero",
            "the ways of this envelope have one shape"
        ),
        (
            .aria,
            "fileg_attack_shape fileg_decay_shape fileg_release_shape pitcheg_attack_shape pitcheg_decay_shape pitcheg_release_shape",
            "the ways of this envelope have one shape"
        ),
        (.sfz2, "oscillator oscillator_mode oscillator_multi oscillator_detune oscillator_mod_depth", "a generator is one voice"),
        (.sfz2, "noise_filter noise_level+ noise_step+ noise_tone+ noise_stereo", "noise is not shaped"),
        (
            .sfz2, "lfoN_bitred+ lfoN_decim+ lfoN_drive+ lfoN_noiselevel+ lfoN_noisestep+ lfoN_noisetone+",
            "a voice has nothing of that"
        ),
        (.sfz2, "egN_bitred+ egN_decim+ egN_drive+ egN_noiselevel+ egN_noisestep+ egN_noisetone+", "a voice has nothing of that"),
        (.sfz2, "lfoN_stepN_onccN lfoN_stepN_smoothccN lfoN_stepN_stepccN lfoN_stepN_on", "the levels of a sequence stay"),
        (.aria, "egN_glide_speed egN_glide_time", "an envelope is no glide"),
        (.sfz1, "output", "a preset has one output"),
        (.aria, "sostenuto_cc sostenuto_lo", "the sostenuto pedal is controller 66"),
        (.sfz2, "pan_keytrack pan_keycenter pan_veltrack", "pan follows neither key nor velocity"),
        (
            .aria,
            "position_keytrack position_keycenter position_veltrack pan_random position_random pan_law",
            "pan follows neither key nor velocity"
        ),
        (
            .aria, "tune_keytrack tune_veltrack tune_random resonance_random resonance2_random amp_veltrack_random",
            "pitch_keytrack, pitch_veltrack, pitch_random and fil_random are followed"
        ),
        (.sfz2, "lotimer hitimer sustain_cancels_release polyphony_stealing", "nothing keeps these times"),
        (.sfz2, "delay_samples+ delay_beats+ delay_beats_random stop_beats", "times are in seconds"),
        (.aria, "off_curve off_shape", "off_mode and off_time say how a region ends"),
        (.aria, "rt_decayN rt_decayN_time", "a release falls at one pace"),
        (.aria, "sw_note_offset sw_octave_offset", "switches move with all other keys"),
        (.aria, "egN_dynamic", "a flex envelope has its points when it begins"),
        (.aria, "eqN_dynamic", "a band follows its controllers in any case"),
        (.sfz2, "egN_rectify egN_ringmod egN_pan_curve egN_driveshape egN_curveN lfoN_smooth", "a voice has nothing of that"),
        (.aria, "varN_mod varN_onccN varN_curveccN", "a voice has no variables"),
        (.aria, "sample_dyn_paramN+ lfoN_sample_dyn_paramN", "a sample has no parameters"),
        (.sfz2, "load_mode load_start load_end sample_fadeout md5 internal", "all of a sample plays, and the memory decides"),
        (.sfz2, "reverse_loccN reverse_hiccN offset_mode oscillator_table_size waveguide", "a sample plays as direction says"),
        (.sfz2, "image vendor_specific", "there is nothing to show"),
    ]
}
