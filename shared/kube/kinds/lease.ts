import { defineKind } from "../kind.ts";
import { LeaseSpec } from "../schema/lease.ts";
import { loosely } from "./loosely.ts";

/** A leader, and the time until which it leads. Times are in microseconds. */
export class Lease extends defineKind({
  group: "coordination.k8s.io",
  version: "v1",
  kind: "Lease",
  scope: "Namespaced",
  external: true,
  fields: {
    spec: loosely(LeaseSpec).optional(),
  },
}) {}
