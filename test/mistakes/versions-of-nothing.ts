// error: is not assignable to type 'string
import * as z from "zod";
import { defineKind } from "../../shared/function/index.ts";

defineKind({
  group: "mistakes.example.org",
  version: [],
  kind: "Another",
  scope: "Namespaced",
  external: true,
  fields: { spec: z.object({}) },
});
