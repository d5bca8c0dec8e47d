// The error that the engine, and all that stands on it, throw.
@_exported import struct Reports.Fault
