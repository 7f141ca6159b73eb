import { whereAdmitted } from "../../../../shared/function/known.ts";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import { type Dependency, dependenciesOf } from "../decorate/index.ts";
import type { Definition, InstanceView } from "../definition/index.ts";
import { readChildVersions, type VersionOf } from "./child-versions.ts";
import { lookAt, type ObjectReads } from "./look-at.ts";
import { type Contents, type PipeReads, readPipe } from "./pipe-look.ts";
import type { Prepared } from "./prepare.ts";
import type { SeenObject } from "./seen.ts";

/** The reads that a task needs. */
export interface Look extends PipeReads, ObjectReads {
  readonly versionOf: VersionOf;
  /** Reads an Instance of the same namespace. */
  instanceNamed(name: string): Promise<InstanceView | undefined>;
}

/** A task with all that its decision rests on. */
export interface SeenTask {
  readonly prepared: Prepared;
  readonly objects: readonly SeenObject[];
  /** The ConfigMaps and Secrets that its workloads see and that it does not render itself, by kind and name. */
  readonly dependencies: ReadonlyMap<string, KubeObject>;
  /** The files of a Pipe task; undefined where they need not, or cannot yet, be read. */
  readonly contents?: Contents | undefined;
  /** The child, as it was before. */
  readonly child?: InstanceView | undefined;
  /** The versions of the Instances that it makes, by `versionKey`. */
  readonly versions?: ReadonlyMap<string, Definition>;
}

export const keyOf = ({ kind, name }: Dependency): string => `${kind}/${name}`;

/**
 * Reads what a task's decision rests on.
 * @param isFirst whether nothing of the task was ever applied
 */
export async function look(
  prepared: Prepared,
  namespace: string,
  reads: Look,
  isFirst = false,
): Promise<SeenTask> {
  if (prepared.do === "pipe") {
    const { pod, artifacts } = prepared.pipe;
    const objects = await Promise.all(
      [pod, ...artifacts.map(({ object }) => object)].map((object) =>
        lookAt({ object, act: "apply" }, namespace, reads),
      ),
    );
    const contents = await readPipe(prepared.pipe, objects, reads);
    return { prepared, objects, dependencies: new Map(), contents };
  }
  if (prepared.do === "child") {
    const [versions, child] = await Promise.all([
      readChildVersions(prepared, namespace, reads.versionOf),
      reads.instanceNamed(prepared.child.name),
    ]);
    return { prepared, objects: [], dependencies: new Map(), versions, child };
  }
  if (prepared.do === "report") return { prepared, objects: [], dependencies: new Map() };
  const { do: act, templates } = prepared;
  const unread = act === "apply" && isFirst;
  const [objects, dependencies, versions] = await Promise.all([
    Promise.all(
      prepared.objects.map((object) =>
        lookAt({ object, act, template: templates.get(object), unread }, namespace, reads),
      ),
    ),
    act === "apply" ? lookFor(prepared.objects, namespace, reads) : new Map<string, KubeObject>(),
    readChildVersions(prepared, namespace, reads.versionOf),
  ]);
  return { prepared, objects, dependencies, versions };
}

/** Data that pods see restarts them: of what a task does not render itself, the data in the cluster counts. */
async function lookFor(
  objects: readonly KubeObject[],
  namespace: string,
  { read }: Look,
): Promise<ReadonlyMap<string, KubeObject>> {
  const rendered = new Set(
    objects.map(({ kind, metadata }) => keyOf({ kind: kind as Dependency["kind"], name: metadata.name })),
  );
  const named = objects.flatMap(dependenciesOf).filter((one) => !rendered.has(keyOf(one)));
  const unique = [...new Map(named.map((one) => [keyOf(one), one]))];
  const found = await Promise.all(
    unique.map(
      async ([key, { kind, name }]) =>
        [key, await whereAdmitted(() => read({ apiVersion: "v1", kind, name, namespace }))] as const,
    ),
  );
  // One that the configuration does not admit counts as absent: it restarts no pods, and stops no plan.
  return new Map(
    found.flatMap(([key, one]) => ("value" in one && one.value !== undefined ? [[key, one.value]] : [])),
  );
}
