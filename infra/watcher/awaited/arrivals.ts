import type { Clock } from "../../../shared/clock/clock.ts";
import { Reflector } from "../../../shared/kube/client/reflector.ts";
import type { KubeClient, Resource } from "../../../shared/kube/client.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import type { Log } from "../../../shared/log/log.ts";
import { isCustom } from "../kind-presence.ts";
import { LOOK_MILLISECONDS } from "./stream.ts";

const CRDS: Resource = {
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  scope: "Cluster",
};

/** A kind is served a moment after its CRD says so: it is asked for after these pauses. */
const ASKED_AFTER_MILLISECONDS = [0, 100, 300, 1_000, 3_000, 10_000];

export interface ArrivalsParts {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  /** Something may have arrived in this API group. */
  readonly look: (group: string) => void;
  /** A definition of this API group came, or changed: its kind may have been away. */
  readonly defined: (group: string) => void;
}

/**
 * Tells when kinds that the server does not know may have come: by a watch of the CRDs' metadata. What no CRD brings, and everything
 * where CRDs may not be read, is asked for every 30 s.
 */
export class Arrivals {
  readonly #parts: ArrivalsParts;
  #groups: ReadonlySet<string> = new Set();
  #definitions: Reflector<string> | undefined;
  #isBlind = false;
  #cancelLook: (() => void) | undefined;
  readonly #cancels = new Set<() => void>();

  constructor(parts: ArrivalsParts) {
    this.#parts = parts;
  }

  /** The groups that are looked for every 30 s, since nothing tells of their arrival. */
  get looks(): readonly string[] {
    return [...this.#groups].filter((group) => this.#isBlind || !isCustom({ group }));
  }

  /** Waits for kinds of these groups from now on; of none: watches nothing. */
  expect(groups: ReadonlySet<string>): void {
    this.#groups = groups;
    const byDefinition = [...groups].some((group) => isCustom({ group }));
    if (byDefinition) this.#definitions ??= this.#watch();
    else {
      void this.#definitions?.stop();
      this.#definitions = undefined;
      this.#isBlind = false;
    }
    this.#lookLater();
  }

  async stop(): Promise<void> {
    this.#groups = new Set();
    this.#cancelLook?.();
    for (const cancel of this.#cancels) cancel();
    await this.#definitions?.stop();
  }

  #watch(): Reflector<string> {
    const { client, clock, log } = this.#parts;
    return new Reflector<string>({
      client,
      resource: CRDS,
      clock,
      log,
      metadataOnly: true,
      keep: ({ metadata }) => metadata.name.slice(metadata.name.indexOf(".") + 1),
      // Also one that was there: it may have come before this began.
      changed: (group) => {
        if (this.#groups.has(group)) this.#arrived(group);
      },
      listed: () => {
        this.#isBlind = false;
      },
      failed: (error) => {
        if (!(error instanceof KubeError) || (error.kind !== "forbidden" && error.kind !== "kindMissing"))
          return undefined;
        this.#isBlind = true;
        this.#lookLater();
        return LOOK_MILLISECONDS;
      },
    });
  }

  #arrived(group: string): void {
    this.#parts.defined(group);
    for (const pause of ASKED_AFTER_MILLISECONDS) {
      const cancel = this.#parts.clock.after(pause, () => {
        this.#cancels.delete(cancel);
        if (this.#groups.has(group)) this.#parts.look(group);
      });
      this.#cancels.add(cancel);
    }
  }

  #lookLater(): void {
    if (this.looks.length === 0) {
      this.#cancelLook?.();
      this.#cancelLook = undefined;
      return;
    }
    this.#cancelLook ??= this.#parts.clock.after(LOOK_MILLISECONDS, () => {
      this.#cancelLook = undefined;
      for (const group of this.looks) this.#parts.look(group);
      this.#lookLater();
    });
  }
}
