"""Exact numbers of finite classes, each with a witness that can be checked."""
