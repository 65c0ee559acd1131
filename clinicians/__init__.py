"""The policies: scripted references and language models; they see what a clinician sees."""
