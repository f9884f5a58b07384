"""Three little-known card games, played by the rules, recorded and explained."""
