import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, test } from "vitest";
import { ClusterOperatorDependency } from "../../functions/cluster-version/kinds/cluster-operator-dependency.ts";
import { ClusterOperator, ClusterVersion } from "../../functions/cluster-version/kinds/index.ts";
import { configuration } from "../../functions/sonataflow/configuration.ts";
import { ClusterPlatform, Platform, sonataflow, Workflow } from "../../functions/sonataflow/index.ts";
import { takesOver } from "../../functions/sonataflow/test/handover.ts";
import * as they from "../../functions/sonataflow/test/people.ts";
import { type Scenarios, scenarios } from "../../functions/sonataflow/test/scenarios.ts";
import { skipWithoutControlPlane } from "../../infra/testing/control-plane.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { skipWithoutHelm } from "../../infra/testing/helm.ts";
import { assertAtRest } from "../../infra/testing/system/at-rest.ts";
import { clusterName, startWatcher } from "../../infra/watcher/index.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import { silent } from "../../shared/log/log.ts";
import { watchListOf } from "../../shared/runner/watch-list-of.ts";
import { isShown, pickRules } from "./missing-rule.ts";
import { type Granted, isUseOf, LEASE, type RightsStage, startRightsStage } from "./rights-stage.ts";
import { removeKind, sendCommands, writeAsPredecessor } from "./rights-uses.ts";

const VERSIONS = new Set(
  [ClusterOperator, ClusterVersion, ClusterOperatorDependency].map(({ group }) => group),
);
const isOfVersions = ({ accounts, group }: Granted): boolean =>
  VERSIONS.has(group) || accounts.every((account) => account.startsWith("reveille-cluster-"));

/** What a workflow deletes is what a former one of its name has left behind. */
const isOfFormers = ({ accounts, verb }: Granted): boolean =>
  verb === "delete" && accounts.every((account) => account === "reveille-sonataflow-workflows");

const nameOf = ({ accounts, verb, resource, group }: Granted): string =>
  `${accounts.join(", ")} may ${verb} ${resource}${group === "" ? "" : `.${group}`}`;

const skip = skipWithoutHelm() || skipWithoutControlPlane({ controllerManager: true });
describe("the chart's roles", { skip: skip !== false, timeout: 1_800_000 }, () => {
  let stage: RightsStage;
  /** The scenario that used a rule most. */
  const playedBy = new Map<Granted, { readonly scenario: Scenarios[number]; readonly uses: number }>();
  beforeAll(async () => {
    stage = await startRightsStage();
  });
  afterAll(() => stage.stop());

  for (const scenario of scenarios)
    test(`suffice for scenario ${scenario.number}: ${scenario.name}`, { timeout: 120_000 }, async () => {
      const already = stage.uses().length;
      await scenario.run(stage.cluster);
      await assertAtRest(stage.cluster, { system: sonataflow });
      const uses = stage.uses().slice(already);
      for (const granted of stage.grants) {
        const count = uses.filter(isUseOf(granted)).length;
        if (count > (playedBy.get(granted)?.uses ?? 0)) playedBy.set(granted, { scenario, uses: count });
      }
      await stage.cluster.empty();
    });

  test("suffice where somebody else is faster in making a platform", { timeout: 120_000 }, async () => {
    const { cluster } = stage;
    const { namespace } = they.FLOW;
    const { defaultPlatform: name } = configuration.parse({});
    stage.beforeCreate(() => they.putPlatform(cluster, { name, namespace }));
    await they.putWorkflow(cluster, they.FLOW);
    await cluster.settled();
    assert.deepEqual(
      (await cluster.list(Platform, namespace)).map(({ metadata }) => metadata.name),
      [name],
    );
    await cluster.empty();
  });

  test("suffice to take over from the operator before", { timeout: 120_000 }, async () => {
    const { cluster } = stage;
    await takesOver(cluster);
    await they.putCluster(cluster, "shared", they.TEAM);
    await they.putWorkflow(cluster, they.FLOW);
    await cluster.settled();
    await writeAsPredecessor(cluster, ClusterPlatform, { name: "shared" });
    await writeAsPredecessor(cluster, Workflow, they.FLOW);
    await cluster.settled();
    await cluster.empty();
  });

  test("suffice to carry out commands", { timeout: 120_000 }, async () => {
    const { cluster } = stage;
    await they.putCluster(cluster, "shared", they.TEAM);
    await they.putPlatform(cluster, they.TEAM, {});
    await they.putWorkflow(cluster, they.FLOW);
    await cluster.settled();
    await sendCommands(stage, [
      { object: { kind: ClusterPlatform, name: "shared" } },
      { object: { kind: Platform, ...they.TEAM } },
      { object: { kind: Workflow, ...they.FLOW } },
      { function: "sonataflow-workflows" },
      { function: "sonataflow-platforms" },
    ]);
    assert.equal(
      (await cluster.get(Platform, they.TEAM))?.metadata.annotations["reveille.dev/paused"],
      "true",
    );
    await sendCommands(stage, [{ function: "sonataflow-workflows" }, { function: "sonataflow-platforms" }], {
      type: "command.resume",
    });
    await cluster.empty();
  });

  test("suffice for a watcher that stands by", { timeout: 120_000 }, async () => {
    const client = await stage.clientOf("reveille-watcher");
    const standby = startWatcher({
      client,
      cluster: { name: await clusterName(client, "test") },
      watchList: watchListOf(sonataflow.functions),
      ledger: { file: ":memory:" },
      publish: async () => undefined,
      clock: systemClock,
      log: silent,
      identity: "second",
      lease: LEASE,
    });
    await eventually(
      "the second to follow the first",
      () => standby.position().holder === "first" && standby.ready(),
    );
    assert.equal(standby.position().leader, false);
    await eventually("the Lease to be watched", () =>
      stage
        .uses()
        .some(({ verb, resource, allowed }) => verb === "watch" && resource === "leases" && allowed),
    );
    await standby.stop();
  });

  for (const turn of pickRules.turns)
    test(`one less is told where people look (${turn})`, { timeout: 180_000 }, async (t) => {
      const picked = pickRules.pick(turn, [...playedBy.keys()]);
      for (const granted of picked) {
        const scenario = playedBy.get(granted)?.scenario;
        assert.ok(scenario);
        t.annotate(`without: ${nameOf(granted)}; scenario ${scenario.number}; seed ${pickRules.seed}`);
        await stage.writeRole(granted.role, granted);
        let ended = false;
        const playing = scenario.run(stage.cluster).then(
          () => undefined,
          (error: unknown) => error,
        );
        playing.then(() => {
          ended = true;
        });
        try {
          await eventually(`${turn} to say that ${nameOf(granted)} is missing`, () =>
            isShown(stage, turn, granted),
          );
          assert.equal(ended, false, "the scenario went well without the rule");
        } finally {
          await stage.writeRole(granted.role);
          await playing;
        }
        await stage.cluster.empty();
      }
    });

  test("suffice to find out that a kind is gone", { timeout: 120_000 }, async () => {
    await they.putPlatform(stage.cluster, they.TEAM, {});
    await stage.cluster.settled();
    await removeKind(stage, Platform);
  });

  test("hold nothing that nobody uses", () => {
    const uses = stage.uses();
    const unused = stage.grants.filter(
      (granted) =>
        // Another suite plays the version operator.
        !isOfVersions(granted) &&
        // Used where garbage collection lags, which it does not here: functions/sonataflow/test/former-owner.test.ts.
        !isOfFormers(granted) &&
        // Asked by admission, which writes no line: that it is needed is shown by taking it away.
        !granted.resource.endsWith("/finalizers") &&
        !uses.some(isUseOf(granted)),
    );
    assert.deepEqual(unused.map(nameOf), []);
  });
});
