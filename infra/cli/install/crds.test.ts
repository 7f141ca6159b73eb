import assert from "node:assert/strict";
import { test } from "vitest";
import { systemClock } from "../../../shared/clock/clock.ts";
import { KubeError, type KubeErrorKind } from "../../../shared/kube/errors.ts";
import { functionsOf, ownKindsOf } from "../../systems/declared.ts";
import { startTestApi } from "../../testing/test-api.ts";
import { toySystem } from "../../testing/toy-system.ts";
import { wrapClient } from "../../testing/wrapped-client.ts";
import { applyCrds, planCrds } from "./crds.ts";

const KINDS = ownKindsOf(functionsOf([toySystem]));

test("a kind is installed once requests about it are taken, or its objects may not be seen", async (t) => {
  const api = await startTestApi({ api: "local" });
  t.onTestFinished(() => api.stop());
  // As a server answers that has yet to take the kind up.
  const answers: readonly KubeErrorKind[] = ["kindMissing", "throttled", "forbidden"];
  let asked = 0;
  const client = wrapClient(api.client, async ({ verb }, send) => {
    const refusal = verb === "list" ? answers[asked++] : undefined;
    if (refusal !== undefined) throw new KubeError(refusal, refusal, { request: "GET" });
    return send();
  });
  const [kind] = KINDS;
  assert.ok(kind !== undefined);
  await applyCrds(client, await planCrds(client, [kind]), systemClock);
  assert.equal(asked, 3);
});
