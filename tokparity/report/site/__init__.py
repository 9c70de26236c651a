"""Many reports as a folder of static pages: what changed from run to run."""
