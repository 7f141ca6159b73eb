import assert from "node:assert/strict";
import { beforeAll, describe, test } from "vitest";
import { KubeError } from "../../../shared/kube/errors.ts";
import { type Kind, resourceOf } from "../../../shared/kube/kind.ts";
import { apiVersionOf, type KubeObject } from "../../../shared/kube/object.ts";
import { skipWithoutControlPlane } from "../control-plane.ts";
import { crdObject, installCrd } from "../install-crds.ts";
import { startTestApi, type TestApi } from "../test-api.ts";

/** The steps for one object, one after the other: created with these fields, its status put, some fields changed. */
export interface JudgedObject {
  /** The name of its test. */
  readonly title: string;
  readonly kind: Kind;
  readonly object: Readonly<Record<string, unknown>>;
  readonly status?: unknown;
  readonly afterwards?: Readonly<Record<string, unknown>>;
  /** Upstream's own: it must be taken. */
  readonly valid?: true;
}

export interface Conformance {
  /** The name of the objects, for the suite's title. */
  readonly name: string;
  /** Upstream's CRDs of these kinds; undefined where they are not here: the suite is skipped. */
  readonly theirs: ReadonlyMap<Kind, () => KubeObject> | undefined;
  readonly objects: readonly JudgedObject[];
  /** True where the stored objects must be the same as well: not where our CRD has defaults of its own. */
  readonly keepsTheSame: boolean;
}

const USER = { fieldManager: "user" } as const;
const NAMESPACE = "default";

/** Proves that an API server takes and refuses, and keeps, the same objects under our CRDs as under upstream's. */
export function conformance(api: "local" | "real", it: Conformance): void {
  const { name, theirs, objects, keepsTheSame } = it;
  const noServer = api === "real" ? skipWithoutControlPlane() : false;
  const skip = theirs === undefined ? "CONFORMANCE_DATA is not set" : noServer;
  describe(`${name} on the ${api} API`, { skip: skip !== false }, () => {
    const answers = { ours: new Map<JudgedObject, Answer>(), theirs: new Map<JudgedObject, Answer>() };
    beforeAll(async () => {
      for (const whose of ["theirs", "ours"] as const) {
        const server = await startTestApi({ api, controllers: false });
        try {
          for (const [kind, theirCrd] of theirs ?? [])
            await installCrd(
              server.client,
              whose === "ours" ? crdObject(kind) : theirCrd(),
              resourceOf(kind),
            );
          for (const [index, judged] of objects.entries())
            answers[whose].set(judged, await answerOf(server, judged, `edge-${index}`));
        } finally {
          await server.stop();
        }
      }
    });
    for (const judged of objects)
      test(judged.title, () => {
        const [ours, theirs] = [answers.ours.get(judged), answers.theirs.get(judged)];
        assert.ok(ours !== undefined && theirs !== undefined);
        if (judged.valid) assert.equal(ours.message, TAKEN);
        assert.equal(ours.taken, theirs.taken, `ours: ${ours.message}; theirs: ${theirs.message}`);
        if (keepsTheSame) assert.deepEqual(ours.kept, theirs.kept);
      });
  });
}

const TAKEN = "taken";
interface Answer {
  readonly taken: boolean;
  readonly message: string;
  /** Spec and status as they were stored, and whether the generation moved. */
  readonly kept?: unknown;
}

async function answerOf({ client }: TestApi, judged: JudgedObject, name: string): Promise<Answer> {
  const { kind, object, status, afterwards } = judged;
  const resource = resourceOf(kind);
  const place = { name, ...(kind.scope !== "Cluster" && { namespace: NAMESPACE }) };
  const metadata = { ...(object.metadata as object | undefined), ...place };
  const body = { ...object, apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
  try {
    let stored = await client.create(resource, body, USER);
    if ("status" in judged)
      stored = await client.replace(
        resource,
        place,
        { ...stored, status },
        { ...USER, subresource: "status" },
      );
    if (afterwards !== undefined)
      stored = await client.replace(resource, place, { ...stored, ...afterwards }, USER);
    const { spec, metadata: made } = stored;
    return {
      taken: true,
      message: TAKEN,
      kept: { spec, status: stored.status, generation: made.generation },
    };
  } catch (error) {
    if (error instanceof KubeError && error.kind === "invalid")
      return { taken: false, message: error.message };
    throw error;
  }
}
