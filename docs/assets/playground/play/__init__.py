"""What the playground of the site asks of typesig, in Python that runs in a browser."""
