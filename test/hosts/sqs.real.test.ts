import { test } from "node:test";
import { sonataflow } from "../../functions/sonataflow/index.ts";
import { emulatedAws } from "./emulated-aws.ts";
import { samplesSettle } from "./samples-settle.ts";

test("watcher and workers over SQS: SonataFlow's samples settle", { timeout: 120_000 }, async (t) => {
  const environment = await emulatedAws(
    t,
    sonataflow.functions.map(({ name }) => name),
  );
  await samplesSettle(t, environment);
});
