import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../../infra/testing/eventually.ts";
import type { Orders } from "./worker-child.ts";

/** One line of the journal. */
export interface Told {
  readonly verb: string;
  readonly key: string;
  readonly by: string;
  readonly attempt: number;
  readonly causes: readonly string[];
}

/** Workers in processes of their own, and the journal that they write together: its order is the order in which it happened. */
export class Workers {
  readonly folder = mkdtempSync(join(tmpdir(), "nats-workers-"));
  readonly journal = join(this.folder, "journal");
  readonly #children = new Map<string, ChildProcess>();

  async start(
    name: string,
    nats: Record<string, unknown>,
    orders: Partial<Omit<Orders, "journal" | "name" | "nats">> = {},
  ): Promise<void> {
    const all: Orders = { parallel: 4, milliseconds: 5, ...orders, nats, journal: this.journal, name };
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, "worker-child.ts"), JSON.stringify(all)],
      { stdio: ["ignore", "ignore", "inherit"] },
    );
    this.#children.set(name, child);
    await eventually(`${name} is ready`, () =>
      this.told().some(({ verb, by }) => verb === "ready" && by === name),
    );
  }

  get names(): readonly string[] {
    return [...this.#children.keys()];
  }

  async kill(name: string): Promise<void> {
    const child = this.#child(name);
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
    this.#children.delete(name);
    appendFileSync(this.journal, `killed - ${name} 0\n`);
  }
  /** Asks it to end, and waits until its process has ended by itself. */
  async end(name: string): Promise<void> {
    const child = this.#child(name);
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    await gone;
    this.#children.delete(name);
  }
  freeze(name: string): void {
    this.#child(name).kill("SIGSTOP");
  }
  thaw(name: string): void {
    this.#child(name).kill("SIGCONT");
  }

  told(): readonly Told[] {
    if (!existsSync(this.journal)) return [];
    return readFileSync(this.journal, "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line) => {
        const [verb = "", key = "", by = "", attempt = "0", causes = ""] = line.split(" ");
        return { verb, key, by, attempt: Number(attempt), causes: causes === "" ? [] : causes.split(",") };
      });
  }

  stop(): void {
    for (const child of this.#children.values()) child.kill("SIGKILL");
    rmSync(this.folder, { recursive: true, force: true });
  }

  #child(name: string): ChildProcess {
    const child = this.#children.get(name);
    if (child === undefined) throw new Error(`no worker ${name}`);
    return child;
  }
}

/** Effects of runs that had already been overtaken: a later run of the key had begun on another host. */
export function staleEffects(told: readonly Told[]): readonly string[] {
  const newest = new Map<string, string>();
  const stale: string[] = [];
  let number = 0;
  const begun = new Map<string, string>();
  for (const { verb, key, by, attempt } of told) {
    if (verb === "begin") {
      number += 1;
      const id = `${by}/${number}`;
      newest.set(key, id);
      begun.set(`${key} ${by}`, id);
    } else if (verb === "effect" && newest.get(key) !== begun.get(`${key} ${by}`))
      stale.push(`${key} by ${by}, attempt ${attempt}`);
  }
  return stale;
}
