import { join } from "node:path";
import type { FaultyBus } from "./buses.ts";

type Section = Readonly<Record<string, unknown>>;
/** Settings of a member as a file holds them: a section each. */
export type MemberSettings = Readonly<Record<string, Section | readonly string[]>>;

/** The settings of a member of a site beside those that a trial asks for. */
export interface MemberPlace {
  readonly name: string;
  /** The folder of its ledger. */
  readonly folder: string;
  readonly kubeconfig: string;
  readonly bus: FaultyBus["settings"];
}

/** The settings of a member. A trial's own change single fields of a section and leave its others. */
export function memberSettings(
  { name, folder, kubeconfig, bus }: MemberPlace,
  more: Readonly<Record<string, Section>> = {},
): MemberSettings {
  const sections: Readonly<Record<string, Section>> = {
    cluster: { kubeconfig, name: "faults" },
    bus,
    watcher: { ledger: join(folder, `${name}.db`), identity: name },
    // Several deaths of a host that stands still must fit into a test.
    watchdog: { limit: "5s" },
    // What a net repairs must not count as healed, and a key that an outage charges must be given up within seconds.
    runs: { nets: false, maximumAttempts: 4 },
  };
  const merged = Object.fromEntries(
    Object.keys({ ...sections, ...more }).map((section) => [
      section,
      { ...sections[section], ...more[section] },
    ]),
  );
  return { ...merged, systems: ["none"], functions: [join(import.meta.dirname, "gear.ts")] };
}
