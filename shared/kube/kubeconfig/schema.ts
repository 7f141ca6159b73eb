import * as z from "zod";

const text = z.string();
const names = z.array(text).nullish();

export const clusterSchema = z.object({
  server: text.min(1),
  "certificate-authority": text.nullish(),
  "certificate-authority-data": text.nullish(),
  "insecure-skip-tls-verify": z.boolean().nullish(),
  "tls-server-name": text.nullish(),
  "proxy-url": text.nullish(),
});
export type ClusterEntry = z.output<typeof clusterSchema>;

const execSchema = z.object({
  apiVersion: text,
  command: text.min(1),
  args: names,
  env: z.array(z.object({ name: text, value: text })).nullish(),
  interactiveMode: z.enum(["Never", "IfAvailable", "Always"]).nullish(),
  provideClusterInfo: z.boolean().nullish(),
  installHint: text.nullish(),
});
export type ExecEntry = z.output<typeof execSchema>;

export const userSchema = z.object({
  "client-certificate": text.nullish(),
  "client-certificate-data": text.nullish(),
  "client-key": text.nullish(),
  "client-key-data": text.nullish(),
  token: text.nullish(),
  tokenFile: text.nullish(),
  username: text.nullish(),
  password: text.nullish(),
  as: text.nullish(),
  "as-uid": text.nullish(),
  "as-groups": names,
  "as-user-extra": z.record(text, z.array(text)).nullish(),
  exec: execSchema.nullish(),
  "auth-provider": z.object({ name: text, config: z.record(text, text).nullish() }).nullish(),
});
export type UserEntry = z.output<typeof userSchema>;

export const contextSchema = z.object({ cluster: text, user: text.nullish(), namespace: text.nullish() });

const entries = <const Name extends string, Value extends z.ZodType>(name: Name, value: Value) =>
  z
    .array(
      z.object({ name: text, [name]: value.nullish() } as { name: typeof text } & Record<
        Name,
        z.ZodOptional<z.ZodNullable<Value>>
      >),
    )
    .nullish();

/** A kubeconfig file (`v1` `Config`), as far as it says how to reach a cluster. What it says more is left alone. */
export const kubeconfigSchema = z.object({
  kind: z.literal("Config").nullish(),
  "current-context": text.nullish(),
  // The parts of one entry are checked when it is chosen: a broken context that nobody uses harms nobody.
  clusters: entries("cluster", z.unknown()),
  contexts: entries("context", z.unknown()),
  users: entries("user", z.unknown()),
});
