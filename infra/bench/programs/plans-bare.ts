// The limit of a plan: an Instance of the namespace in the argument appears, its objects are applied step after step, and its status is
// patched once a step. Nothing is queued, retried or looked at again.
import { Instance } from "../../../functions/kudo/index.ts";
import { createKubeClient } from "../../../shared/kube/http-client.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap } from "../../../shared/kube/kinds/index.ts";
import { loadConnection } from "../../../shared/kube/kubeconfig/index.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { objectsOf, SHAPES, stepName, taskNames } from "../plans/shapes.ts";

const [namespace = "default"] = process.argv.slice(2);
const client = createKubeClient({ connection: loadConnection() });
const BY = { fieldManager: "bare" } as const;

async function run(instance: KubeObject): Promise<void> {
  const { operatorVersion } = instance.spec as { readonly operatorVersion: { readonly name: string } };
  const shape = SHAPES.get(operatorVersion.name);
  if (shape === undefined) throw new Error(`no plan is called ${operatorVersion.name}`);
  const { name } = instance.metadata;
  for (let step = 0; step < shape.steps; step += 1) {
    await Promise.all(
      objectsOf(shape, step, instance).map(async (task) => {
        for (const object of task)
          await client.apply(resourceOf(ConfigMap), { namespace, name: object.metadata.name }, object, {
            ...BY,
            force: true,
          });
      }),
    );
    // Users of the operator read the status of each task in it, which is most of what it holds.
    const steps = Array.from({ length: shape.steps }, (_, at) => {
      const status = at <= step ? "COMPLETE" : "PENDING";
      return {
        name: stepName(at),
        status,
        tasks: taskNames(shape, at).map((task) => ({ name: task, status })),
      };
    });
    const status = step + 1 === shape.steps ? "COMPLETE" : "IN_PROGRESS";
    const deploy = { name: "deploy", status, phases: [{ name: "main", status, steps }] };
    await client.patch(
      resourceOf(Instance),
      { namespace, name },
      "merge",
      { status: { aggregatedStatus: { status }, planStatus: { deploy } } },
      { ...BY, subresource: "status" },
    );
  }
}

const { metadata } = await client.list(resourceOf(Instance), { namespace, limit: 1 });
process.once("SIGTERM", () => process.exit(0));
process.stdout.write("ready\n");
for (let { resourceVersion } = metadata; ; )
  await client.watch(resourceOf(Instance), {
    namespace,
    resourceVersion,
    onEvent: ({ type, object }) => {
      resourceVersion = object.metadata.resourceVersion ?? resourceVersion;
      if (type === "ADDED") void run(object);
    },
  });
