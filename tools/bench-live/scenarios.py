def keyboards(options, programs): return False
def device(options, programs): return False
def signals(options, programs): return False
