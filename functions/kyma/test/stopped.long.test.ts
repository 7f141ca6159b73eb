import assert from "node:assert/strict";
import { onTestFinished, test } from "vitest";
import { eventually } from "../../../infra/testing/eventually.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { Deployment, Pod } from "../../../shared/kube/kinds/index.ts";
import { RUNTIME_NAMESPACE } from "../kinds/index.ts";
import { startStage } from "./stage.ts";
import { condition, programRuns, watchedRuntime } from "./watching.ts";

const PLAYED = { fieldManager: "tester", subresource: "status" } as const;
const DEPLOYMENT = { name: "skr-webhook", namespace: RUNTIME_NAMESPACE };
const POD = { name: "skr-webhook-1", namespace: RUNTIME_NAMESPACE };
const BACK_OFF = "back-off 5m0s restarting failed container=server";

test("a Kyma is in Error while the program in its runtime cannot start, and no longer", async () => {
  const s = await startStage({ api: "local", target: "secret" });
  onTestFinished(() => s.stop());
  const there = await watchedRuntime(s);
  const { client } = there;
  const says = async (): Promise<string> => {
    const { state, lastOperation } = await s.says();
    const { status, reason, message } = (await condition(s, "SKRWebhook")) ?? assert.fail();
    return `${state}, ${status} ${reason}: ${message} (${lastOperation?.operation})`;
  };
  const until = async (said: RegExp): Promise<void> => {
    let last = "";
    await eventually(`a status like ${said}`, async () => {
      last = await says();
      return said.test(last);
    }).catch((error) => assert.fail(`${error}: ${last}`));
    await s.settled();
  };
  const deployment = (status: unknown) =>
    client.patch(resourceOf(Deployment), DEPLOYMENT, "merge", { status }, PLAYED);
  const waiting = (state: unknown) =>
    client.patch(
      resourceOf(Pod),
      POD,
      "merge",
      {
        status: {
          phase: "Pending",
          containerStatuses: [
            { name: "server", state, image: "i", imageID: "", ready: false, restartCount: 3 },
          ],
        },
      },
      PLAYED,
    );
  await until(/^Ready, True/);

  const unavailable = {
    conditions: [
      { type: "Available", status: "False", reason: "MinimumReplicasUnavailable", message: "No." },
    ],
  };
  await deployment(unavailable);
  // As long as a runtime may still be heard, nobody looks at its program.
  await s.leap(4);
  await until(/^Processing, False Ready: The Deployment skr-webhook in the runtime is not available: No\./);
  // The Deployment counts its Pods: from this on it says nothing new.
  await client.create(
    resourceOf(Pod),
    {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { ...POD, labels: { app: "skr-webhook" } },
      spec: { containers: [{ name: "server", image: "i" }] },
    },
    { fieldManager: "tester" },
  );
  await deployment({ ...unavailable, replicas: 1, unavailableReplicas: 1 });
  await s.until("the Pod to be waited for", async () =>
    (await s.stack.engine.bus.waits()).some(({ kind, name }) => kind === "Pod" && name === POD.name),
  );

  await waiting({ waiting: { reason: "CrashLoopBackOff", message: BACK_OFF } });
  const why = `The program that watches in the runtime cannot start: container server of Pod skr-webhook-1 waits with CrashLoopBackOff: ${BACK_OFF}`;
  await until(/^Error/);
  assert.equal(await says(), `Error, False Ready: ${why} (${why})`);

  await waiting({ running: {} });
  await until(/^Processing, False Ready: The Deployment skr-webhook in the runtime is not available/);
  await waiting({ waiting: { reason: "ImagePullBackOff", message: "Back-off pulling image" } });
  await until(/^Error, False Ready: .* waits with ImagePullBackOff: Back-off pulling image/);

  await programRuns(s, there);
  await until(/^Ready, True Ready: {2}\(All modules are as they are to be\.\)/);
  assert.deepEqual(
    (await s.stack.engine.bus.waits()).filter(({ kind }) => kind === "Pod"),
    [],
  );
});
