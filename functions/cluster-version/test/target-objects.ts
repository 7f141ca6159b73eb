import type { ClusterVersionView, ManifestView, Spec, Status } from "../decide/release/types.ts";

/** A ClusterVersion at 5.1.9 that came from 5.1.8, for tests. */
export const clusterVersion = (
  spec: Partial<Spec> = {},
  status: Partial<Status> = {},
): ClusterVersionView => ({
  spec: { clusterID: "6a0f7a52-2f0e-4a53-9d0a-0b9f0a3f7c11", channel: "steady-5.1", ...spec },
  status: {
    desired: { version: "5.1.9", image: "reg.example/rel@sha256:aa" },
    history: [
      completed("5.1.9", "reg.example/rel@sha256:aa"),
      completed("5.1.8", "reg.example/rel@sha256:99"),
    ],
    availableUpdates: null,
    ...status,
  },
});

export const completed = (version: string, image = `reg.example/rel:${version}`) => ({
  state: "Completed",
  version,
  image,
});
export const partial = (version: string, image = `reg.example/rel:${version}`) => ({
  state: "Partial",
  version,
  image,
});

/** A ConfigMap of a payload, or what `more` makes of it. */
export const manifest = (
  more: Partial<ManifestView> & { readonly capability?: string } = {},
): ManifestView => {
  const { capability, ...rest } = more;
  return {
    group: "",
    kind: "ConfigMap",
    namespace: "demo",
    name: "settings",
    object: {
      metadata: {
        annotations: capability === undefined ? {} : { "capability.openshift.io/name": capability },
      },
    },
    ...rest,
  };
};
