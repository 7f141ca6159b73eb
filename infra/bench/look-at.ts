import type { KubeClient, Resource } from "../../shared/kube/client.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import type { Bench } from "./measure.ts";

/** Shows each new state of the objects of a namespace, until the measure ends. Resolves once it looks. */
export async function lookAt(
  { bench, client }: { readonly bench: Bench; readonly client: KubeClient },
  resource: Resource,
  namespace: string,
  look: (object: KubeObject) => void,
): Promise<void> {
  const end = new AbortController();
  const { metadata } = await client.list(resource, { namespace, limit: 1 });
  let { resourceVersion } = metadata;
  const opened = Promise.withResolvers<void>();
  // The server ends a watch whose reader is too slow, as in a storm: it goes on where it was.
  const watch = async (): Promise<void> => {
    while (!end.signal.aborted)
      await client.watch(resource, {
        namespace,
        resourceVersion,
        signal: end.signal,
        onOpen: opened.resolve,
        onEvent: ({ type, object }) => {
          if (type === "ERROR") throw new Error(`the watch was refused: ${JSON.stringify(object)}`);
          resourceVersion = object.metadata.resourceVersion ?? resourceVersion;
          if (type === "ADDED" || type === "MODIFIED") look(object);
        },
      });
  };
  const watching = watch();
  bench.after(async () => {
    end.abort();
    await watching;
  });
  await opened.promise;
}
