"""Language models in the roles of the encounter: patient, exam taker, orchestrator."""
