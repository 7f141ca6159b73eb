import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silent } from "../../shared/log/log.ts";
import { Child } from "../control-plane/child.ts";
import { freePort } from "../control-plane/ports.ts";
import { eventually } from "./eventually.ts";
import { programOnPath } from "./program-on-path.ts";

/** A real registry on loopback, for a test. */
export interface RegistryServer {
  /** Its host and port. */
  readonly host: string;
  stop(): Promise<void>;
}

/** The one account that a registry with accounts has. */
export const ACCOUNT = { username: "ada", password: "U*U" } as const;
/** The same as bcrypt hashes it, which is what the registry reads. */
const HTPASSWD = "ada:$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW\n";

/** The reason why no real registry can run here, or false. With `CI=true` always false: the start then says what is missing. */
export const skipWithoutRegistries = (): string | false =>
  process.env.CI !== "true" &&
  (programOnPath("registry") === undefined || programOnPath("crane") === undefined)
    ? "there are no registry (github.com/distribution/distribution) and crane (github.com/google/go-containerregistry) on PATH"
    : false;

/** The programs that play a registry: distribution's own, and the one of go-containerregistry. */
export type RegistryProgram = "distribution" | "crane";

/** Starts a registry of its own folder and port and waits until it answers. It dies with this process. */
export async function startRegistry(
  which: RegistryProgram,
  { accounts = false }: { readonly accounts?: boolean } = {},
): Promise<RegistryServer> {
  const name = which === "distribution" ? "registry" : "crane";
  const program = programOnPath(name);
  if (program === undefined) throw new Error(`There is no ${name} on PATH.`);
  const folder = mkdtempSync(join(tmpdir(), "registry-"));
  const host = `127.0.0.1:${await freePort()}`;
  const file = join(folder, "config.yml");
  mkdirSync(join(folder, "store"));
  writeFileSync(join(folder, "htpasswd"), HTPASSWD);
  writeFileSync(
    file,
    [
      "version: 0.1",
      "log: { level: warn }",
      `storage: { filesystem: { rootdirectory: ${JSON.stringify(join(folder, "store"))} }, delete: { enabled: true } }`,
      `http: { addr: ${JSON.stringify(host)} }`,
      ...(accounts
        ? [`auth: { htpasswd: { realm: test, path: ${JSON.stringify(join(folder, "htpasswd"))} } }`]
        : []),
      "",
    ].join("\n"),
  );
  const flags =
    which === "distribution"
      ? ["serve", file]
      : ["registry", "serve", "--address", host, "--disk", join(folder, "store")];
  const child = new Child({
    program,
    flags,
    environment: { OTEL_TRACES_EXPORTER: "none" },
    logFile: join(folder, "registry.log"),
    removeOnDeath: folder,
    log: silent,
  });
  child.start();
  const answers = eventually("the registry answers", async () => {
    const status = await fetch(`http://${host}/v2/`).then(
      (answer) => answer.status,
      () => undefined,
    );
    return status === 200 || status === 401;
  });
  await Promise.race([answers, child.failure()]);
  return {
    host,
    stop: async () => {
      await child.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
