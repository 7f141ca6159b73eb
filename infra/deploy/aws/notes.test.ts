import assert from "node:assert/strict";
import { test } from "vitest";
import { admission, allow, defineSystem, each } from "../../../shared/function/index.ts";
import { Toy, toySystem } from "../../testing/toy-system.ts";
import { notesOf } from "./notes.ts";

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
    ],
    admissions: [admission("toys-admission", Toy, ["create", "update"]).function({ admit: () => allow() })],
  });
  const [asked, reads, ...others] = notesOf([toySystem, watched]);
  assert.match(
    asked ?? "",
    /^watched: .* toys-admission \(create and update of Toy\)\. .* failurePolicy Ignore/,
  );
  assert.match(reads ?? "", /^reader: copies what toys wrote down\. .*WebSocket/);
  assert.deepEqual(others, []);
});
