"""Work on a Dask cluster, instead of in this process alone.

The computing is that of the modules around this package: a cluster only decides where it happens.
Nothing here is imported unless a cluster is asked for, and nothing else imports ``distributed``
(the extra ``cluster``).

connection  to a scheduler, or a cluster on this machine; what is wrong with it, in one line
tasks       functions of their arguments alone, done anywhere, again if their worker is lost
training    harvest and learning in shards
identity    which yomi a process runs
"""
