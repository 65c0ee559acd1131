"""How a patient puts facts into words: plans of things to say, their realisation, and the untidiness of speech."""
