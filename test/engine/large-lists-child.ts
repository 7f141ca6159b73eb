// One run, as a worker does it, of a function that decides on all Widgets of a namespace at the API server of $KUBECONFIG: prints how it
// ended, and what the process took.
import { readFileSync } from "node:fs";
import { Widget } from "../../examples/widget/widget.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import { allInNamespace } from "../../shared/function/index.ts";
import { createKubeClient } from "../../shared/kube/http-client.ts";
import { loadConnection } from "../../shared/kube/kubeconfig/index.ts";
import { silent } from "../../shared/log/log.ts";
import { createRunner } from "../../shared/runner/runner.ts";

const run = createRunner({
  functions: [allInNamespace(Widget).function({ name: "all", reconcile: () => ({}) })],
  client: createKubeClient({ connection: loadConnection() }),
  cluster: "large",
  clock: systemClock,
  log: silent,
  configOf: () => ({}),
  wroteThis: async () => false,
  emit: async () => undefined,
  nets: false,
});
const end = await run({
  item: {
    function: "all",
    key: "large/bench.example.org/Widget/tenant/*",
    lane: "urgent",
    causes: [],
    causesIncomplete: false,
    enqueuedAt: 0,
    attempt: 1,
  },
  held: () => true,
  signal: new AbortController().signal,
});
const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
process.stdout.write(`${end.state} ${end.state === "failed" ? end.error.code : ""} ${peak}\n`);
process.exit();
