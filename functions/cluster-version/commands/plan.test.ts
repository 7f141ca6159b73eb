import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "vitest";
import { storedPayloads } from "../../../shared/ports/payloads/adapters/index.ts";
import type { Payload } from "../decide/payload/index.ts";
import { freshWork, type WorkRecord } from "../decide/sync/work-record.ts";
import { payloadAt } from "./payload.ts";
import { planOf } from "./plan.ts";
import { planText } from "./plan-text.ts";

const RELEASES = join(import.meta.dirname, "../samples/releases");

const sample = (): Promise<Payload> => payloadAt(join(RELEASES, "demo.example_release_1.1.0"), {});
const work = (more: Partial<WorkRecord>): WorkRecord => ({
  ...freshWork({ uid: "u", work: "w", settings: "s", mode: "Updating" }),
  ...more,
});
const upTo = (last: number): ReadonlySet<number> => new Set(Array.from({ length: last }, (_, at) => at + 1));

describe("planOf", () => {
  it("shows the samples' order: levels one after the other, components of a level side by side, a Job alone", async () => {
    const { lines, total } = planOf(await sample(), "Updating", undefined);
    assert.equal(
      total,
      lines.reduce((sum, { tasks }) => sum + tasks.length, 0),
    );
    const side = (component: string) => lines.filter((line) => line.components.join() === component);
    const [etcd, api, scheduler] = ["etcd", "kube-apiserver", "kube-scheduler"].map(
      (name) => side(name)[0]?.step ?? 0,
    );
    assert.equal(etcd, api);
    assert.ok((scheduler ?? 0) > (etcd ?? 0));
    const job = lines.find(({ tasks }) => tasks.some(({ task }) => task.startsWith("job ")));
    assert.equal(job?.tasks.length, 1);
    assert.deepEqual(
      lines.filter(({ state }) => state === "next").map(({ step }) => step),
      [1],
    );
  });

  it("says what is waited for since when, and that all behind it is pending", async () => {
    const payload = await sample();
    const gate = payload.manifests.findIndex(
      ({ kind, name }) => kind === "ClusterOperator" && name === "certificates",
    );
    const record = work({
      done: upTo(gate),
      waiting: { certificates: "2026-02-03T09:00:00Z" },
    });
    const plan = planOf(payload, "Updating", record);
    const [line] = plan.lines.filter(({ state }) => state === "waiting");
    assert.equal(line?.since, "2026-02-03T09:00:00Z");
    assert.equal(line?.why, "Cluster operator certificates is waited for");
    assert.equal(plan.done, gate);
    assert.deepEqual([...new Set(plan.lines.map(({ state }) => state))].sort(), ["pending", "waiting"]);
    const text = planText(plan, false, Date.parse("2026-02-03T09:10:00Z"));
    assert.match(text, /^1\.1\.0 \(demo\.example_release_1\.1\.0\), updating: 4 of 44 done \(9%\)/);
    assert.match(
      text,
      /00, 10 +cluster-version, certificates +4\/5 +waiting +10m +Cluster operator certificates is waited for/,
    );
  });

  it("shows a payload that was applied whole as done, object by object", async () => {
    const plan = planOf(await sample(), "Reconciling", "all");
    assert.deepEqual([...new Set(plan.lines.map(({ state }) => state))], ["done"]);
    assert.match(planText(plan, true, 0), /job "demo-identity\/migrate-to-1-1-0" +done/);
  });
});

it("names in its ClusterVersion a release that lies in the samples", async () => {
  const text = await readFile(join(import.meta.dirname, "../samples/01-cluster-version.yaml"), "utf8");
  const first = /image: (\S+)/.exec(text)?.[1] ?? "";
  const bundle = await storedPayloads({ folder: RELEASES }).load(first);
  assert.ok((await bundle.files()).length > 13);
});
