// Placeholder until the layer is written.
