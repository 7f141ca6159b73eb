import assert from "node:assert/strict";
import { it } from "vitest";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { Secret } from "../../../shared/kube/kinds/index.ts";
import { CONTROL_PLANE, Kyma, LABELS, Manifest } from "../kinds/index.ts";
import { installed, standing } from "./alpha-store.ts";
import { everythingIn } from "./everything.ts";
import { startStage } from "./stage.ts";

const SECRETS = resourceOf(Secret);
const KYMAS = resourceOf(Kyma);
const SECOND = { name: "rt-2", namespace: CONTROL_PLANE };

it("a Kyma whose Secret leads to the cluster of another one touches nothing there, and goes when its Secret has gone", async (t) => {
  const s = await startStage({ api: "local", target: "secret" });
  t.onTestFinished(() => s.stop());
  const remote = await installed(s);
  const before = await everythingIn(remote.client);
  const there = await standing(remote);

  const copied = await remote.secret({ named: "copied" });
  const metadata = { ...copied.metadata, labels: { [LABELS.kymaName]: SECOND.name } };
  await s.stack.client.apply(
    SECRETS,
    { name: "copied", namespace: CONTROL_PLANE },
    { ...copied, metadata },
    { fieldManager: "user", force: true },
  );
  await s.wants({ modules: [{ name: "alpha-store" }] }, { name: SECOND.name });
  const { state, conditions } = await s.says(SECOND.name);
  const reachable = conditions?.find(({ type }) => type === "Reachable");
  assert.deepEqual([state, reachable?.status, reachable?.reason], ["Error", "False", "Unreachable"]);
  assert.match(
    reachable?.message ?? "",
    /its Kyma kyma-system\/default says that it is the cluster of "kcp-system\/rt-1", and not of kcp-system\/rt-2/,
  );
  assert.deepEqual(await everythingIn(remote.client), before);
  assert.equal((await s.says()).state, "Ready", "the first one does not notice");

  await s.stack.client.delete(KYMAS, SECOND, { uid: undefined });
  await s.settled();
  assert.match((await s.says(SECOND.name)).lastOperation?.operation ?? "", /waits for its runtime/);
  await s.remove(Secret, { name: "copied", namespace: CONTROL_PLANE });
  await s.until("the second one to be gone", async () => (await s.get(Kyma, SECOND)) === undefined);
  const left = await s.list(Manifest, CONTROL_PLANE);
  assert.deepEqual([...new Set(left.map(({ metadata: { labels } }) => labels[LABELS.kymaName]))], ["rt-1"]);
  assert.deepEqual(await everythingIn(remote.client), before);
  assert.deepEqual(await standing(remote), there);
});
