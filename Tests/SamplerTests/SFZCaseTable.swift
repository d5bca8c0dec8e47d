/// A case for each opcode that is followed: `name | text | values | what is measured | moves`.
///
/// `@` in the text is the value; `R` is a region that loops a sine of 480 Hz, the pitch of key 69. Measured are, for each value,
/// level (dB), pitch (cents), balance (dB to the right), onset and end (seconds), which notes play (T, F; of four strokes 1, 0), or
/// that sounds differ. Moves are `note`, 0.1 s to 0.9 s, and others at seconds: + and - keys, c controllers, b the wheel, p and a
/// pressure of channel and key, g a program, x a key on channel 2. Numbers are those of sfzformat.com, or follow from its formulas.
enum SFZCaseTable {
    static let text = """
        sample | <region> sample=@ | *sine;*saw;*noise | differ
        lokey | R lokey=@ | 60;69;70 | plays TTF
        hikey | R hikey=@ | 60;69;70 | plays FTT
        key | R key=@ | 60;69;70 | plays FTF
        lovel | R lovel=@ | 1;64;65 | plays TTF | note69/64
        hivel | R hivel=@ | 63;64;127 | plays FTT | note69/64
        lochan | R lochan=@ | 1;2;16 | plays TFF
        hichan | R hichan=@ | 1;2;16 | plays FTT | 0.1x69/127
        lobend | R lobend=@ | 0;1000;1001 | plays TTF | 0b1000 note
        hibend | R hibend=@ | 999;1000;8191 | plays FTT | 0b1000 note
        lochanaft | R lochanaft=@ | 0;64;65 | plays TTF | 0p64/0 note
        hichanaft | R hichanaft=@ | 63;64;127 | plays FTT | 0p64/0 note
        lopolyaft | R lopolyaft=@ | 0;64;65 | plays TTF | 0a69/64 note
        hipolyaft | R hipolyaft=@ | 63;64;127 | plays FTT | 0a69/64 note
        lobpm | R lobpm=@ | 100;120;121 | plays TTF
        hibpm | R hibpm=@ | 119;120;200 | plays FTT
        loccN | R locc20=@ | 0;64;65 | plays TTF | 0c20/64 note
        hiccN | R hicc20=@ | 63;64;127 | plays FTT | 0c20/64 note
        lohdccN | R lohdcc20=@ | 0;0.5;0.6 | plays TTF | 0c20/64 note
        hihdccN | R hihdcc20=@ | 0.4;0.51;1 | plays FTT | 0c20/64 note
        loprog | R hiprog=0\\nR loprog=@ hiprog=9 transpose=12 | 0;1;2 | pitch 1200 1200 0 | 0g1/0 note
        hiprog | R hiprog=0\\nR loprog=1 hiprog=@ transpose=12 | 2;3;4 | pitch 0 1200 1200 | 0g3/0 note
        lorand | R lorand=@ | 0;0.999999;1 | plays TFF
        hirand | R hirand=@ | 0;1e-06;1 | plays FFT
        seq_length | R seq_length=@ seq_position=1 | 1;2;3 | strokes 1111 1010 1001 | strokes
        seq_position | R seq_length=3 seq_position=@ | 1;2;3 | strokes 1001 0100 0010 | strokes
        sw_last | R lokey=40 sw_last=@ | 24;25;26 | plays FTF | 0.02+25/1 0.04-25 note
        sw_down | R lokey=40 sw_down=@ | 24;25;26 | plays FTF | 0.02+25/1 note
        sw_up | R lokey=40 sw_up=@ | 24;25;26 | plays TFT | 0.02+25/1 note
        sw_previous | R lokey=40 sw_previous=@ | 24;25;26 | plays FTF | 0.02+25/1 0.04-25 note
        sw_default | R lokey=40 sw_last=25 sw_default=@ | 24;25;26 | plays FTF
        sw_lolast | R lokey=40 sw_lolast=@ sw_hilast=30 | 24;25;26 | plays TTF | 0.02+25/1 0.04-25 note
        sw_hilast | R lokey=40 sw_lolast=20 sw_hilast=@ | 24;25;26 | plays FTT | 0.02+25/1 0.04-25 note
        sw_lokey | R lokey=40 sw_last=30 sw_hikey=39 sw_lokey=@ | 20;25;26 | plays FFT | 0.01+30/1 0.02-30 0.03+25/1 \
        0.04-25 note
        sw_hikey | R lokey=40 sw_last=25 sw_lokey=20 sw_hikey=@ | 24;29;30 | plays TTF | 0.01+25/1 0.02-25 0.03+30/1 \
        0.04-30 note
        sw_vel | R lokey=65 sw_vel=@ | current;previous | level 0 -23.95 | 0.02+60/32 0.04-60 note
        trigger | R trigger=@ | attack;first;legato;release;release_key | plays TTFFF
        on_loccN | R hikey=-1 on_locc20=@ on_hicc20=127 | 0;64;65 | plays TTF | 0.1c20/64
        on_hiccN | R hikey=-1 on_locc20=1 on_hicc20=@ | 63;64;127 | plays FTT | 0.1c20/64
        start_loccN | R hikey=-1 start_locc20=@ start_hicc20=127 | 0;64;65 | plays TTF | 0.1c20/64
        start_hiccN | R hikey=-1 start_locc20=1 start_hicc20=@ | 63;64;127 | plays FTT | 0.1c20/64
        start_lohdccN | R hikey=-1 start_lohdcc20=@ start_hihdcc20=1 | 0.1;0.5;0.6 | plays TTF | 0.1c20/64
        start_hihdccN | R hikey=-1 start_lohdcc20=0.1 start_hihdcc20=@ | 0.4;0.51;1 | plays FTT | 0.1c20/64
        group | R key=69 off_by=1\\nR key=42 group=@ end=-1 | 0;1;2 | plays TFT | note 0.3+42/127
        off_by | R key=69 off_by=@\\nR key=42 group=1 end=-1 | 0;1;2 | plays TFT | note 0.3+42/127
        off_mode | R key=69 off_by=1 off_time=0.3 ampeg_release=1 off_mode=@\\nR key=42 group=1 end=-1 | fast;normal;time \
        | differ | note 0.3+42/127
        off_time | R key=69 off_by=1 off_mode=time off_time=@\\nR key=42 group=1 end=-1 | 0.1;0.2;0.4 | level -39.1 -19.5 \
        -9.8 @0.348-0.352 | note 0.3+42/127
        polyphony | R group=1 polyphony=@ ampeg_release=9 | 1;2;3 | differ | 0.1+60/127 0.2+64/127 0.3+69/127
        note_polyphony | R note_polyphony=@ ampeg_release=60 | 1;2;3 | differ | 0.1+69/127 0.2-69 0.21+69/127 0.3-69 \
        0.31+69/127
        note_selfmask | R note_polyphony=1 ampeg_release=60 note_selfmask=@ | on;off | differ | 0.1+69/127 0.2-69 \
        0.21+69/127 0.3-69 0.31+69/20
        rt_decay | R volume=-90\\nR trigger=release loop_count=1000 rt_decay=@ | 0;10;20 | level 0 -3 -6 @0.5-0.7 | \
        0.1+69/127 0.4-69
        rt_dead | <region> sample=sine.wav end=100\\nR trigger=release loop_count=1000 rt_dead=@ | off;on | plays FT | \
        0.1+69/127 0.3-69
        sustain_sw | R sustain_sw=@ | on;off | plays TF | 0c64/127 0.1+69/127 0.3-69
        sostenuto_sw | R sostenuto_sw=@ | on;off | plays TF | 0.1+69/127 0.2c66/127 0.3-69
        sustain_cc | R sustain_cc=@ | 64;20;21 | plays FTF | 0c20/127 0.1+69/127 0.3-69
        sustain_lo | R sustain_lo=@ | 1;64;65 | plays TTF | 0c64/64 0.1+69/127 0.3-69
        delay | R delay=@ | 0;0.1;0.25 | onset 0.1 0.2 0.35
        delay_random | R delay_random=@ | 0;0.1;0.3 | differ
        offset | <region> sample=sine.wav pitch_keycenter=69 offset=@ | 24000;36000;43200 | end 0.6 0.35 0.2
        offset_random | <region> sample=noise.wav offset_random=@ | 0;1000;20000 | differ
        end | <region> sample=sine.wav pitch_keycenter=69 end=@ | 4799;9599;19199 | end 0.2 0.3 0.5
        count | <region> sample=sine.wav pitch_keycenter=69 end=4799 count=@ | 1;2;3 | end 0.2 0.3 0.4
        loop_mode | <region> sample=sine.wav pitch_keycenter=69 end=14399 loop_end=9599 loop_mode=@ | \
        no_loop;one_shot;loop_continuous | end 0.2 0.4 0.2 | 0.1+69/127 0.2-69
        loop_start | <region> sample=noise.wav loop_mode=loop_continuous loop_end=9599 loop_start=@ | 0;2400;4800 | differ
        loop_end | <region> sample=noise.wav loop_mode=loop_continuous loop_end=@ | 2400;4800;9599 | differ
        loop_count | <region> sample=sine.wav pitch_keycenter=69 loop_mode=loop_continuous loop_start=0 loop_end=4799 \
        end=4799 loop_count=@ | 1;2;3 | end 0.3 0.4 0.5
        loop_crossfade | <region> sample=noise.wav loop_mode=loop_continuous loop_start=9600 loop_end=14399 \
        loop_crossfade=@ | 0;0.01;0.05 | differ
        loop_type | R loop_type=@ | forward | plays T
        direction | <region> sample=noise.wav direction=@ | forward;reverse | differ
        transpose | R transpose=@ | -12;0;7 | pitch -1200 0 700
        tune | R tune=@ | -100;50;300 | pitch -100 50 300
        group_tune | R group_tune=@ | -100;50;300 | pitch -100 50 300
        master_tune | R master_tune=@ | -100;50;300 | pitch -100 50 300
        global_tune | R global_tune=@ | -100;50;300 | pitch -100 50 300
        pitch_keycenter | R pitch_keycenter=@ | 57;69;81 | pitch 1200 0 -1200
        pitch_keytrack | R pitch_keytrack=@ | 0;50;100 | pitch 0 600 1200 | note81/127
        pitch_random | R pitch_random=@ | 0;600;1200 | differ
        pitch_veltrack | R pitch_veltrack=@ | 0;600;-600 | pitch 0 600 -600
        bend_up | R bend_up=@ | 0;200;1200 | pitch 0 200 1200 | 0b8191 note
        bend_down | R bend_down=@ | -200;0;-1200 | pitch -200 0 -1200 | 0b-8192 note
        bend_step | R bend_up=1200 bend_step=@ | 100;200;1200 | pitch 500 400 0 | 0b4000 note
        bend_stepup | R bend_up=1200 bend_stepup=@ | 100;200;1200 | pitch 500 400 0 | 0b4000 note
        bend_stepdown | R bend_down=-1200 bend_stepdown=@ | 100;200;1200 | pitch -500 -400 0 | 0b-4000 note
        bend_smooth | R bend_up=1200 bend_smooth=@ | 0;100;300 | differ | note 0.3b8000
        volume | R volume=@ | -20;-6;6 | level -20 -6 6
        group_volume | R group_volume=@ | -20;-6;6 | level -20 -6 6
        master_volume | R master_volume=@ | -20;-6;6 | level -20 -6 6
        global_volume | R global_volume=@ | -20;-6;6 | level -20 -6 6
        amplitude | R amplitude=@ | 100;50;10 | level 0 -6.02 -20
        group_amplitude | R group_amplitude=@ | 100;50;10 | level 0 -6.02 -20
        master_amplitude | R master_amplitude=@ | 100;50;10 | level 0 -6.02 -20
        global_amplitude | R global_amplitude=@ | 100;50;10 | level 0 -6.02 -20
        pan | R pan=@ | -50;0;50 | balance -7.66 0 7.66
        width | <region> sample=a b/stereo.wav pitch_keycenter=69 loop_mode=loop_continuous width=@ | -100;0;50 | differ
        position | <region> sample=a b/stereo.wav pitch_keycenter=69 loop_mode=loop_continuous width=0 position=@ | \
        -50;0;50 | balance -7.66 0 7.66
        amp_keytrack | R amp_keycenter=69 amp_keytrack=@ | -1;0;0.5 | level -12 0 6 | note81/127
        amp_keycenter | R amp_keytrack=-1 amp_keycenter=@ | 57;69;81 | level -24 -12 0 | note81/127
        amp_random | R amp_random=@ | 0;6;12 | differ
        amp_veltrack | R amp_veltrack=@ | 0;50;100 | level 0 -4.06 -11.9 | note69/64
        amp_velcurve_N | R amp_velcurve_64=@ | 0.1;0.5;1 | level -20 -6.02 0 | note69/64
        xfin_hikey | R xfin_lokey=60 xfin_hikey=@ | 69;78;96 | level 0 -3.01 -6.02
        xfin_lokey | R xfin_hikey=78 xfin_lokey=@ | 51;60;66 | level -1.76 -3.01 -6.02
        xfout_lokey | R xfout_hikey=78 xfout_lokey=@ | 60;66;69 | level -3.01 -1.25 0
        xfout_hikey | R xfout_lokey=60 xfout_hikey=@ | 72;78;96 | level -6.02 -3.01 -1.25
        xf_keycurve | R xfin_lokey=60 xfin_hikey=78 xf_keycurve=@ | power;gain | level -3.01 -6.02
        xfin_lovel | R amp_veltrack=0 xfin_hivel=105 xfin_lovel=@ | 4;24;44 | level -2.22 -3.01 -4.77 | note69/64
        xfin_hivel | R amp_veltrack=0 xfin_lovel=24 xfin_hivel=@ | 85;105;127 | level -1.76 -3.01 -4.07 | note69/64
        xfout_lovel | R amp_veltrack=0 xfout_hivel=105 xfout_lovel=@ | 24;44;64 | level -3.01 -1.76 0 | note69/64
        xfout_hivel | R amp_veltrack=0 xfout_lovel=24 xfout_hivel=@ | 85;105;127 | level -4.77 -3.01 -2.16 | note69/64
        xfin_loccN | R xfin_hicc20=105 xfin_locc20=@ | 4;24;44 | level -2.22 -3.01 -4.77 | 0c20/64 note
        xfin_hiccN | R xfin_locc20=24 xfin_hicc20=@ | 85;105;127 | level -1.76 -3.01 -4.07 | 0c20/64 note
        xfout_loccN | R xfout_hicc20=105 xfout_locc20=@ | 24;44;64 | level -3.01 -1.76 0 | 0c20/64 note
        xfout_hiccN | R xfout_locc20=24 xfout_hicc20=@ | 85;105;127 | level -4.77 -3.01 -2.16 | 0c20/64 note
        xfin_lohdccN | R xfin_hihdcc20=0.826772 xfin_lohdcc20=@ | 0.031496;0.188976;0.346457 | level -2.22 -3.01 -4.77 | \
        0c20/64 note
        xfin_hihdccN | R xfin_lohdcc20=0.188976 xfin_hihdcc20=@ | 0.669291;0.826772;1.0 | level -1.76 -3.01 -4.07 | \
        0c20/64 note
        xfout_lohdccN | R xfout_hihdcc20=0.826772 xfout_lohdcc20=@ | 0.188976;0.346457;0.503937 | level -3.01 -1.76 0 | \
        0c20/64 note
        xfout_hihdccN | R xfout_lohdcc20=0.188976 xfout_hihdcc20=@ | 0.669291;0.826772;1.0 | level -4.77 -3.01 -2.16 | \
        0c20/64 note
        xf_velcurve | R amp_veltrack=0 xfin_lovel=24 xfin_hivel=105 xf_velcurve=@ | power;gain | level -3.01 -6.02 | \
        note69/64
        xf_cccurve | R xfin_locc20=24 xfin_hicc20=105 xf_cccurve=@ | power;gain | level -3.01 -6.02 | 0c20/64 note
        ampeg_delay | R ampeg_delay=@ | 0;0.1;0.25 | onset 0.1 0.2 0.35
        ampeg_attack | R ampeg_attack=@ | 0.2;0.4;0.8 | level -6.02 -12.04 -18.06 @0.195-0.205
        ampeg_hold | R ampeg_sustain=0 ampeg_hold=@ | 0.1;0.2;0.4 | end 0.2 0.3 0.5
        ampeg_decay | R ampeg_sustain=0 ampeg_decay=@ | 0.2;0.4;0.8 | level -39.1 -19.5 -9.8 @0.198-0.202
        ampeg_sustain | R ampeg_decay=0.01 ampeg_sustain=@ | 10;50;100 | level -20 -6.02 0
        ampeg_release | R ampeg_release=@ | 0.2;0.4;0.8 | level -39.1 -19.5 -9.8 @0.398-0.402 | 0.1+69/127 0.3-69
        ampeg_start | R ampeg_attack=0.8 ampeg_start=@ | 0;25;50 | level -24.08 -10.1 -5 @0.145-0.155
        ampeg_vel2delay | R ampeg_vel2delay=@ | 0;0.1;0.25 | onset 0.1 0.2 0.35
        ampeg_vel2attack | R ampeg_vel2attack=@ | 0.2;0.4;0.8 | level -6.02 -12.04 -18.06 @0.195-0.205
        ampeg_vel2hold | R ampeg_sustain=0 ampeg_vel2hold=@ | 0.1;0.2;0.4 | end 0.2 0.3 0.5
        ampeg_vel2decay | R ampeg_sustain=0 ampeg_vel2decay=@ | 0.2;0.4;0.8 | level -39.1 -19.5 -9.8 @0.198-0.202
        ampeg_vel2sustain | R ampeg_decay=0.01 ampeg_sustain=0 ampeg_vel2sustain=@ | 10;50;100 | level -20 -6.02 0
        ampeg_vel2release | R ampeg_vel2release=@ | 0.2;0.4;0.8 | level -39.1 -19.5 -9.8 @0.398-0.402 | 0.1+69/127 0.3-69
        ampeg_dynamic | R ampeg_decay=0.01 ampeg_sustain=100 ampeg_sustain_oncc20=-50 ampeg_dynamic=@ | 0;1 | differ | \
        note 0.4c20/127
        fil_type | <region> sample=noise.wav cutoff=1000 fil_type=@ | lpf_1p;hpf_2p;bpf_4p;pink | differ
        cutoff | R cutoff=@ | 120;240;480 | level -23.82 -11.14 0
        resonance | R cutoff=480 resonance=@ | 0;6;12 | level 0 6 12
        cutoff_chanaft | R cutoff=240 cutoff_chanaft=@ | -1200;0;1200 | level -23.82 -11.14 0 | 0p127/0 note
        cutoff_polyaft | R cutoff=240 cutoff_polyaft=@ | -1200;0;1200 | level -23.82 -11.14 0 | 0a69/127 note
        fil_keytrack | R cutoff=480 fil_keycenter=69 fil_keytrack=@ | -100;0;100 | level -23.82 -11.14 0 | note81/127
        fil_keycenter | R cutoff=480 fil_keytrack=100 fil_keycenter=@ | 57;69;81 | level 0.9 0 -11.14 | note81/127
        fil_veltrack | R cutoff=240 fil_veltrack=@ | -1200;0;1200 | level -23.82 -11.14 0
        fil_random | R cutoff=240 fil_random=@ | 0;1200;2400 | differ
        bus | <effect> bus=@ type=filter filter_cutoff=240\\nR effect1=100 | main;fx1;fx2 | level -11.14 0 0
        type | <effect> type=@ filter_cutoff=240 reverb_dry=50\\nR | filter;fverb;phaser | level -11.14 -6.02 0
        directtomain | <effect> directtomain=@\\nR | 25;50;100 | level -12.04 -6.02 0
        fxNtomain | <effect> directtomain=0 fx1tomain=@\\nR effect1=100 | 25;50;100 | level -12.04 -6.02 0
        effectN | <effect> directtomain=0 fx3tomain=100\\nR effect3=@ | 25;50;100 | level -12.04 -6.02 0
        reverb_dry | <effect> type=fverb reverb_dry=@\\nR | 25;50;100 | level -12.04 -6.02 0
        filter_type | <effect> bus=fx1 type=filter directtomain=0 fx1tomain=100 filter_cutoff=1000 filter_type=@\\n\
        <region> sample=noise.wav effect1=100 | lpf_1p;hpf_2p;bpf_4p | differ
        filter_cutoff | <effect> type=filter filter_cutoff=@\\nR | 120;240;480 | level -23.82 -11.14 0
        filter_resonance | <effect> type=filter filter_cutoff=480 filter_resonance=@\\nR | 0;6;12 | level 0 6 12
        eq_type | <effect> type=eq eq_freq=300 eq_gain=12 eq_type=@\\nR | peak;lshelf;hshelf | differ
        eq_freq | <effect> type=eq eq_gain=12 eq_freq=@\\nR | 240;360;480 | differ
        eq_bw | <effect> type=eq eq_freq=240 eq_gain=12 eq_bw=@\\nR | 0.5;1;3 | differ
        eq_gain | <effect> type=eq eq_freq=480 eq_gain=@\\nR | -12;6;12 | level -12 6 12
        fil_gain | R fil_type=peq cutoff=480 fil_gain=@ | -12;6;12 | level -12 6 12
        fil2_type | <region> sample=noise.wav cutoff2=1000 fil2_type=@ | lpf_1p;hpf_2p;bpf_4p | differ
        cutoff2 | R cutoff2=@ | 120;240;480 | level -23.82 -11.14 0
        resonance2 | R cutoff2=480 resonance2=@ | 0;6;12 | level 0 6 12
        cutoff2_chanaft | R cutoff2=240 cutoff2_chanaft=@ | -1200;0;1200 | level -23.82 -11.14 0 | 0p127/0 note
        cutoff2_polyaft | R cutoff2=240 cutoff2_polyaft=@ | -1200;0;1200 | level -23.82 -11.14 0 | 0a69/127 note
        fil2_keytrack | R cutoff2=480 fil2_keycenter=69 fil2_keytrack=@ | -100;0;100 | level -23.82 -11.14 0 | note81/127
        fil2_keycenter | R cutoff2=480 fil2_keytrack=100 fil2_keycenter=@ | 57;69;81 | level 0.9 0 -11.14 | note81/127
        fil2_veltrack | R cutoff2=240 fil2_veltrack=@ | -1200;0;1200 | level -23.82 -11.14 0
        fil2_random | R cutoff2=240 fil2_random=@ | 0;1200;2400 | differ
        fil2_gain | R fil2_type=peq cutoff2=480 fil2_gain=@ | -12;6;12 | level -12 6 12
        eq1_gain | R eq1_freq=480 eq1_gain=@ | -12;6;12 | level -12 6 12
        eq1_freq | R eq1_gain=12 eq1_freq=@ | 240;360;480 | differ
        eq1_bw | R eq1_freq=240 eq1_gain=12 eq1_bw=@ | 0.5;1;3 | differ
        eq1_vel2freq | R eq1_freq=240 eq1_gain=12 eq1_vel2freq=@ | 0;120;240 | differ
        eq1_vel2gain | R eq1_freq=480 eq1_vel2gain=@ | -12;6;12 | level -12 6 12
        eq1_type | R eq1_freq=300 eq1_gain=12 eq1_type=@ | peak;lshelf;hshelf | differ
        eq2_gain | R eq2_freq=480 eq2_gain=@ | -12;6;12 | level -12 6 12
        eq2_freq | R eq2_gain=12 eq2_freq=@ | 240;360;480 | differ
        eq2_bw | R eq2_freq=240 eq2_gain=12 eq2_bw=@ | 0.5;1;3 | differ
        eq2_vel2freq | R eq2_freq=240 eq2_gain=12 eq2_vel2freq=@ | 0;120;240 | differ
        eq2_vel2gain | R eq2_freq=480 eq2_vel2gain=@ | -12;6;12 | level -12 6 12
        eq2_type | R eq2_freq=300 eq2_gain=12 eq2_type=@ | peak;lshelf;hshelf | differ
        eq3_gain | R eq3_freq=480 eq3_gain=@ | -12;6;12 | level -12 6 12
        eq3_freq | R eq3_gain=12 eq3_freq=@ | 240;360;480 | differ
        eq3_bw | R eq3_freq=240 eq3_gain=12 eq3_bw=@ | 0.5;1;3 | differ
        eq3_vel2freq | R eq3_freq=240 eq3_gain=12 eq3_vel2freq=@ | 0;120;240 | differ
        eq3_vel2gain | R eq3_freq=480 eq3_vel2gain=@ | -12;6;12 | level -12 6 12
        eq3_type | R eq3_freq=300 eq3_gain=12 eq3_type=@ | peak;lshelf;hshelf | differ
        pitcheg_delay | R pitcheg_depth=1200 pitcheg_delay=@ | 0;0.05;0.3 | pitch 1200 1200 0 @0.18-0.22
        pitcheg_attack | R pitcheg_depth=1200 pitcheg_attack=@ | 0.4;0.8;1.6 | pitch 300 150 75 @0.18-0.22
        pitcheg_hold | R pitcheg_depth=1200 pitcheg_sustain=0 pitcheg_hold=@ | 0.1;0.3;0.5 | pitch 0 1200 1200 @0.28-0.32
        pitcheg_decay | R pitcheg_depth=1200 pitcheg_sustain=0 pitcheg_decay=@ | 0.4;0.8;1.6 | pitch 126.5 389.6 683.8 \
        @0.18-0.22
        pitcheg_sustain | R pitcheg_depth=1200 pitcheg_decay=0.01 pitcheg_sustain=@ | 0;50;100 | pitch 0 600 1200
        pitcheg_release | R pitcheg_depth=1200 ampeg_release=20 pitcheg_release=@ | 0.4;0.8;1.6 | pitch 126.5 389.6 683.8 \
        @0.38-0.42 | 0.1+69/127 0.3-69
        pitcheg_vel2delay | R pitcheg_depth=1200 pitcheg_vel2delay=@ | 0;0.05;0.3 | pitch 1200 1200 0 @0.18-0.22
        pitcheg_vel2attack | R pitcheg_depth=1200 pitcheg_vel2attack=@ | 0.4;0.8;1.6 | pitch 300 150 75 @0.18-0.22
        pitcheg_vel2hold | R pitcheg_depth=1200 pitcheg_sustain=0 pitcheg_vel2hold=@ | 0.1;0.3;0.5 | pitch 0 1200 1200 \
        @0.28-0.32
        pitcheg_vel2decay | R pitcheg_depth=1200 pitcheg_sustain=0 pitcheg_vel2decay=@ | 0.4;0.8;1.6 | pitch 126.5 389.6 \
        683.8 @0.18-0.22
        pitcheg_vel2sustain | R pitcheg_depth=1200 pitcheg_decay=0.01 pitcheg_sustain=0 pitcheg_vel2sustain=@ | 0;50;100 \
        | pitch 0 600 1200
        pitcheg_vel2release | R pitcheg_depth=1200 ampeg_release=20 pitcheg_vel2release=@ | 0.4;0.8;1.6 | pitch 126.5 \
        389.6 683.8 @0.38-0.42 | 0.1+69/127 0.3-69
        pitcheg_start | R pitcheg_depth=1200 pitcheg_attack=0.8 pitcheg_start=@ | 0;50;100 | pitch 75 675 1200 @0.13-0.17
        pitcheg_depth | R pitcheg_depth=@ | 100;600;1200 | pitch 100 600 1200
        pitcheg_vel2depth | R pitcheg_vel2depth=@ | 100;600;-600 | pitch 100 600 -600
        pitcheg_dynamic | R pitcheg_depth=1200 pitcheg_decay=0.01 pitcheg_sustain_oncc20=-50 pitcheg_dynamic=@ | 0;1 | \
        differ | note 0.4c20/127
        fileg_delay | R cutoff=240 fileg_depth=1200 fileg_delay=@ | 0;0.05;0.3 | level 0 0 -11.14 @0.18-0.22
        fileg_attack | R cutoff=240 fileg_depth=1200 fileg_attack=@ | 0.2;0.4;0.8 | differ
        fileg_hold | R cutoff=240 fileg_depth=1200 fileg_sustain=0 fileg_hold=@ | 0.1;0.3;0.5 | level -11.14 0 0 @0.28-0.32
        fileg_decay | R cutoff=240 fileg_depth=1200 fileg_sustain=0 fileg_decay=@ | 0.4;0.8;1.6 | differ
        fileg_sustain | R cutoff=240 fileg_depth=1200 fileg_decay=0.01 fileg_sustain=@ | 0;50;100 | level -11.14 -4.77 0
        fileg_release | R cutoff=240 fileg_depth=1200 ampeg_release=20 fileg_release=@ | 0.4;0.8;1.6 | differ | \
        0.1+69/127 0.3-69
        fileg_vel2delay | R cutoff=240 fileg_depth=1200 fileg_vel2delay=@ | 0;0.05;0.3 | level 0 0 -11.14 @0.18-0.22
        fileg_vel2attack | R cutoff=240 fileg_depth=1200 fileg_vel2attack=@ | 0.2;0.4;0.8 | differ
        fileg_vel2hold | R cutoff=240 fileg_depth=1200 fileg_sustain=0 fileg_vel2hold=@ | 0.1;0.3;0.5 | level -11.14 0 0 \
        @0.28-0.32
        fileg_vel2decay | R cutoff=240 fileg_depth=1200 fileg_sustain=0 fileg_vel2decay=@ | 0.4;0.8;1.6 | differ
        fileg_vel2sustain | R cutoff=240 fileg_depth=1200 fileg_decay=0.01 fileg_sustain=0 fileg_vel2sustain=@ | 0;50;100 \
        | level -11.14 -4.77 0
        fileg_vel2release | R cutoff=240 fileg_depth=1200 ampeg_release=20 fileg_vel2release=@ | 0.4;0.8;1.6 | differ | \
        0.1+69/127 0.3-69
        fileg_start | R cutoff=240 fileg_depth=1200 fileg_attack=0.8 fileg_start=@ | 0;50;100 | differ
        fileg_depth | R cutoff=240 fileg_depth=@ | -1200;0;1200 | level -23.82 -11.14 0
        fileg_vel2depth | R cutoff=240 fileg_vel2depth=@ | -1200;0;1200 | level -23.82 -11.14 0
        fileg_dynamic | R cutoff=240 fileg_depth=1200 fileg_decay=0.01 fileg_sustain_oncc20=-50 fileg_dynamic=@ | 0;1 | \
        differ | note 0.4c20/127
        amplfo_depth | R amplfo_freq=1 amplfo_depth=@ | 3;6;12 | level 3 6 12 @0.34-0.36
        amplfo_freq | R amplfo_depth=6 amplfo_freq=@ | 0.5;1;2 | level 4.5 6 0 @0.34-0.36
        amplfo_delay | R amplfo_depth=6 amplfo_freq=1 amplfo_delay=@ | 0;0.125;0.25 | level 6 4.5 0 @0.34-0.36
        amplfo_fade | R amplfo_depth=6 amplfo_freq=1 amplfo_fade=@ | 0;0.5;1 | level 6 3.0 1.5 @0.34-0.36
        amplfo_depthchanaft | R amplfo_freq=1 amplfo_depthchanaft=@ | 3;6;12 | level 3 6 12 @0.34-0.36 | 0p127/0 note
        amplfo_depthpolyaft | R amplfo_freq=1 amplfo_depthpolyaft=@ | 3;6;12 | level 3 6 12 @0.34-0.36 | 0a69/127 note
        amplfo_freqchanaft | R amplfo_depth=6 amplfo_freqchanaft=@ | 0.5;1;2 | level 4.5 6 0 @0.34-0.36 | 0p127/0 note
        amplfo_freqpolyaft | R amplfo_depth=6 amplfo_freqpolyaft=@ | 0.5;1;2 | level 4.5 6 0 @0.34-0.36 | 0a69/127 note
        pitchlfo_depth | R pitchlfo_freq=1 pitchlfo_depth=@ | 150;300;600 | pitch 150 300 600 @0.34-0.36
        pitchlfo_freq | R pitchlfo_depth=150 pitchlfo_freq=@ | 0.5;1;2 | pitch 112.5 150 0 @0.34-0.36
        pitchlfo_delay | R pitchlfo_depth=150 pitchlfo_freq=1 pitchlfo_delay=@ | 0;0.125;0.25 | pitch 150 112.5 0 @0.34-0.36
        pitchlfo_fade | R pitchlfo_depth=150 pitchlfo_freq=1 pitchlfo_fade=@ | 0;0.5;1 | pitch 150 75.0 37.5 @0.34-0.36
        pitchlfo_depthchanaft | R pitchlfo_freq=1 pitchlfo_depthchanaft=@ | 150;300;600 | pitch 150 300 600 @0.34-0.36 | \
        0p127/0 note
        pitchlfo_depthpolyaft | R pitchlfo_freq=1 pitchlfo_depthpolyaft=@ | 150;300;600 | pitch 150 300 600 @0.34-0.36 | \
        0a69/127 note
        pitchlfo_freqchanaft | R pitchlfo_depth=150 pitchlfo_freqchanaft=@ | 0.5;1;2 | pitch 112.5 150 0 @0.34-0.36 | \
        0p127/0 note
        pitchlfo_freqpolyaft | R pitchlfo_depth=150 pitchlfo_freqpolyaft=@ | 0.5;1;2 | pitch 112.5 150 0 @0.34-0.36 | \
        0a69/127 note
        fillfo_depth | R cutoff=240 fillfo_freq=1 fillfo_depth=@ | -1200;0;1200 | level -23.82 -11.14 0 @0.34-0.36
        fillfo_freq | R cutoff=240 fillfo_depth=1200 fillfo_freq=@ | 0.5;1;2 | level -2.0 0 -11.14 @0.34-0.36
        fillfo_delay | R cutoff=240 fillfo_depth=1200 fillfo_freq=1 fillfo_delay=@ | 0;0.125;0.25 | level 0 -2.0 -11.14 \
        @0.34-0.36
        fillfo_fade | R cutoff=240 fillfo_depth=1200 fillfo_freq=1 fillfo_fade=@ | 0;0.5;1 | level 0 -4.77 -7.9 @0.34-0.36
        fillfo_depthchanaft | R cutoff=240 fillfo_freq=1 fillfo_depthchanaft=@ | -1200;0;1200 | level -23.82 -11.14 0 \
        @0.34-0.36 | 0p127/0 note
        fillfo_depthpolyaft | R cutoff=240 fillfo_freq=1 fillfo_depthpolyaft=@ | -1200;0;1200 | level -23.82 -11.14 0 \
        @0.34-0.36 | 0a69/127 note
        fillfo_freqchanaft | R cutoff=240 fillfo_depth=1200 fillfo_freqchanaft=@ | 0.5;1;2 | level -2.0 0 -11.14 \
        @0.34-0.36 | 0p127/0 note
        fillfo_freqpolyaft | R cutoff=240 fillfo_depth=1200 fillfo_freqpolyaft=@ | 0.5;1;2 | level -2.0 0 -11.14 \
        @0.34-0.36 | 0a69/127 note
        lfoN_freq | R lfo1_wave=1 lfo1_volume=6 lfo1_freq=@ | 0.5;1;2 | level 4.5 6 0 @0.34-0.36
        lfoN_phase | R lfo1_wave=1 lfo1_volume=6 lfo1_freq=1 lfo1_phase=@ | 0;0.25;0.5 | level 6 0 -6 @0.34-0.36
        lfoN_delay | R lfo1_wave=1 lfo1_volume=6 lfo1_freq=1 lfo1_delay=@ | 0;0.125;0.25 | level 6 4.5 0 @0.34-0.36
        lfoN_fade | R lfo1_wave=1 lfo1_volume=6 lfo1_freq=1 lfo1_fade=@ | 0;0.5;1 | level 6 3 1.5 @0.34-0.36
        lfoN_beats | R lfo1_wave=1 lfo1_volume=6 lfo1_beats=@ | 1;2;4 | level 0 6 4.5 @0.34-0.36
        lfoN_count | R lfo1_wave=1 lfo1_volume=6 lfo1_freq=5 lfo1_count=@ | 0;1;2 | level 6 0 6 @0.34-0.36
        lfoN_steps | R lfo1_wave=1 lfo1_volume=6 lfo1_freq=1 lfo1_step1=100 lfo1_step3=-100 lfo1_step4=50 lfo1_steps=@ | \
        2;4;8 | level 6 0 -6 @0.44-0.46
        lfoN_stepN | R lfo1_wave=1 lfo1_volume=6 lfo1_freq=1 lfo1_steps=2 lfo1_step1=@ | -100;50;100 | level -6 3 6 @0.2-0.4
        lfoN_waveN | R lfo1_freq=1 lfo1_volume=6 lfo1_wave1=@ | 1;7;6 | level 6 3 -3 @0.34-0.36
        lfoN_offsetN | R lfo1_wave=1 lfo1_volume=6 lfo1_freq=0 lfo1_offset1=@ | -0.5;0.5;1 | level -3 3 6
        lfoN_ratioN | R lfo1_wave=1 lfo1_volume=6 lfo1_freq=1 lfo1_ratio1=@ | 0.5;1;2 | level 4.5 6 0 @0.34-0.36
        lfoN_scaleN | R lfo1_wave=1 lfo1_volume=6 lfo1_freq=1 lfo1_scale1=@ | 0.5;1;-1 | level 3 6 -6 @0.34-0.36
        lfoN_volume | R lfo1_wave=1 lfo1_freq=1 lfo1_volume=@ | 3;6;12 | level 3 6 12 @0.34-0.36
        lfoN_amplitude | R lfo1_wave=1 lfo1_freq=1 lfo1_amplitude=@ | 25;50;100 | level -12.04 -6.02 0 @0.34-0.36
        lfoN_pan | R lfo1_wave=1 lfo1_freq=1 lfo1_pan=@ | -50;0;50 | balance -7.66 0 7.66 @0.34-0.36
        lfoN_width | <region> sample=a b/stereo.wav pitch_keycenter=69 loop_mode=loop_continuous lfo1_wave=1 lfo1_freq=1 \
        lfo1_width=@ | -100;-50;0 | differ
        lfoN_position | <region> sample=a b/stereo.wav pitch_keycenter=69 loop_mode=loop_continuous lfo1_wave=1 \
        lfo1_freq=1 width=0 lfo1_position=@ | -50;0;50 | balance -7.66 0 7.66 @0.34-0.36
        lfoN_pitch | R lfo1_wave=1 lfo1_freq=1 lfo1_pitch=@ | 150;300;600 | pitch 150 300 600 @0.34-0.36
        lfoN_cutoffN | R lfo1_wave=1 lfo1_freq=1 cutoff=240 lfo1_cutoff1=@ | -1200;0;1200 | level -23.82 -11.14 0 @0.34-0.36
        lfoN_resonanceN | R lfo1_wave=1 lfo1_freq=1 cutoff=480 lfo1_resonance1=@ | 0;6;12 | level 0 6 12 @0.34-0.36
        lfoN_filNgain | R lfo1_wave=1 lfo1_freq=1 fil_type=peq cutoff=480 lfo1_fil1gain=@ | -12;6;12 | level -12 6 12 \
        @0.34-0.36
        lfoN_eqNfreq | R lfo1_wave=1 lfo1_freq=1 eq1_freq=240 eq1_gain=12 lfo1_eq1freq=@ | 0;120;240 | differ
        lfoN_eqNbw | R lfo1_wave=1 lfo1_freq=1 eq1_freq=240 eq1_gain=12 lfo1_eq1bw=@ | 0;1;2 | differ
        lfoN_eqNgain | R lfo1_wave=1 lfo1_freq=1 eq1_freq=480 lfo1_eq1gain=@ | -12;6;12 | level -12 6 12 @0.34-0.36
        egN_volume | R eg1_time1=0 eg1_level1=1 eg1_sustain=1 eg1_volume=@ | 3;6;12 | level 3 6 12 @0.34-0.36
        egN_amplitude | R eg1_time1=0 eg1_level1=1 eg1_sustain=1 eg1_amplitude=@ | 25;50;100 | level -12.04 -6.02 0 \
        @0.34-0.36
        egN_pan | R eg1_time1=0 eg1_level1=1 eg1_sustain=1 eg1_pan=@ | -50;0;50 | balance -7.66 0 7.66 @0.34-0.36
        egN_width | <region> sample=a b/stereo.wav pitch_keycenter=69 loop_mode=loop_continuous eg1_time1=0 eg1_level1=1 \
        eg1_sustain=1 eg1_width=@ | -100;-50;0 | differ
        egN_position | <region> sample=a b/stereo.wav pitch_keycenter=69 loop_mode=loop_continuous eg1_time1=0 \
        eg1_level1=1 eg1_sustain=1 width=0 eg1_position=@ | -50;0;50 | balance -7.66 0 7.66 @0.34-0.36
        egN_pitch | R eg1_time1=0 eg1_level1=1 eg1_sustain=1 eg1_pitch=@ | 150;300;600 | pitch 150 300 600 @0.34-0.36
        egN_cutoffN | R eg1_time1=0 eg1_level1=1 eg1_sustain=1 cutoff=240 eg1_cutoff1=@ | -1200;0;1200 | level -23.82 \
        -11.14 0 @0.34-0.36
        egN_resonanceN | R eg1_time1=0 eg1_level1=1 eg1_sustain=1 cutoff=480 eg1_resonance1=@ | 0;6;12 | level 0 6 12 \
        @0.34-0.36
        egN_filNgain | R eg1_time1=0 eg1_level1=1 eg1_sustain=1 fil_type=peq cutoff=480 eg1_fil1gain=@ | -12;6;12 | level \
        -12 6 12 @0.34-0.36
        egN_eqNfreq | R eg1_time1=0 eg1_level1=1 eg1_sustain=1 eq1_freq=240 eq1_gain=12 eg1_eq1freq=@ | 0;120;240 | differ
        egN_eqNbw | R eg1_time1=0 eg1_level1=1 eg1_sustain=1 eq1_freq=240 eq1_gain=12 eg1_eq1bw=@ | 0;1;2 | differ
        egN_eqNgain | R eg1_time1=0 eg1_level1=1 eg1_sustain=1 eq1_freq=480 eg1_eq1gain=@ | -12;6;12 | level -12 6 12 \
        @0.34-0.36
        lfoN_freq_lfoN | R lfo1_wave=1 lfo1_volume=6 lfo1_freq=1 lfo2_wave=1 lfo2_freq=0 lfo2_offset1=1 lfo2_freq_lfo1=@ \
        | -0.5;0;1 | level 4.5 6 0 @0.34-0.36
        egN_freq_lfoN | R lfo1_wave=1 lfo1_volume=6 lfo1_freq=1 eg1_time1=0 eg1_level1=1 eg1_sustain=1 eg1_freq_lfo1=@ | \
        -0.5;0;1 | level 4.5 6 0 @0.34-0.36
        egN_sustain | R eg1_time1=0.1 eg1_level1=1 eg1_time2=0.1 eg1_level2=0.5 eg1_time3=0.1 eg1_level3=0.25 \
        eg1_pitch=1200 eg1_sustain=@ | 1;2;3 | pitch 1200 600 300 @0.5-0.8
        egN_ampeg | R eg1_time1=0.4 eg1_level1=1 eg1_sustain=1 eg1_ampeg=@ | 0;1 | differ
        egN_timeN | R eg1_level1=1 eg1_sustain=1 eg1_pitch=1200 eg1_time1=@ | 0.4;0.8;1.6 | pitch 300 150 75 @0.18-0.22
        egN_levelN | R eg1_time1=0.01 eg1_sustain=1 eg1_pitch=1200 eg1_level1=@ | 0.25;0.5;1 | pitch 300 600 1200
        egN_shapeN | R eg1_time1=0.4 eg1_level1=1 eg1_sustain=1 eg1_pitch=1200 eg1_shape1=@ | 0;3;-3 | differ
        phase | R\\nR phase=@ | normal;invert | level 6.02 -100
        oscillator_phase | <region> sample=*sine oscillator_phase=@ | 0;0.25;0.5 | differ
        default_path | <control> default_path=@\\n<region> sample=stereo.wav loop_mode=loop_continuous\\n<region> \
        sample=*silence | a b/;none/;mono | plays TFF
        note_offset | <control> note_offset=@\\nR key=69 | 0;1;-1 | plays TFF
        octave_offset | <control> octave_offset=@\\nR key=69 | 0;1;-1 | plays TFF
        set_ccN | <control> set_cc20=@\\nR volume_oncc20=-12 | 0;64;127 | level 0 -6.05 -12
        set_hdccN | <control> set_hdcc20=@\\nR volume_oncc20=-12 | 0;0.5;1 | level 0 -6 -12
        curve_index | R volume_oncc20=-12 volume_curvecc20=8\\n<curve> curve_index=@ v000=1 v127=0 | 9;8;10 | level -12 0 \
        -12 | 0c20/127 note
        vN | R volume_oncc20=-12 volume_curvecc20=8\\n<curve> curve_index=8 v000=0 v64=@ v127=1 | 0;0.5;1 | level 0 -6 \
        -12 | 0c20/64 note
        label_ccN | R label_cc1=@ | 1;2;3 | plays TTT
        sw_label | R sw_label=@ | 1;2;3 | plays TTT
        group_label | R group_label=@ | 1;2;3 | plays TTT
        region_label | R region_label=@ | 1;2;3 | plays TTT
        master_label | R master_label=@ | 1;2;3 | plays TTT
        global_label | R global_label=@ | 1;2;3 | plays TTT
        label_keyN | R label_key1=@ | 1;2;3 | plays TTT
        hint_ram_based | R hint_ram_based=@ | 1;2;3 | plays TTT
        hint_stealing | R hint_stealing=@ | 1;2;3 | plays TTT
        ram_based | R ram_based=@ | 1;2;3 | plays TTT
        sample_quality | R sample_quality=@ | 1;2;3 | plays TTT
        oscillator_quality | R oscillator_quality=@ | 1;2;3 | plays TTT
        """
}
