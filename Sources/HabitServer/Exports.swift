// A program that starts a server configures it with types of these modules.
@_exported import HTTPServing
@_exported import HabitAPI
