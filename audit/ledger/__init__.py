"""Pure rules of the ledger: Merkle tree, proofs, signed notes, the check of a chain. No Django, no clock."""
