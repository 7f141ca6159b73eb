import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import { parse } from "yaml";
import type { KubeObject } from "../../shared/kube/object.ts";
import { silent } from "../../shared/log/log.ts";
import { METRICS } from "./decide/board/index.ts";
import { metrics } from "./metrics.ts";

const operator = (status: string, lastTransitionTime: string): KubeObject => ({
  apiVersion: "config.openshift.io/v1",
  kind: "ClusterOperator",
  metadata: { name: "dns", uid: "u", resourceVersion: "1" },
  spec: {},
  status: {
    conditions: [{ type: "Available", status, reason: "AsExpected", lastTransitionTime }],
    versions: [{ name: "operator", version: "1.0.0" }],
  },
});

/** A board that says what it is told to; undefined: it does not answer. */
class Board {
  now: KubeObject | undefined = operator("True", "2026-02-03T09:00:00Z");
  reads = 0;
  get = async (): Promise<undefined> => undefined;
  list = async () => {
    this.reads += 1;
    if (this.now === undefined) throw new Error("away");
    return { items: [this.now], metadata: { resourceVersion: "1" } };
  };
}
/** The lines of one scrape: `name{label="value"} number`. */
type Look = ReturnType<typeof metrics.open>;
const scrape = async (look: Look): Promise<readonly string[]> =>
  Object.entries((await look()).samples).flatMap(([name, samples]) =>
    samples.map(({ labels, value }) => {
      const text = Object.entries(labels).map(([label, word]) => `${label}="${word}"`);
      return `${name}{${text.join()}} ${value}`;
    }),
  );

describe("the metrics of the status board", () => {
  it("are read once a look, under upstream's names, and count what changed in between", async () => {
    const board = new Board();
    const look = metrics.open(board, silent, { now: () => 0 });
    assert.equal(board.reads, 0, "nothing is read at rest");
    const up = 'cluster_operator_up{name="dns",version="1.0.0",reason="AsExpected"}';
    const first = await scrape(look);
    assert.ok(first.includes(`${up} 1`));
    assert.ok(
      first.includes('cluster_operator_conditions{name="dns",condition="Available",reason="AsExpected"} 1'),
    );
    assert.ok(first.includes('cluster_operator_condition_transitions{name="dns",condition="Available"} 0'));
    assert.equal(board.reads, 1);
    board.now = operator("False", "2026-02-03T09:01:00Z");
    const second = await scrape(look);
    assert.ok(second.includes(`${up} 0`));
    assert.ok(second.includes('cluster_operator_condition_transitions{name="dns",condition="Available"} 1'));
  });

  it("are left out while the API server does not tell, and nothing is counted twice afterwards", async () => {
    const board = new Board();
    const look = metrics.open(board, silent, { now: () => 0 });
    await scrape(look);
    const known = board.now;
    board.now = undefined;
    assert.deepEqual(await scrape(look), []);
    assert.equal((await look()).isWhole, false);
    board.now = known;
    const again = await scrape(look);
    assert.ok(again.includes('cluster_operator_condition_transitions{name="dns",condition="Available"} 0'));
  });
});

describe("the alert rules of the status board", () => {
  const file = join(import.meta.dirname, "./alerts.yaml");
  const { groups } = parse(readFileSync(file, "utf8")) as {
    readonly groups: readonly {
      readonly rules: readonly {
        readonly alert: string;
        readonly expr: string;
        readonly for: string;
        readonly labels: { readonly severity: string };
      }[];
    }[];
  };
  const rules = groups.flatMap((group) => group.rules);

  it("ask only for metrics and labels that there are", () => {
    const known: Readonly<Record<string, { readonly labels: readonly string[] }>> = METRICS;
    for (const { alert, expr } of rules) {
      const asked = [...expr.matchAll(/\b(cluster_\w+)(?:\{([^}]*)\})?/g)];
      assert.ok(asked.length > 0, alert);
      for (const [, name = "", matchers = ""] of asked)
        for (const [label] of matchers.matchAll(/\w+(?=\s*[!=]=?")/g))
          assert.ok(known[name]?.labels.includes(label), `${alert}: ${name}{${label}}`);
    }
  });

  it("last as long as upstream's", () => {
    assert.deepEqual(
      rules.map((rule) => [rule.alert, rule.for, rule.labels.severity]),
      [
        ["ClusterOperatorDown", "10m", "critical"],
        ["ClusterOperatorDegraded", "30m", "warning"],
        ["ClusterOperatorFlapping", "10m", "warning"],
        ["ClusterNotUpgradeable", "60m", "info"],
        ["ClusterReleaseNotAccepted", "60m", "warning"],
      ],
    );
  });
});
