"""What is wrong with an access: initialisation, races, and how a finding names its place."""
