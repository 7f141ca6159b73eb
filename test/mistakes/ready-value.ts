// error: "True"
import * as z from "zod";
import { defineKind } from "../../shared/function/index.ts";

export class Other extends defineKind({
  group: "mistakes.example.org",
  version: "v1",
  kind: "Other",
  scope: "Namespaced",
  fields: {},
  status: z.object({ state: z.enum(["Ready", "Error"]) }),
  ready: (it) => it.status.state.is("True"),
}) {}
