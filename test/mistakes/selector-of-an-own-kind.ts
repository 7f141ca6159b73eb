// error: is not assignable to type 'never'
import * as z from "zod";
import { defineKind } from "../../shared/function/index.ts";

defineKind({
  group: "mistakes.example.org",
  version: "v1",
  kind: "Own",
  scope: "Namespaced",
  fields: { spec: z.object({}) },
  selector: { labels: { a: "b" } },
});
