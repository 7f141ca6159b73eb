/** The ways of choosing a version, as csctl calls them. */
export const MODES = ["stable", "custom", "hash"] as const;
export type Mode = (typeof MODES)[number];

/** The things that `wait` waits for. */
export const AWAITED = ["stack", "cluster"] as const;
export type Awaited = (typeof AWAITED)[number];

/** The formats of a graph beside the text for people. */
export const GRAPH_FORMATS = ["json", "yaml", "dot", "svg"] as const;
export type GraphFormat = (typeof GRAPH_FORMATS)[number];
