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

    /// As version 0 had it.
    static let older = """
        {"carillon-patch": 1, "outputs": ["lead"], "units": [{"name": "lead", "unit": "square-wave", "role": "instrument"}]}

        """
}
