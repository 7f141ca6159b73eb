/** The release and namespace that charts of addons are rendered with, as upstream does: their objects carry both. */
export const ADDON_RENDERING = { releaseName: "cluster-addon", namespace: "kube-system" } as const;
