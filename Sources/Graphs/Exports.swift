// The error that a graph and all that stands on it throw.
@_exported import struct Reports.Fault
