import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { InstanceStatus, Plan } from "../../kinds/index.ts";
import { pipesOf } from "./pipes.ts";

const making = (task: string): Plan => ({
  phases: [{ name: "main", steps: [{ name: "make", tasks: [task] }] }],
});
const pipe = (name: string, ...keys: readonly string[]) => ({
  name,
  kind: "Pipe" as const,
  spec: { pod: "pod.yaml", pipe: keys.map((key) => ({ file: `/tmp/${key}`, kind: "Secret", key })) },
});
const VERSION = {
  metadata: { name: "v" },
  spec: {
    tasks: [pipe("all", "key"), pipe("renewal", "key", "extra")],
    plans: { deploy: making("all"), renew: making("renewal"), use: {} },
  },
};
const seen = (status: InstanceStatus, plan = "use") => pipesOf(VERSION, "db", plan, status);
const DEPLOYED = "db.deploy.main.make.all.key";
const RENEWED = "db.renew.main.make.renewal.key";
const EXTRA = "db.renew.main.make.renewal.extra";
const run = (execution: number, status: "COMPLETE" | "FATAL_ERROR" | "IN_PROGRESS") => ({
  execution,
  status,
});

describe("the keys of Pipe tasks that a template sees", () => {
  it.each<[what: string, status: InstanceStatus, seen: Readonly<Record<string, string>>]>([
    ["are those of deploy from the beginning", {}, { key: DEPLOYED }],
    [
      "are none of a plan that never came to a good end",
      { planStatus: { deploy: run(1, "COMPLETE"), renew: run(2, "FATAL_ERROR") } },
      { key: DEPLOYED },
    ],
    [
      "are those of the plan that made them last",
      { planStatus: { deploy: run(1, "COMPLETE"), renew: run(2, "COMPLETE") } },
      { key: RENEWED, extra: EXTRA },
    ],
    [
      "are those of deploy where that ran last",
      { planStatus: { deploy: run(3, "COMPLETE"), renew: run(2, "COMPLETE") } },
      { key: DEPLOYED, extra: EXTRA },
    ],
    [
      "stay when the plan that made them fails later",
      {
        planStatus: { deploy: run(1, "COMPLETE"), renew: run(3, "FATAL_ERROR") },
        history: [{ ...run(2, "COMPLETE"), planName: "renew", planUID: "u" }],
      },
      { key: RENEWED, extra: EXTRA },
    ],
  ])("%s", (_, status, keys) => assert.deepEqual(seen(status), keys));

  it("are those of the plan that runs, made or not", () =>
    assert.deepEqual(
      seen({ planStatus: { deploy: run(1, "COMPLETE"), renew: run(2, "IN_PROGRESS") } }, "renew"),
      {
        key: RENEWED,
        extra: EXTRA,
      },
    ));
});
