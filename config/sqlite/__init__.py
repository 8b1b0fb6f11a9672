"""Django's SQLite backend with Lastword's durability and the ledger's hash function."""
