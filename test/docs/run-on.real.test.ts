import assert from "node:assert/strict";
import { test } from "vitest";
import { freePort } from "../../infra/control-plane/ports.ts";
import { requireControlPlane, skipWithoutControlPlane } from "../../infra/testing/control-plane.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { skipWithoutNats } from "../../infra/testing/nats-server.ts";
import { type Followed, follow } from "./follow.ts";

const OBSERVED = "jsonpath={.items[*].status.observedGeneration}";

/** What a reader would try next. */
async function works({ run, said }: Followed): Promise<void> {
  // The server needs a moment to serve kinds that were just applied; a reader needs longer to open another terminal.
  await run(
    "until kubectl get sonataflowplatforms,sonataflows,sonataflowclusterplatforms; do sleep 0.2; done",
  );
  await run("kubectl apply -f functions/sonataflow/samples");
  await eventually("the samples' platforms to have a status", async () => {
    said();
    const generations = await run(`kubectl get sonataflowplatforms -A -o ${OBSERVED}`);
    return generations.trim().split(" ").length === 3;
  });
}

test("docs/run-on-nats.md leads to a system that works", {
  skip: skipWithoutControlPlane() !== false || skipWithoutNats() !== false,
  timeout: 240_000,
}, async (t) => {
  const plane = await requireControlPlane(t);
  if (plane === undefined) return;
  const port = String(await freePort());
  const page = await follow(t, "docs/run-on-nats.md", plane.kubeconfigFile, (text) =>
    text.replaceAll("4222", port),
  );
  await works(page);
  assert.match(await page.run("cat users.conf"), /reveille-sonataflow-platforms/);
});

test("docs/run-on-laptop.md leads to a system that works", {
  skip: skipWithoutControlPlane() !== false,
  timeout: 240_000,
}, async (t) => {
  const plane = await requireControlPlane(t);
  if (plane === undefined) return;
  await works(await follow(t, "docs/run-on-laptop.md", plane.kubeconfigFile));
});
