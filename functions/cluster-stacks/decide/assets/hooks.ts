/** The file whose presence says that addons are installed in stages. */
export const ADDON_CONFIG = "clusteraddon.yaml";

/** The file of a stage's chart that holds the template of its values. */
export const STAGE_VALUES = "overwrite.yaml";

/** The moments of Cluster API at which stages run. */
export const HOOKS = ["AfterControlPlaneInitialized", "BeforeClusterUpgrade", "AfterClusterUpgrade"] as const;
/** A moment of Cluster API. */
export type Hook = (typeof HOOKS)[number];
