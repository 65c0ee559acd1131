"""How a patient puts facts into words: plans, their realisation, the untidiness of speech."""
