"""What both implementations of the mathematics use: small matrices, special functions, what a block of rows shares."""
