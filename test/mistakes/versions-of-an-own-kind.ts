// error: is not assignable to type 'string'
import * as z from "zod";
import { defineKind } from "../../shared/function/index.ts";

defineKind({
  group: "mistakes.example.org",
  version: ["v2", "v1"],
  kind: "Own",
  scope: "Namespaced",
  fields: { spec: z.object({}) },
});
