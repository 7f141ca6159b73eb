import { defineKind } from "../kind.ts";
import { NodeSpec, NodeStatus } from "../schema/node.ts";
import { loosely } from "./loosely.ts";

/** A machine of the cluster. Ready while its condition Ready is True. */
export class Node extends defineKind({
  group: "",
  version: "v1",
  kind: "Node",
  scope: "Cluster",
  external: true,
  shortNames: ["no"],
  fields: {
    spec: loosely(NodeSpec).optional(),
  },
  status: loosely(NodeStatus),
  facts: (it) => ({
    ready: it.status.conditions.of("Ready").status,
    unschedulable: it.spec.unschedulable,
  }),
  ready: (it) => it.status.conditions.of("Ready").status.is("True"),
}) {}
