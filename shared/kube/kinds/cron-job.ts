import { defineKind } from "../kind.ts";
import { CronJobSpec, CronJobStatus } from "../schema/jobs.ts";
import { loosely } from "./loosely.ts";

/** Jobs at times of a schedule. */
export class CronJob extends defineKind({
  group: "batch",
  version: "v1",
  kind: "CronJob",
  scope: "Namespaced",
  external: true,
  shortNames: ["cj"],
  fields: {
    spec: loosely(CronJobSpec),
  },
  status: loosely(CronJobStatus),
}) {}
