"""The effort of a reading: the nodes of all its searches together."""

from dataclasses import dataclass

from engine.proof.graph import GRAPH_EXPANSIONS, GRAPH_NODES, ProofTree


@dataclass
class Effort:
    """Nodes put into graphs, and nodes developed, by all searches of a reading so far."""

    nodes: int = 0
    expansions: int = 0

    def count(self, tree: ProofTree) -> None:
        """Add the search that has just ended in a graph."""
        self.nodes += int(tree.meta[GRAPH_NODES])
        self.expansions += int(tree.meta[GRAPH_EXPANSIONS])
