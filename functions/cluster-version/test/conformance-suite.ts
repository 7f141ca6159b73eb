import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, test } from "vitest";
import { parse } from "yaml";
import { skipWithoutControlPlane } from "../../../infra/testing/control-plane.ts";
import { startTestApi, type TestApi } from "../../../infra/testing/test-api.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { ClusterOperator, ClusterVersion } from "../kinds/index.ts";
import { OBJECTS, type Steps } from "./conformance-objects.ts";
import { crdObject, installCrd } from "./install-crds.ts";

const folder =
  process.env.CONFORMANCE_DATA === undefined
    ? undefined
    : join(process.env.CONFORMANCE_DATA, "cluster-version", "crds");
const KINDS = [
  { kind: ClusterOperator, file: "clusteroperators.crd.yaml" },
  { kind: ClusterVersion, file: "clusterversions-Default.crd.yaml" },
] as const;
const USER = { fieldManager: "user" } as const;

/** Whether an API server takes, refuses and keeps the same objects under our CRDs as under upstream's. */
export function conformanceSuite(api: "local" | "real"): void {
  const noServer = api === "real" ? skipWithoutControlPlane() : false;
  const skip = folder === undefined ? "CONFORMANCE_DATA is not set" : noServer;
  describe(`ClusterOperators and ClusterVersions on the ${api} API`, { skip: skip !== false }, () => {
    const answers = { ours: new Map<Steps, Answer>(), theirs: new Map<Steps, Answer>() };
    beforeAll(async () => {
      for (const whose of ["theirs", "ours"] as const) {
        const server = await startTestApi({ api, controllers: false });
        try {
          for (const { kind, file } of KINDS)
            await installCrd(
              server.client,
              whose === "ours"
                ? crdObject(kind)
                : (parse(readFileSync(join(folder ?? "", file), "utf8")) as KubeObject),
              resourceOf(kind),
            );
          for (const [index, steps] of OBJECTS.entries())
            answers[whose].set(steps, await answerOf(server, steps, `edge-${index}`));
        } finally {
          await server.stop();
        }
      }
    });
    for (const steps of OBJECTS)
      test(`${steps.kind.kind}: ${steps.name}`, () => {
        const [ours, theirs] = [answers.ours.get(steps), answers.theirs.get(steps)];
        assert.ok(ours !== undefined && theirs !== undefined);
        assert.equal(ours.taken, theirs.taken, `ours: ${ours.message}; theirs: ${theirs.message}`);
        assert.deepEqual(ours.kept, theirs.kept);
      });
  });
}

interface Answer {
  readonly taken: boolean;
  readonly message: string;
  /** Spec and status as they were stored, and whether the generation moved. */
  readonly kept?: unknown;
}

async function answerOf({ client }: TestApi, steps: Steps, name: string): Promise<Answer> {
  const { kind, object, status, afterwards } = steps;
  const resource = resourceOf(kind);
  const place = { name };
  const body = { apiVersion: `${kind.group}/${kind.version}`, kind: kind.kind, metadata: place, ...object };
  try {
    let stored = await client.create(resource, body, USER);
    if ("status" in steps)
      stored = await client.replace(
        resource,
        place,
        { ...stored, status },
        { ...USER, subresource: "status" },
      );
    if (afterwards !== undefined)
      stored = await client.replace(resource, place, { ...stored, ...afterwards }, USER);
    return {
      taken: true,
      message: "taken",
      kept: { spec: stored.spec, status: stored.status, generation: stored.metadata.generation },
    };
  } catch (error) {
    if (error instanceof KubeError && error.kind === "invalid")
      return { taken: false, message: error.message };
    throw error;
  }
}
