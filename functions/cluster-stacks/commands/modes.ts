/** The ways of choosing a version, as csctl calls them. */
export const MODES = ["stable", "custom", "hash"] as const;
export type Mode = (typeof MODES)[number];
