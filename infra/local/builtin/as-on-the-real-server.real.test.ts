import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { prune } from "../../../shared/kube/validation/prune.ts";
import { validateSchema } from "../../../shared/kube/validation/validate.ts";
import {
  type ControlPlane,
  skipWithoutControlPlane,
  startControlPlane,
} from "../../testing/control-plane.ts";
import { isObject } from "../json.ts";
import type { ApiObject } from "../resource-type.ts";
import { applyDefaults } from "../schema/default.ts";
import { builtInTypes } from "./index.ts";
import { samples } from "./samples.ts";

/** A create, as far as the kind itself takes part in it. */
function created(given: ApiObject): {
  object: ApiObject;
  faults: readonly string[];
  unknown: readonly string[];
} {
  const object = structuredClone(given);
  const type = builtInTypes.find(
    (one) =>
      one.kind === object.kind &&
      object.apiVersion === (one.group === "" ? one.version : `${one.group}/${one.version}`),
  );
  assert.ok(type?.schema, `${object.apiVersion} ${object.kind} is built in`);
  const context = { now: Date.now(), user: { username: "u", groups: [] } };
  const unknown: string[] = [];
  prune(type.schema, object, unknown);
  applyDefaults(type.schema, object);
  type.strategy?.default?.(object);
  type.strategy?.prepareForCreate?.(object, context);
  // Lists with keys are checked for doubles by the kinds themselves: the real server lets some pass (variables).
  const schemaFaults = validateSchema(type.schema, object).filter(
    (one) => one.reason !== "FieldValueDuplicate",
  );
  const faults =
    schemaFaults.length > 0 ? schemaFaults : (type.strategy?.validate?.(object, undefined, undefined) ?? []);
  return {
    object: type.storedAs?.read(type.storedAs.write(object)) ?? object,
    faults: faults.map((one) => `${one.field}: ${one.message}`),
    unknown,
  };
}

/** What differs by chance: uids, times, addresses; and node ports. */
function withoutChance(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value)
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "UID")
      .replace(/"10\.\d+\.\d+\.\d+"/g, '"ADDRESS"')
      .replace(/"lastPhaseTransitionTime":"[^"]+"/g, '"lastPhaseTransitionTime":"TIME"')
      // Given by the server, not by the kind.
      .replace(/"nodePort":\d+,?/g, ""),
  );
}

describe("built-in kinds fill in and refuse what the real server does", {
  skip: skipWithoutControlPlane() !== false,
}, () => {
  let plane: ControlPlane;
  beforeAll(async () => {
    plane = await startControlPlane();
  });
  afterAll(() => plane.stop());

  const real = (object: ApiObject): { object?: ApiObject; message?: string } => {
    const kubectl = join(process.env.KUBEBUILDER_ASSETS ?? "", "kubectl");
    try {
      const made = execFileSync(
        kubectl,
        [
          "--kubeconfig",
          plane.kubeconfigFile,
          "create",
          "--dry-run=server",
          "--validate=strict",
          "-o",
          "json",
          "-f",
          "-",
        ],
        { input: JSON.stringify(object), encoding: "utf8", stdio: ["pipe", "pipe", "pipe"] },
      );
      return { object: JSON.parse(made) };
    } catch (error) {
      return { message: isObject(error) ? String(error.stderr) : String(error) };
    }
  };

  for (const [name, sample] of Object.entries(samples))
    it(name, () => {
      const theirs = real(sample);
      const ours = created(sample);
      if (theirs.object === undefined) {
        assert.ok(ours.faults.length > 0, `only the real server refuses: ${theirs.message}`);
        for (const fault of ours.faults)
          assert.ok(theirs.message?.includes(fault), `${theirs.message}\n  has no\n${fault}`);
        return;
      }
      assert.deepEqual(ours.faults, []);
      assert.deepEqual(ours.unknown, []);
      const {
        metadata: {
          managedFields,
          uid,
          creationTimestamp,
          generation,
          namespace,
          resourceVersion,
          ...metadata
        },
        ...rest
      } = theirs.object;
      const {
        metadata: { uid: _, namespace: __, ...ourMetadata },
        ...ourRest
      } = ours.object;
      assert.deepEqual(
        withoutChance({ metadata: ourMetadata, ...ourRest }),
        withoutChance({ metadata, ...rest }),
      );
    });
});
