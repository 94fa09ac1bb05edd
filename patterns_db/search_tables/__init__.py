"""Small tables of the search: roll-outs, calibration."""
