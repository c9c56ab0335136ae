# The package (filled by scripts/package).
