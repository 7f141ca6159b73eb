import assert from "node:assert/strict";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import { wrapClient } from "../../../infra/testing/wrapped-client.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { DATABASE } from "./operators.ts";
import type { Stage } from "./stage.ts";

const VERSION = { operatorVersion: { name: "pgmini-14.2-0.3.0" } };

/** A host that dies where it would let go of a lock. */
function doomed(die: () => void): (client: KubeClient) => KubeClient {
  let dead = false;
  const gone = (): KubeError => new KubeError("aborted", "The host is dead.", { request: "doomed" });
  return (client) => {
    const mortal = wrapClient(client, async (_request, send) => {
      if (dead) throw gone();
      const answer = await send();
      if (dead) throw gone();
      return answer;
    });
    return {
      ...mortal,
      patch: async (...args) => {
        const operations = JSON.stringify(args[3]);
        if (!operations.includes('{"op":"remove","path":"/spec/planExecution"}'))
          return mortal.patch(...args);
        dead = true;
        die();
        throw gone();
      },
    };
  };
}

/** The end of a run is written before its lock is let go. */
export const release: readonly Scenario<Stage>[] = [
  {
    number: 38,
    name: "who dies between the end of a run and the release of its lock leaves only that to do",
    async run(s) {
      await s.version(VERSION.operatorVersion.name, DATABASE);
      let isDead = (): void => undefined;
      const died = new Promise<void>((resolve) => {
        isDead = resolve;
      });
      const engineClient = doomed(() => {
        s.stack.engine.bus.abandon();
        isDead();
      });
      await s.stack.restartEngine({ engineClient });
      await s.create(VERSION);
      await died;
      const { spec, status } = await s.instance();
      assert.equal(status?.planStatus?.deploy?.status, "COMPLETE");
      assert.equal(spec?.planExecution?.uid, status?.planStatus?.deploy?.uid);
      const runs = s.stack.runs().length;
      await s.stack.restartEngine({ abruptly: true });
      await s.settled();
      const after = await s.instance();
      assert.equal(after.spec?.planExecution, undefined);
      const { planStatus, executions, lastStarted, lastSucceeded } = after.status ?? {};
      assert.deepEqual(
        { planStatus, executions, lastStarted, lastSucceeded },
        {
          planStatus: status?.planStatus,
          executions: 1,
          lastStarted: status?.lastStarted,
          lastSucceeded: status?.lastSucceeded,
        },
      );
      const writes = s.stack
        .runs()
        .slice(runs)
        .flatMap((run) => run.writes.filter(({ sent, error }) => sent && error === undefined));
      assert.deepEqual(
        writes.map(({ verb }) => verb).filter((verb) => verb !== "status"),
        ["patch"],
      );
      assert.deepEqual(await s.events("PlanStarted"), ["Execution of plan deploy started"]);
      assert.deepEqual(await s.events("PlanFinished"), [
        "Execution of plan deploy finished with status COMPLETE",
      ]);
    },
  },
];
