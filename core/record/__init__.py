"""Record of a run: log, playback, files."""
