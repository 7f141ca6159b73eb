// The limit of a Node program: one watch and an immediate PATCH on kept connections. It queues nothing, retries nothing and heals
// nothing: a mark to measure against, not an operator.
import { Agent, request } from "node:https";
import { loadConnection } from "../../../shared/kube/kubeconfig/index.ts";

interface Widget {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly generation: number;
    readonly resourceVersion: string;
  };
  readonly spec: { readonly value: number; readonly message: string };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly conditions?: readonly { readonly lastTransitionTime?: string }[];
  };
}

const { server, tls, credentials } = loadConnection();
const namespace = process.env.WIDGET_NAMESPACE ?? "default";
const keepsChild = process.env.WIDGET_CHILD === "true";
const widgets = `/apis/bench.example.org/v1/namespaces/${namespace}/widgets`;
const agent = new Agent({ keepAlive: true, maxSockets: 32, ...(tls.ca !== undefined && { ca: tls.ca }) });

async function call(
  method: string,
  path: string,
  type?: string,
  body?: unknown,
): Promise<NodeJS.ReadableStream> {
  const { authorization } = await credentials.current();
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const headers = {
      ...(authorization !== undefined && { authorization }),
      ...(text !== undefined && {
        "content-type": `application/${type}`,
        "content-length": Buffer.byteLength(text),
      }),
    };
    request(server + path, { method, agent, headers }, (response) => {
      if ((response.statusCode ?? 500) > 299) reject(new Error(`${method} ${path}: ${response.statusCode}`));
      else resolve(response);
    })
      .on("error", reject)
      .end(text);
  });
}

async function answer({ metadata, spec, status }: Widget): Promise<void> {
  if (status?.observedGeneration === metadata.generation) return;
  const { name, uid, generation } = metadata;
  if (keepsChild) {
    const child = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: {
        name: `${name}-config`,
        labels: { "bench.example.org/widget": name },
        ownerReferences: [
          { apiVersion: "bench.example.org/v1", kind: "Widget", name, uid, controller: true },
        ],
      },
      data: { message: spec.message },
    };
    const path = `/api/v1/namespaces/${namespace}/configmaps/${name}-config?fieldManager=bare&force=true`;
    (await call("PATCH", path, "apply-patch+yaml", child)).resume();
  }
  const lastTransitionTime = status?.conditions?.[0]?.lastTransitionTime ?? new Date().toISOString();
  const conditions = [{ type: "Ready", status: "True", reason: "Doubled", lastTransitionTime }];
  const next = { observedGeneration: generation, doubled: spec.value * 2, conditions };
  (await call("PATCH", `${widgets}/${name}/status`, "merge-patch+json", { status: next })).resume();
}

process.once("SIGTERM", () => process.exit(0));
for (let since: string | undefined; ; ) {
  // The server ends a watch whose reader is too slow: it goes on where it was.
  const from = since === undefined ? "" : `&resourceVersion=${since}`;
  const stream = await call("GET", `${widgets}?watch=true${from}`);
  if (since === undefined) process.stdout.write("ready\n");
  let rest = "";
  for await (const chunk of stream.setEncoding("utf8")) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const { type, object } = JSON.parse(line) as { readonly type: string; readonly object: Widget };
      if (type === "ERROR") throw new Error(`the watch was refused: ${line}`);
      since = object.metadata.resourceVersion;
      if (type === "ADDED" || type === "MODIFIED") void answer(object);
    }
  }
}
