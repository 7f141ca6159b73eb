import { sep } from "node:path";
import * as z from "zod";
import type { Clock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import { jsonOf } from "../../json/parse.ts";
import type { Credential, Credentials } from "../http/connection.ts";
import { KubeconfigError } from "./errors.ts";
import { faultOf, pathBeside } from "./files.ts";
import { type Renewed, renewable } from "./renewable.ts";
import { runPlugin } from "./run-plugin.ts";
import type { ExecEntry } from "./schema.ts";

/** The cluster's part of the plugin's input (`provideClusterInfo`). */
export interface ExecCluster {
  readonly server: string;
  readonly "tls-server-name"?: string;
  readonly "insecure-skip-tls-verify"?: boolean;
  /** Base64. */
  readonly "certificate-authority-data"?: string;
  readonly "proxy-url"?: string;
}

const group = "client.authentication.k8s.io";
const answerSchema = z.object({
  kind: z.literal("ExecCredential"),
  apiVersion: z.string(),
  status: z
    .object({
      token: z.string().optional(),
      clientCertificateData: z.string().optional(),
      clientKeyData: z.string().optional(),
      expirationTimestamp: z.string().nullish(),
    })
    .refine(
      (it) => it.token !== undefined || it.clientCertificateData !== undefined,
      "neither token nor clientCertificateData",
    ),
});

function checked(exec: ExecEntry, file: string): void {
  const fault =
    exec.apiVersion !== `${group}/v1` && exec.apiVersion !== `${group}/v1beta1`
      ? `exec.apiVersion must be ${group}/v1 or ${group}/v1beta1, not ${exec.apiVersion}`
      : exec.apiVersion === `${group}/v1` && exec.interactiveMode == null
        ? `exec.interactiveMode is required with ${group}/v1`
        : undefined;
  if (fault !== undefined)
    throw new KubeconfigError("KUBECONFIG_INVALID", `The kubeconfig ${file} is not valid: ${fault}`);
  if (exec.interactiveMode === "Always")
    throw new KubeconfigError(
      "KUBECONFIG_UNSUPPORTED",
      `The credential plugin ${exec.command} wants a terminal (interactiveMode: Always), which a server has not: use a plugin that runs alone`,
    );
}

/** Runs the plugin once. */
async function run(exec: ExecEntry, file: string, cluster: ExecCluster, clock: Clock): Promise<Renewed> {
  const info = {
    apiVersion: exec.apiVersion,
    kind: "ExecCredential",
    spec: { interactive: false, ...(exec.provideClusterInfo ? { cluster } : {}) },
  };
  const env = {
    ...Object.fromEntries((exec.env ?? []).map(({ name, value }) => [name, value])),
    KUBERNETES_EXEC_INFO: JSON.stringify(info),
  };
  // A bare name is looked up in PATH; a relative path starts at the kubeconfig.
  const command = exec.command.includes(sep) ? pathBeside(file, exec.command) : exec.command;
  let output: string;
  try {
    output = await runPlugin({ command, args: exec.args ?? [], env }, clock);
  } catch (error) {
    const hint = exec.installHint ? `: ${exec.installHint.trim()}` : "";
    throw new KubeconfigError(
      "KUBECONFIG_EXEC_FAILED",
      `The credential plugin ${exec.command} failed (${messageOf(error).trim()})${hint || ": run it by hand, or log in again"}`,
      { cause: error },
    );
  }
  const answer = answerSchema.safeParse(jsonOf(output));
  const fault = !answer.success
    ? faultOf(answer.error)
    : answer.data.apiVersion !== exec.apiVersion
      ? `it answered in ${answer.data.apiVersion}, asked was ${exec.apiVersion}`
      : undefined;
  if (fault !== undefined || !answer.success)
    throw new KubeconfigError(
      "KUBECONFIG_EXEC_FAILED",
      `The credential plugin ${exec.command} gave no valid ExecCredential (${fault}): update it`,
    );
  const { token, clientCertificateData, clientKeyData, expirationTimestamp } = answer.data.status;
  const credential: Credential = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(clientCertificateData === undefined
      ? {}
      : { certificate: clientCertificateData, key: clientKeyData }),
  };
  return {
    credential,
    expires: expirationTimestamp == null ? Number.POSITIVE_INFINITY : Date.parse(expirationTimestamp),
  };
}

/** Credentials from a plugin: asked when they are first needed, again when they have expired or were refused. */
export function execCredentials(
  exec: ExecEntry,
  file: string,
  cluster: ExecCluster,
  clock: Clock,
): Credentials {
  checked(exec, file);
  return renewable(() => run(exec, file, cluster, clock), clock);
}
