"""Work on a Dask cluster, instead of in this process alone.

The computing is that of the modules around this package: a cluster only decides where it happens.
Nothing else imports ``distributed`` (the extra ``cluster``), and only ``connection`` does before
there is a cluster.

connection  to a scheduler, or a cluster on this machine; what is wrong with it, in one line
tasks       functions of their arguments alone, done anywhere, again if their worker is lost
harvesting  the harvest in parts
training    learning in shards, and the backend of trainings on patterns
solving     problems in rounds, and the backend of solver trainings
identity    which yomi a process runs
"""
