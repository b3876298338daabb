"""What the trainers of all Python frameworks share. Nothing here imports a framework."""
