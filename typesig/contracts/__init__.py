"""What holds between tools and over time."""
