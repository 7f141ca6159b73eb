import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sonataflow } from "../../functions/sonataflow/index.ts";
import type { StackCluster } from "../../functions/sonataflow/test/stack-cluster.ts";
import { routingOf } from "../../infra/engine/routing.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import type { At } from "../../infra/testing/system/cluster.ts";
import { startWatcher, type Watcher } from "../../infra/watcher/index.ts";
import { openEmbeddedBus } from "../../shared/bus/embedded/index.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import { COMMANDS } from "../../shared/function/commands.ts";
import type { Kind } from "../../shared/function/index.ts";
import { startLocalHost } from "../../shared/host/local.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { CustomResourceDefinition } from "../../shared/kube/kinds/custom-resource-definition.ts";
import { silent } from "../../shared/log/log.ts";
import { watchListOf } from "../../shared/runner/watch-list-of.ts";
import { NAMESPACE, type RightsStage } from "./rights-stage.ts";

/** Writes a status as the operator before did, so that it is ours to take over. */
export async function writeAsPredecessor({ stack }: StackCluster, kind: Kind, at: At): Promise<void> {
  const live = (await stack.client.get(resourceOf(kind), at)) ?? assert.fail(`no ${kind.kind} ${at.name}`);
  const status = { ...(live.status as object), observedGeneration: 0 };
  await stack.client.replace(
    resourceOf(kind),
    at,
    { ...live, status },
    { fieldManager: "manager", subresource: "status" },
  );
}

interface Target {
  readonly function?: string;
  readonly object?: At & { readonly kind: Kind };
}

/** Has commands carried out under the account that the chart makes for them, and waits until that is done. */
export async function sendCommands(
  stage: RightsStage,
  targets: readonly Target[],
  { type = "command.pause" } = {},
): Promise<void> {
  const { route, types } = routingOf([sonataflow]);
  const bus = openEmbeddedBus({
    file: ":memory:",
    route,
    types,
    clock: systemClock,
    log: silent,
  });
  const outcomes: unknown[] = [];
  bus.subscribe({
    published: ({ type: told, data }) => {
      if (told === "command.outcome") outcomes.push((data as { readonly outcome: string }).outcome);
    },
  });
  const consumer = startLocalHost({
    systems: [sonataflow],
    client: await stage.clientOf("reveille-commands"),
    cluster: stage.cluster.stack.cluster,
    bus,
    clock: systemClock,
    log: silent,
    only: [COMMANDS],
    home: NAMESPACE,
  });
  const { refused } = await bus.publish(
    targets.map((target, index) => ({
      specversion: "1.0",
      id: `${type}-${index}-${Date.now()}`,
      type,
      source: "/test",
      time: new Date(Date.now() + index).toISOString(),
      datacontenttype: "application/json",
      data: {
        askedBy: "alice",
        ...(target.function !== undefined && { function: target.function }),
        ...(target.object !== undefined && {
          object: {
            group: target.object.kind.group,
            kind: target.object.kind.kind,
            name: target.object.name,
            ...(target.object.namespace !== undefined && { namespace: target.object.namespace }),
          },
        }),
      },
    })),
  );
  assert.deepEqual(refused, []);
  await eventually("the commands to be carried out", () => outcomes.length === targets.length);
  assert.deepEqual(
    outcomes,
    targets.map(() => "done"),
  );
  await consumer.stop(5_000);
  await bus.close();
}

/** Removes a kind with its objects while a watcher with a ledger is away, and waits until it has asked whether the kind is gone. */
export async function removeKind(stage: RightsStage, kind: Kind): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "reveille-ledger-"));
  const client = await stage.clientOf("reveille-watcher");
  const start = (): Watcher =>
    startWatcher({
      client,
      cluster: { name: stage.cluster.stack.cluster },
      watchList: watchListOf(sonataflow.functions),
      ledger: { file: join(folder, "ledger.db") },
      publish: async () => undefined,
      clock: systemClock,
      log: silent,
      identity: "third",
      lease: false,
    });
  try {
    const before = start();
    await before.settled();
    await before.stop();
    const name = `${kind.plural}.${kind.group}`;
    const crds = resourceOf(CustomResourceDefinition);
    await stage.api.client.delete(crds, { name }, { uid: undefined });
    await eventually(
      `${name} to be gone`,
      async () => (await stage.api.client.get(crds, { name })) === undefined,
    );
    const afterwards = start();
    await eventually(`the watcher to look whether ${kind.kind} is gone`, () =>
      stage
        .uses()
        .some((use) => use.resource === "customresourcedefinitions" && use.name === name && use.allowed),
    );
    await afterwards.stop();
  } finally {
    rmSync(folder, { recursive: true });
  }
}
