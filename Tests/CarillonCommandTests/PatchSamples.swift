/// Small patches for calls of the program.
enum PatchSamples {
    static let organ = """
        # An organ.
        version: 1
        units:
          organ: {unit: square-wave, role: instrument, sustain: 100 %}
          mixer: {unit: multichannel-mixer, role: master}
          limiter: {role: master}
        connections:
          - organ -> mixer -> limiter
        outputs: limiter

        """

    /// A voice in a hall.
    static let voice = """
        version: 1
        units:
          voice: {unit: input}
          hall: {unit: reverb, preset: room, mix: 30 %}
        connections:
          - voice -> hall
        outputs: hall

        """

    /// As version 0 had it.
    static let older = """
        {"carillon-patch": 1, "outputs": ["lead"], "units": [{"name": "lead", "unit": "square-wave", "role": "instrument"}]}

        """
}
