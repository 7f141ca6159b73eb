// error: 'sise'
import * as z from "zod";
import { defineKind } from "../../shared/function/index.ts";

export class Other extends defineKind({
  group: "mistakes.example.org",
  version: "v1",
  kind: "Other",
  scope: "Namespaced",
  fields: { spec: z.object({ size: z.number() }) },
  facts: (it) => ({ size: it.spec.sise }),
}) {}
