"""The messages and stubs of kindred.v1, generated from kindred.proto when the package is built."""
