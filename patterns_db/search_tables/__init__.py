"""Small tables of the search: roll-outs, opinion changes, calibration."""
