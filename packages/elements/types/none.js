// The type entry points of this package hold types alone.
export {};
