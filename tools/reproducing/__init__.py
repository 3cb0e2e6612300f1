"""Published experiments, repeated and compared: the parts of tools/reproduction.py."""
