import * as z from "zod";
import { defineKind } from "../kind.ts";
import { ObjectReference } from "../schema/core.ts";
import { LocalObjectReference } from "../schema/references.ts";
import { loosely } from "./loosely.ts";

/** The identity of pods to the API server. */
export class ServiceAccount extends defineKind({
  group: "",
  version: "v1",
  kind: "ServiceAccount",
  scope: "Namespaced",
  external: true,
  shortNames: ["sa"],
  fields: {
    secrets: loosely(z.array(ObjectReference)).optional(),
    imagePullSecrets: loosely(z.array(LocalObjectReference)).optional(),
    automountServiceAccountToken: z.boolean().optional(),
  },
}) {}
