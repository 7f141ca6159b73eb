import * as z from "zod";
import { defineKind } from "../kind.ts";
import { AggregationRule, PolicyRule } from "../schema/rbac.ts";
import { loosely } from "./loosely.ts";

/** Rights in the whole cluster, or to be granted in namespaces. */
export class ClusterRole extends defineKind({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "ClusterRole",
  scope: "Cluster",
  external: true,
  fields: {
    rules: loosely(z.array(PolicyRule)).nullable().optional(),
    aggregationRule: loosely(AggregationRule).optional(),
  },
}) {}
