"""Work on a Dask cluster, instead of in this process alone.

The modules around this package do the computing; a cluster only decides where. No other package
imports ``distributed`` (the extra ``cluster``), and without a cluster only ``connection`` does.

connection  to a scheduler, or to a cluster on this machine, with one-line errors
tasks       pure functions, run anywhere, and again if their worker is lost
replicas    the client's knowledge on workers, updated round by round
training    the backend of trainings on patterns: the harvest in parts, learning in shards
solving     the backend of solver trainings: problems in rounds
identity    the version of yomi in a process
"""
