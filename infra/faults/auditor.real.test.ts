import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, test } from "vitest";
import type { KubeClient } from "../../shared/kube/client.ts";
import { createKubeClient } from "../../shared/kube/http-client.ts";
import { type Kind, resourceOf } from "../../shared/kube/kind.ts";
import { ConfigMap } from "../../shared/kube/kinds/config-map.ts";
import {
  type ControlPlane,
  connectionTo,
  skipWithoutControlPlane,
  startControlPlane,
} from "../testing/control-plane.ts";
import { eventually } from "../testing/eventually.ts";
import { installKinds } from "../testing/stack.ts";
import { Auditor } from "./auditor.ts";
import { gears } from "./gear.ts";
import { Gear } from "./gear-kinds.ts";
import { PART } from "./gear-names.ts";
import { GearLoad } from "./load.ts";

const place = { namespace: "north", name: "anchor" };

describe("the auditor, where functions answer wrongly", { skip: skipWithoutControlPlane() !== false }, () => {
  let plane: ControlPlane;
  let client: KubeClient;
  let load: GearLoad;
  beforeAll(async () => {
    plane = await startControlPlane();
    client = createKubeClient({ connection: connectionTo(plane) });
    await installKinds(client, [gears]);
    load = new GearLoad(client);
    await load.prepare();
  });
  afterAll(async () => {
    client.close();
    await plane.stop();
  });

  const write = async (kind: Kind, at: typeof place, fields: object, subresource?: "status") => {
    const apiVersion = kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
    const body = { apiVersion, kind: kind.kind, metadata: { ...at }, ...fields };
    const how = { fieldManager: "wrong", force: true, ...(subresource && { subresource }) };
    return client.apply(resourceOf(kind), at, body, how);
  };
  const answer = async (observedGeneration: number, product: number, factor: number): Promise<void> => {
    await write(Gear, place, { status: { observedGeneration, product, factor } }, "status");
  };
  /** What it finds while `act` writes; it has seen all of it. */
  const findingsOf = async (
    act: (seen: (answers: number) => Promise<unknown>) => Promise<void>,
    count: number,
  ): Promise<readonly string[]> => {
    const auditor = new Auditor(plane);
    try {
      await act((answers) => eventually("the answer is judged", () => auditor.answers >= answers));
      await eventually("all is judged", () => auditor.findings.length >= count);
      return auditor.findings;
    } finally {
      await auditor.stop();
    }
  };

  test("a child that goes back is found", async () => {
    const uid = (await client.get(resourceOf(Gear), place))?.metadata.uid ?? "";
    const child = { namespace: "north", name: "child-by-hand" };
    const owner = { apiVersion: "faults.example.org/v1", kind: "Gear", name: "anchor", uid };
    const bear = (generation: string) =>
      write(ConfigMap, child, {
        metadata: { ...child, labels: { [PART]: "child" }, ownerReferences: [owner] },
        data: { generation },
      });
    const auditor = new Auditor(plane);
    try {
      // Again and again, since nothing tells when it has begun to look.
      await eventually("a finding", async () => {
        await bear("10");
        await bear("8");
        return auditor.findings.length > 0;
      });
      assert.equal(auditor.findings[0], "ConfigMap north/child-by-hand went back from 10 to 8");
    } finally {
      await auditor.stop();
    }
  });

  test("a status that goes back, in generation or in what it rests on, is found", async () => {
    await load.gear("north/anchor");
    const live = await client.get(resourceOf(Gear), place);
    const { value } = (live as Gear | undefined)?.spec ?? { value: Number.NaN };
    const { generation = 0 } = live?.metadata ?? {};
    const findings = await findingsOf(async (seen) => {
      await answer(generation, value * 3, 3);
      await seen(1);
      await answer(generation, value * 2, 2);
      await seen(2);
      await answer(generation - 1, 1, 1);
    }, 2);
    assert.deepEqual(findings, [
      "Gear north/anchor: went back from factor 3 to 2",
      `Gear north/anchor: went back from generation ${generation} to ${generation - 1}`,
    ]);
  });

  test("a value of another generation, and a generation that nobody wrote, are found", async () => {
    await load.gear("north/anchor");
    const live = await client.get(resourceOf(Gear), place);
    const { value } = (live as Gear | undefined)?.spec ?? { value: Number.NaN };
    const { generation = 0 } = live?.metadata ?? {};
    // An auditor may begin before what is written meanwhile, or after it: what it begins with is right.
    const beginRight = () => answer(generation, value * 2, 2);
    await beginRight();
    const [finding] = await findingsOf(() => answer(generation, 7_777, 2), 1);
    assert.match(finding ?? "", /^Gear north\/anchor: says 7777 where generation \d+ asks for \d+ × 2$/);
    await beginRight();
    const [unwritten] = await findingsOf(() => answer(generation + 5, 1, 1), 1);
    assert.equal(unwritten, `Gear north/anchor: observed ${generation + 5} of ${generation}`);
  });

  test("objects that nobody answers are missed, each by its name", async () => {
    const auditor = new Auditor(plane);
    try {
      await load.gear("south/nobody-answers");
      const missed = await auditor.missed();
      for (const line of [
        "Gear south/nobody-answers says NaN of generation undefined, not",
        "the child of Gear south/nobody-answers is not",
        "the mirror of Gear south/nobody-answers is not",
        "the tally of south is not",
      ])
        assert.ok(
          missed.some((told) => told.startsWith(line)),
          `${line} …: ${missed.join("\n")}`,
        );
    } finally {
      await auditor.stop();
    }
  });
});
