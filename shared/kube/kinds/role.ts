import * as z from "zod";
import { defineKind } from "../kind.ts";
import { PolicyRule } from "../schema/rbac.ts";
import { loosely } from "./loosely.ts";

/** Rights within a namespace. */
export class Role extends defineKind({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "Role",
  scope: "Namespaced",
  external: true,
  fields: {
    rules: loosely(z.array(PolicyRule)).nullable().optional(),
  },
}) {}
