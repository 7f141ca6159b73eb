import * as z from "zod";
import { defineKind } from "../kind.ts";
import { RoleRef, Subject } from "../schema/rbac.ts";
import { loosely } from "./loosely.ts";

/** Gives a cluster role to subjects everywhere. */
export class ClusterRoleBinding extends defineKind({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "ClusterRoleBinding",
  scope: "Cluster",
  external: true,
  fields: {
    roleRef: loosely(RoleRef),
    subjects: loosely(z.array(Subject)).optional(),
  },
}) {}
