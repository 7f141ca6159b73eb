import * as z from "zod";
import { defineKind } from "../kind.ts";
import { RoleRef, Subject } from "../schema/rbac.ts";
import { loosely } from "./loosely.ts";

/** Gives a role to subjects within a namespace. */
export class RoleBinding extends defineKind({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "RoleBinding",
  scope: "Namespaced",
  external: true,
  fields: {
    roleRef: loosely(RoleRef),
    subjects: loosely(z.array(Subject)).optional(),
  },
}) {}
