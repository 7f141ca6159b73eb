import { test } from "vitest";
import { sonataflow } from "../../functions/sonataflow/index.ts";
import { environmentOf, startEmulatedAws } from "../../infra/testing/emulated-aws.ts";
import { samplesSettle } from "./samples-settle.ts";

test("watcher and workers over SQS: SonataFlow's samples settle", { timeout: 120_000 }, async (t) => {
  const aws = await startEmulatedAws(sonataflow.functions.map(({ name }) => name));
  t.onTestFinished(() => aws.stop());
  await samplesSettle(t, environmentOf(aws));
});
