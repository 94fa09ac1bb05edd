(;FF[4]CA[UTF-8]GM[1]KM[-1]RU[Chinese]SZ[9])
