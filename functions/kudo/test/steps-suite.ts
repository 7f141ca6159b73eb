import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { skipWithoutControlPlane } from "../../../infra/testing/control-plane.ts";
import { eventually } from "../../../infra/testing/eventually.ts";
import { fieldOf } from "../../../shared/json/fields.ts";
import type { Resource } from "../../../shared/kube/client.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { Namespace } from "../../../shared/kube/kinds/index.ts";
import { type KubeObject, parseApiVersion } from "../../../shared/kube/object.ts";
import { parseObject } from "../../../shared/kube/read.ts";
import { entryOf, isRunning, lockOf } from "../decide/definition/index.ts";
import { successorOf } from "../decide/served/index.ts";
import { Instance, OperatorVersion } from "../kinds/index.ts";
import { folder } from "./conformance.ts";
import { type Site, startSite } from "./site.ts";
import { type FolderStep, holds, stepsIn } from "./step-folders.ts";
import { UPSTREAM_VERSIONS } from "./upstream-versions.ts";

const USER = { fieldManager: "user" } as const;
const root = folder === undefined ? undefined : join(folder, "integration");
const names = root === undefined ? [] : readdirSync(root).sort();

/** True where the folder wants a plan that is not over: there pods never start, so that it does not end by itself. */
const isHeld = (steps: readonly FolderStep[]): boolean =>
  steps.some(({ asserts }) =>
    asserts.some((object) =>
      Object.values((fieldOf(object.status, "planStatus") ?? {}) as object).some(
        (plan) => fieldOf(plan, "status") === "IN_PROGRESS",
      ),
    ),
  );

/** Plays upstream's step folders as they are: what is applied, what is typed, what must and must not come of it. */
export function stepFolders(kind: "local" | "real"): void {
  const skip =
    folder === undefined || (kind === "real" && skipWithoutControlPlane({ controllerManager: true }));
  const folders = names.map((name) => [name, stepsIn(join(root ?? "", name))] as const);
  for (const workloads of [true, false])
    describe(`step folders on the ${kind} API${workloads ? "" : ", where no pod starts"}`, {
      skip: skip !== false,
      timeout: 120_000,
    }, () => {
      let site: Site;
      beforeAll(async () => {
        site = await startSite(kind, workloads);
        for (const [name, spec] of Object.entries(UPSTREAM_VERSIONS))
          await site.client.create(
            resourceOf(OperatorVersion),
            {
              apiVersion: "kudo.dev/v1beta1",
              kind: "OperatorVersion",
              metadata: { name, namespace: "default" },
              spec,
            },
            USER,
          );
      }, 120_000);
      afterAll(() => site?.stop());

      it.each(folders.filter(([, steps]) => isHeld(steps) !== workloads))("%s", async (name, steps) => {
        const namespace = `step-${name}`.slice(0, 63);
        await site.client.create(
          resourceOf(Namespace),
          { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
          USER,
        );
        const stage = playerIn(site, namespace, join(root ?? "", name));
        for (const step of steps) await stage.play(step);
      });
    });
  it.skipIf(folder === undefined)(`step folders on the ${kind} API are many`, () =>
    assert(folders.length > 20 && folders.some(([, steps]) => isHeld(steps))),
  );
}

function playerIn({ client, kudo, folder: to }: Site, namespace: string, from: string) {
  /** The resource of an object: the present one, where the server no longer has the version. */
  const resourceFor = async (object: KubeObject): Promise<Resource> => {
    for (const apiVersion of [object.apiVersion, successorOf(object)?.apiVersion ?? ""]) {
      const { group, version } = parseApiVersion(apiVersion);
      const found = (await client.discover(group, version)).find((one) => one.kind === object.kind);
      if (found !== undefined) return found;
    }
    throw new Error(`the API server knows no ${object.kind} of ${object.apiVersion}`);
  };
  const placeOf = ({ metadata }: KubeObject, { scope }: Resource) => ({
    name: metadata.name,
    ...(scope === "Namespaced" && { namespace: metadata.namespace ?? namespace }),
  });
  const apply = async (object: KubeObject): Promise<void> => {
    const resource = await resourceFor(object);
    const place = placeOf(object, resource);
    if ((await client.get(resource, place)) !== undefined)
      await client.patch(resource, place, "merge", object, USER);
    else await client.create(resource, { ...object, metadata: { ...object.metadata, ...place } }, USER);
  };
  const remove = async (object: KubeObject): Promise<void> => {
    const resource = await resourceFor(object);
    await client.delete(resource, placeOf(object, resource), { uid: undefined });
  };
  /** The live objects that an object of an assert or error file is about: all of its kind, where it names none. */
  const meant = async (object: KubeObject): Promise<readonly KubeObject[]> => {
    const resource = await resourceFor(object);
    if (typeof object.metadata.name === "string") {
      const live = await client.get(resource, placeOf(object, resource));
      return live === undefined ? [] : [live];
    }
    return (await client.list(resource, { namespace })).items;
  };
  const isSo = async (object: KubeObject): Promise<boolean> => {
    const { apiVersion: _, ...wanted } = object;
    return (await meant(object)).some((live) => holds(wanted, live));
  };
  const type = async (words: readonly string[]): Promise<void> => {
    const [kubectl, plugin, ...rest] = words;
    assert.deepEqual([kubectl, plugin], ["kubectl", "kudo"], `${words.join(" ")} is no command of KUDO's`);
    const typed = rest.map((word) => (word.startsWith("./") ? join(from, word) : word));
    const places = rest[0] === "package" ? ["--destination", to] : [];
    const { code, stdout, stderr } = await eventually(`${words.join(" ")} to be answered`, async () => {
      const ended = await kudo(namespace, ...typed, ...places);
      // A run goes on meanwhile, and writes to the same object.
      return ended.stderr.includes("ask once more") ? undefined : ended;
    });
    assert.equal(code, 0, `${words.join(" ")}:\n${stdout}${stderr}`);
  };
  const isReleased = async (): Promise<boolean> => {
    const { items } = await client.list(resourceOf(Instance), { namespace });
    return items.every((raw) => {
      const { spec, status } = parseObject(Instance, raw);
      const lock = lockOf(spec);
      const entry = lock && entryOf(status, lock.plan);
      return lock === undefined || (entry?.uid === lock.uid && isRunning(entry.status));
    });
  };
  /** The objects that are not as the step wants them, in words; none where all are, at one time. */
  const faults = async ({ number, asserts, errors }: FolderStep): Promise<readonly string[]> => {
    const told = (object: KubeObject, what: string): string =>
      `${number}: ${object.kind} ${object.metadata.name ?? "of any name"} ${what}`;
    const wanted = await Promise.all(
      asserts.map(async (object) =>
        (await isSo(object)) ? [] : [told(object, "is not as the assert file says")],
      ),
    );
    const unwanted = await Promise.all(
      errors.map(async (object) => ((await isSo(object)) ? [told(object, "is as the error file says")] : [])),
    );
    return [...wanted, ...unwanted].flat();
  };
  return {
    async play(step: FolderStep): Promise<void> {
      for (const object of step.deleted) await remove(object);
      for (const object of step.objects) await apply(object);
      for (const { words } of step.commands) await type(words);
      let left: readonly string[] = [];
      await eventually(`step ${step.number}`, async () => {
        left = await faults(step);
        return left.length === 0;
      }).catch((error: unknown) => {
        throw new Error(left.join("\n"), { cause: error });
      });
      // While the end of a run is written and its lock not yet released, the next change would be refused.
      await eventually("locks of runs that ended to be released", isReleased);
    },
  };
}
