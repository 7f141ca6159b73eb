import { defineKind } from "../kind.ts";
import { PersistentVolumeClaimSpec } from "../schema/claim.ts";
import { PersistentVolumeClaimStatus } from "../schema/claim-status.ts";
import { loosely } from "./loosely.ts";

/** Storage that is asked for. Ready once it is bound. */
export class PersistentVolumeClaim extends defineKind({
  group: "",
  version: "v1",
  kind: "PersistentVolumeClaim",
  scope: "Namespaced",
  external: true,
  shortNames: ["pvc"],
  fields: {
    spec: loosely(PersistentVolumeClaimSpec),
  },
  status: loosely(PersistentVolumeClaimStatus),
  facts: (it) => ({ phase: it.status.phase }),
  ready: (it) => it.status.phase.is("Bound"),
}) {}
