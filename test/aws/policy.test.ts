import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { sonataflow } from "../../functions/sonataflow/index.ts";
import { generatedAwsFiles } from "../../infra/deploy/aws/generated.ts";
import { defineEvent, defineSystem, each, on } from "../../shared/function/index.ts";
import { ConfigMap } from "../../shared/kube/kinds/index.ts";
import { openGate } from "./gate.ts";
import { allows, type PolicyStatement } from "./policy.ts";

const file = "infra/deploy/aws/generated/resources.yml";
const committed = readFileSync(join(import.meta.dirname, "../..", file), "utf8");

function statementsOf(text: string, role: string): readonly PolicyStatement[] {
  const { Resources } = parse(text) as {
    readonly Resources: Readonly<
      Record<
        string,
        {
          readonly Properties: {
            readonly Policies: readonly {
              readonly PolicyDocument: { readonly Statement: readonly PolicyStatement[] };
            }[];
          };
        }
      >
    >;
  };
  return Resources[role]?.Properties.Policies[0]?.PolicyDocument.Statement ?? assert.fail(`no ${role}`);
}

test("a function's role reaches its own queue and keys, and nobody else's", () => {
  const mine = statementsOf(committed, "SonataflowDashworkflowsRole");
  const table = (...leadingKeys: string[]) =>
    allows(mine, { action: "dynamodb:PutItem", resource: "StateTable", leadingKeys });
  const receives = (resource: string) => allows(mine, { action: "sqs:ReceiveMessage", resource });
  assert.deepEqual(
    [
      table("key/sonataflow-workflows"),
      table("run/1", "subject/x/Y/z/a"),
      table("key/sonataflow-platforms"),
      table("run/1", "key/sonataflow-platforms"),
      receives("SonataflowDashworkflowsQueue"),
      receives("SonataflowDashplatformsQueue"),
      allows(mine, { action: "dynamodb:Scan", resource: "StateTable" }),
    ],
    [true, true, false, false, true, false, false],
  );
});

test("a new function, and what it emits, changes the deployment", () => {
  const emptied = defineEvent("garden.emptied", z.object({ name: z.string() }), ({ name }) => name);
  const never = { reconcile: () => ({}) };
  const gardener = each(ConfigMap).function({ name: "gardener", emits: [emptied], ...never });
  const listener = each(ConfigMap, { status: [] }).function({
    name: "listener",
    parallel: 1,
    wakes: [on(emptied).toEach(() => true)],
    ...never,
  });
  const files = generatedAwsFiles([
    sonataflow,
    defineSystem({ name: "garden", functions: [gardener, listener] }),
  ]);
  const text = files.get("generated/resources.yml") ?? "";
  assert.notEqual(text, committed);
  const role = statementsOf(text, "GardenerRole");
  const sends = (resource: string) => allows(role, { action: "sqs:SendMessage", resource });
  assert.deepEqual(
    [sends("GardenerQueue"), sends("ListenerQueue"), sends("TimersQueue")],
    [true, true, true],
  );
  const own = statementsOf(text, "ListenerRole");
  assert.equal(allows(own, { action: "sqs:SendMessage", resource: "GardenerQueue" }), false);
  const functions = parse(files.get("generated/functions.yml") ?? "") as Readonly<
    Record<string, { readonly events: readonly { readonly sqs: { readonly maximumConcurrency?: number } }[] }>
  >;
  // AWS takes no less than two.
  assert.equal(functions.listener?.events[0]?.sqs.maximumConcurrency, 2);
});

test("a name that AWS cannot take is refused with a sentence", () => {
  const named = (name: string) =>
    defineSystem({ name: "garden", functions: [each(ConfigMap).function({ name, reconcile: () => ({}) })] });
  assert.throws(() => generatedAwsFiles([named("timers")]), { code: "AWS_NAME_TAKEN" });
  assert.throws(() => generatedAwsFiles([named("a".repeat(50))]), { code: "AWS_NAME_TOO_LONG" });
});

test("the gate before an emulator lets through what a role allows, and notes what it refused", async (t) => {
  const emulator = createServer((_, response) => response.end("{}"));
  emulator.listen(0, "127.0.0.1");
  await once(emulator, "listening");
  t.onTestFinished(() => {
    emulator.closeAllConnections();
    emulator.close();
  });
  const { port } = emulator.address() as AddressInfo;
  const statementsOfRole = (who: string) => (who === "mine" ? statementsOf(committed, "TimersRole") : []);
  const gate = await openGate(t, `http://127.0.0.1:${port}`, statementsOfRole, () => "TimersQueue");
  const status = async (who: string, action: string): Promise<number> =>
    (
      await fetch(gate.url, {
        method: "POST",
        headers: { authorization: `AWS4 Credential=${who}/x`, "x-amz-target": `AmazonSQS.${action}` },
        body: '{"QueueUrl":"http://x/timers"}',
      })
    ).status;
  assert.deepEqual(
    [
      await status("mine", "SendMessageBatch"),
      await status("theirs", "SendMessageBatch"),
      await status("mine", "PurgeQueue"),
    ],
    [200, 403, 403],
  );
  assert.deepEqual(gate.refused, [
    "theirs: sqs:SendMessage TimersQueue ",
    "mine: sqs:PurgeQueue TimersQueue ",
  ]);
});
