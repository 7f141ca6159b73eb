import assert from "node:assert/strict";
import { test } from "vitest";
import {
  admission,
  allow,
  awaited,
  defineClusters,
  defineSystem,
  each,
} from "../../../shared/function/index.ts";
import { ConfigMap } from "../../../shared/kube/kinds/index.ts";
import { Toy, toySystem, Workshop } from "../../testing/toy-system.ts";
import { notesOf } from "./notes.ts";

class FarMap extends defineClusters("far", { secret: { suffix: "-kubeconfig", key: "value" } }).kind(
  ConfigMap,
) {}

test("whoever deploys is told what a system lacks on Lambda, and what it needs there", () => {
  assert.deepEqual(notesOf([toySystem]), []);
  const watched = defineSystem({
    name: "watched",
    functions: [
      each(Toy).function({
        name: "reader",
        executes: "copies what toys wrote down",
        wakes: [],
        reconcile: () => ({}),
      }),
      each(Workshop).function({
        name: "traveller",
        wakes: [],
        writes: [awaited(FarMap, "followed while it is to come")],
        reconcile: () => ({}),
      }),
    ],
    admissions: [admission("toys-admission", Toy, ["create", "update"]).function({ admit: () => allow() })],
    triggers: [
      {
        name: "toys-told",
        path: "/:house/told",
        proof: "certificate",
        maximumBody: 100,
        read: () => ({ ignored: "nobody asks" }),
      },
    ],
  });
  const [asked, told, reaches, reads, ...others] = notesOf([toySystem, watched]);
  assert.match(
    asked ?? "",
    /^watched: .* toys-admission \(create and update of Toy\)\. .* failurePolicy Ignore/,
  );
  assert.match(told ?? "", /^watched: .* toys-told \(POST \/:house\/told.*`reveille serve` for watched/);
  assert.match(reaches ?? "", /^traveller: it reaches other clusters from Lambda/);
  assert.match(reads ?? "", /^reader: copies what toys wrote down\. .*WebSocket/);
  assert.deepEqual(others, []);
});
