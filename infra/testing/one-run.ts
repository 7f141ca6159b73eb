import type { Lease } from "../../shared/bus/contract.ts";
import type { WorkItem } from "../../shared/bus/item.ts";
import type { FunctionDeclaration } from "../../shared/function/index.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { silent } from "../../shared/log/log.ts";
import { createRunner } from "../../shared/runner/runner.ts";
import type { RunnerParts } from "../../shared/runner/runner-parts.ts";
import { manualClock } from "./settling-clock.ts";

/** A runner of one function in the cluster `c`, whose client can do no more than a test gives. */
export const runnerOf = (
  declaration: FunctionDeclaration,
  client: Partial<KubeClient>,
  more: Partial<RunnerParts> = {},
) =>
  createRunner({
    functions: [declaration],
    client: client as KubeClient,
    cluster: "c",
    clock: manualClock(),
    log: silent,
    configOf: () => ({}),
    wroteThis: async () => false,
    emit: async () => undefined,
    nets: false,
    ...more,
  });

/** The first attempt of a function at a key, without a cause. */
export const itemOf = (name: string, key: string, more: Partial<WorkItem> = {}): WorkItem => ({
  function: name,
  key,
  lane: "urgent",
  causes: [],
  causesIncomplete: false,
  enqueuedAt: 0,
  attempt: 1,
  ...more,
});

/** A lease that is never lost. */
export const leaseOf = (item: WorkItem, more: Partial<Lease> = {}): Lease => ({
  item,
  held: () => true,
  signal: new AbortController().signal,
  ...more,
});
