"""Everything is opened here, in order, and handed down: one file for each process or group of parts."""
