import { isRecord } from "../../../../../shared/json/fields.ts";
import { each, filled } from "./fill.ts";

const READABLE = 0o644;
const HOUR_SECONDS = 3600;

export const fieldSource = {
  fieldRef: filled({ apiVersion: "v1" }),
  resourceFieldRef: filled({ divisor: "0" }),
};
const downwardItems = { items: each(filled({}, fieldSource)) };

const SOURCES = {
  secret: filled({ defaultMode: READABLE }),
  configMap: filled({ defaultMode: READABLE }),
  downwardAPI: filled({ defaultMode: READABLE }, downwardItems),
  projected: filled(
    { defaultMode: READABLE },
    {
      sources: each(
        filled(
          {},
          {
            serviceAccountToken: filled({ expirationSeconds: HOUR_SECONDS }),
            downwardAPI: filled({}, downwardItems),
          },
        ),
      ),
    },
  ),
  iscsi: filled({ iscsiInterface: "default" }),
  rbd: filled({ pool: "rbd", user: "admin", keyring: "/etc/ceph/keyring" }),
  azureDisk: filled({ cachingMode: "ReadWrite", kind: "Shared", fsType: "ext4", readOnly: false }),
  scaleIO: filled({ storageMode: "ThinProvisioned", fsType: "xfs" }),
  ephemeral: filled(
    {},
    { volumeClaimTemplate: filled({}, { spec: filled({ volumeMode: "Filesystem", resources: {} }) }) },
  ),
};

const source = filled({}, SOURCES);

/** A volume as the server completes it: without any source it is an empty directory. */
export const volume = (value: unknown): unknown =>
  isRecord(value) && Object.keys(value).every((name) => name === "name")
    ? { ...value, emptyDir: {} }
    : source(value);
