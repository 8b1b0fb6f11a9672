"""The steps around the state handler, one file each: `apply` answers the changed draft and its note."""
