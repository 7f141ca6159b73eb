import { join } from "node:path";
import { Widget } from "../../../examples/widget/widget.ts";
import { Instance, Operator, OperatorVersion } from "../../../functions/kudo/index.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { createKubeClient } from "../../../shared/kube/http-client.ts";
import { type Kind, resourceOf } from "../../../shared/kube/kind.ts";
import { Namespace } from "../../../shared/kube/kinds/namespace.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { startControlPlane } from "../../control-plane/real-control-plane.ts";
import { bundle } from "../../deploy/bundle.ts";
import { connectionTo } from "../../testing/control-plane.ts";
import { eventually } from "../../testing/eventually.ts";
import { installKinds } from "../../testing/install-crds.ts";
import { lookAt } from "../look-at.ts";
import type { Bench } from "../measure.ts";
import { AS_A_WORKER, type Program, programFile, startProgram } from "../program.ts";
import { operatorOf, type PlanShape } from "./shapes.ts";

/** The manager of what the measures write. */
export const BY = { fieldManager: "bench" } as const;
/** The namespaces of the two contenders. */
export const OWN = "own";
export const BARE = "bare";

/** The state of the worker, as it tells it. */
export interface WorkerState {
  /** Watches that it has opened so far. */
  readonly watches: number;
  /** Requests that it has sent so far, watches apart. */
  readonly sent: number;
  /** Keys that wait, run, try again or are dead. */
  readonly left: number;
}

/** KUDO's operators on a real API server. */
export interface PlanStage {
  readonly client: KubeClient;
  readonly worker: Program;
  /** Starts the program of the bare loop, which answers Instances of the namespace `BARE`. */
  startBare(): Promise<Program>;
  state(): Promise<WorkerState>;
  /** Resolves with its state once the worker has nothing to do any more. */
  rest(): Promise<WorkerState>;
  /** Installs an operator for the plan. */
  install(namespace: string, shape: PlanShape): Promise<void>;
  /** Creates an object; resolves with it. */
  create(kind: Kind, namespace: string, name: string, fields: object): Promise<KubeObject>;
  /** Calls `look` with each object of the kind that the server tells of. */
  follow(kind: Kind, namespace: string, look: (object: KubeObject) => void): Promise<void>;
}

/** A plan of hundreds of objects, or hundreds of plans, take their time on a busy machine. */
const REST_MILLISECONDS = 600_000;

/** Starts a control plane, and the worker on it. */
export async function startPlanStage(bench: Bench): Promise<PlanStage> {
  const plane = await startControlPlane({ directory: join(bench.folder, "plane") });
  bench.after(() => plane.stop());
  const client = createKubeClient({ connection: connectionTo(plane), concurrentWrites: 32 });
  bench.after(() => client.close());
  await installKinds(client, [Operator, OperatorVersion, Instance, Widget]);
  for (const name of [OWN, BARE])
    await client.create(
      resourceOf(Namespace),
      { apiVersion: "v1", kind: "Namespace", metadata: { name } },
      BY,
    );
  const start = async (
    name: string,
    args: readonly string[],
    onLine?: (line: string) => void,
  ): Promise<Program> => {
    const { file } = await bundle(programFile(`programs/${name}.ts`), join(bench.folder, `${name}.mjs`));
    const program = await startProgram([...AS_A_WORKER, file, ...args], {
      environment: { KUBECONFIG: plane.kubeconfigFile },
      ...(onLine !== undefined && { onLine }),
    });
    bench.after(() => program.stop());
    return program;
  };
  const answers: ((state: WorkerState) => void)[] = [];
  const worker = await start("plans-worker", [bench.folder, OWN], (line) => {
    if (line.startsWith("state ")) answers.shift()?.(JSON.parse(line.slice("state ".length)));
  });
  const state = (): Promise<WorkerState> =>
    new Promise((resolve) => {
      answers.push(resolve);
      process.kill(worker.pid, "SIGUSR2");
    });
  const create: PlanStage["create"] = (kind, namespace, name, fields) =>
    client.create(
      resourceOf(kind),
      {
        apiVersion: apiVersionOf(kind),
        kind: kind.kind,
        metadata: { namespace, name },
        ...fields,
      } as KubeObject,
      BY,
    );
  return {
    client,
    worker,
    state,
    create,
    startBare: () => start("plans-bare", [BARE]),
    rest: async () => {
      await eventually("nothing to be left", async () => (await state()).left === 0, REST_MILLISECONDS);
      return state();
    },
    install: async (namespace, shape) => {
      await create(OperatorVersion, namespace, shape.name, { spec: operatorOf(shape) });
    },
    follow: (kind, namespace, look) => lookAt({ bench, client }, resourceOf(kind), namespace, look),
  };
}

const apiVersionOf = ({ group, version }: Kind): string => (group === "" ? version : `${group}/${version}`);
