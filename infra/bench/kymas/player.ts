import type { KubeClient } from "../../../shared/kube/client.ts";
import { fixedCredentials } from "../../../shared/kube/http/connection.ts";
import { createKubeClient } from "../../../shared/kube/http-client.ts";
import type { Bench } from "../measure.ts";
import { programFile, startProgram } from "../program.ts";
import { type Applied, type Copied, type Counts, ENGINE, USER } from "./words.ts";

/** The program that plays the runtimes. */
export interface Player {
  /** The kubeconfig of a runtime, as its Secret holds it. */
  kubeconfigOf(name: string): string;
  /** A client of the user of a runtime. Whoever asks closes it. */
  userOf(name: string): KubeClient;
  counts(): Promise<Counts>;
  /** When a version was first applied in which runtimes. */
  applied(version: string): Promise<Applied>;
  /** These runtimes answer nothing from now on, and all others do. */
  hang(names: readonly string[]): Promise<void>;
  /** These runtimes hold what the model holds now, from when they are first asked. */
  copy(copies: readonly Copied[]): Promise<void>;
}

const LARGE_HEAP = "--max-old-space-size=12000";

/** Starts it; it ends with the measure. `model` names the runtime that others may be copies of. */
export async function startPlayer(bench: Bench, model: string): Promise<Player> {
  let told = "";
  const program = await startProgram([LARGE_HEAP, programFile("programs/runtimes.ts")], {
    environment: { MODEL: model },
    isReady: (line) => line.startsWith("ready "),
    onLine: (line) => {
      if (line.startsWith("ready ")) told = line.slice("ready ".length);
    },
  });
  bench.after(() => program.stop());
  const { server, ca, control } = JSON.parse(told) as Record<"server" | "ca" | "control", string>;
  const ask = async <T>(path: string, body?: unknown): Promise<T> => {
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    return (await (await fetch(`${control}/${path}`, init)).json()) as T;
  };
  return {
    kubeconfigOf: (name) =>
      JSON.stringify({
        apiVersion: "v1",
        kind: "Config",
        "current-context": "one",
        contexts: [{ name: "one", context: { cluster: "one", user: "one" } }],
        clusters: [
          {
            name: "one",
            cluster: {
              server: `${server}/${name}`,
              "certificate-authority-data": Buffer.from(ca).toString("base64"),
            },
          },
        ],
        users: [{ name: "one", user: { token: ENGINE } }],
      }),
    userOf: (name) =>
      createKubeClient({
        connection: {
          server: `${server}/${name}`,
          namespace: "default",
          tls: { ca },
          credentials: fixedCredentials(`Bearer ${USER}`),
          headers: {},
        },
      }),
    counts: () => ask("counts"),
    applied: (version) => ask(`applied/${encodeURIComponent(version)}`),
    hang: async (names) => {
      await ask("hang", names);
    },
    copy: async (copies) => {
      await ask("copy", copies);
    },
  };
}
