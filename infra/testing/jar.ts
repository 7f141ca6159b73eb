import * as z from "zod";
import { defineKind } from "../../shared/function/index.ts";
import type { KubeObject } from "../../shared/kube/object.ts";

/** A kind for tests of one run, with nothing in it that matters. */
export class Jar extends defineKind({
  group: "unit.example.org",
  version: "v1",
  kind: "Jar",
  scope: "Namespaced",
  fields: { spec: z.object({ size: z.int() }) },
}) {}
/** The Jar `a/j`. */
export const JAR: KubeObject = {
  apiVersion: "unit.example.org/v1",
  kind: "Jar",
  metadata: { name: "j", namespace: "a", uid: "u", resourceVersion: "5", generation: 1 },
  spec: { size: 1 },
};
