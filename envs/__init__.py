"""The patient, the orchestrator, the episode record and the two Gymnasium environments."""
