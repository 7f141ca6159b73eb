import { parseObject } from "../../../shared/kube/read.ts";
import { ANNOTATIONS, Kyma, LABELS, Manifest } from "../kinds/index.ts";
import type { AKyma, AManifest } from "./read.ts";

interface Fields {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly isDeleting?: boolean;
  readonly spec?: object;
  readonly status?: object;
}

const metadataOf = (
  name: string,
  { labels = {}, annotations = {}, finalizers = [], isDeleting }: Fields,
) => ({
  ...{ name, namespace: "kcp-system", uid: `uid-${name}`, resourceVersion: "1", generation: 1 },
  ...{ labels, annotations, finalizers: [...finalizers] },
  ...(isDeleting && { deletionTimestamp: "2026-01-05T10:00:00Z" }),
});

/** A sentence as the last operation of a status. */
export const says = (operation: string) => ({
  lastOperation: { operation, lastUpdateTime: "2026-01-05T10:00:00Z" },
});

/** The Kyma `rt` of a control plane. */
export const kymaOf = (fields: Fields = {}): AKyma =>
  parseObject(Kyma, {
    apiVersion: `${Kyma.group}/${Kyma.version}`,
    kind: Kyma.kind,
    metadata: metadataOf("rt", fields),
    spec: { channel: "regular", ...fields.spec },
    ...(fields.status && { status: fields.status }),
  });

/** Annotations of a Kyma whose user wrote these modules in its runtime. */
export const spokenThere = (...modules: readonly object[]): Readonly<Record<string, string>> => {
  const text = JSON.stringify({ channel: "regular", modules });
  return { [ANNOTATIONS.userSpec]: text, [ANNOTATIONS.acceptedSpec]: text };
};

/** The Manifest of a module of the Kyma `rt`. */
export const manifestOf = (module: string, fields: Fields = {}): AManifest =>
  parseObject(Manifest, {
    apiVersion: `${Manifest.group}/${Manifest.version}`,
    kind: Manifest.kind,
    metadata: metadataOf(`rt-${module}`, {
      ...fields,
      labels: { [LABELS.kymaName]: "rt", [LABELS.moduleName]: module, ...fields.labels },
    }),
    spec: { remote: true, install: { name: "raw-manifest", source: {} }, ...fields.spec },
    ...(fields.status && { status: { state: "Deleting", ...fields.status } }),
  });
