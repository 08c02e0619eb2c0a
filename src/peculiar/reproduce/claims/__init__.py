"""What the numbers of an experiment say about the claims of the paper, and about ours: sentences, no computing."""
