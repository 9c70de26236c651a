"""What `import tokparity` offers to people's own programs; docs/api.md is its page."""
