import type { Clock } from "../../../shared/clock/clock.ts";
import { Reflector } from "../../../shared/kube/client/reflector.ts";
import type { KubeClient, Resource } from "../../../shared/kube/client.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import type { Log } from "../../../shared/log/log.ts";
import type { Seen } from "./outbox.ts";
import type { PlacedStream, StreamPlaces } from "./places.ts";

/** The scope of one stream: a kind, in one namespace or everywhere, one object or all. */
export interface StreamScope {
  readonly resource: Resource;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}

/**
 * `queued`: more streams are wanted than there may be, and others have their turn. `listing`: its first list is on its way. `forbidden`:
 * the right is missing, so that who waits is told to look.
 */
export type StreamState = "queued" | "listing" | "streaming" | "forbidden" | "failing";

export interface StreamParts {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  /** Absent: it begins at once. */
  readonly places?: StreamPlaces | undefined;
  /** An object changed, or is gone. Returns whether somebody waits for it. */
  readonly changed: (place: Pick<Seen, "namespace" | "name">) => boolean;
  /** A complete list is told. */
  readonly listed: () => void;
  /** The right is missing: called once for each try. */
  readonly forbidden: () => void;
  /** The server knows the kind no longer. */
  readonly vanished: () => void;
}

/** The pause before a forbidden request is sent again, which is the period of the looks meanwhile. */
export const LOOK_MILLISECONDS = 30_000;

const keep = ({ metadata }: KubeObject): Seen => ({
  namespace: metadata.namespace,
  name: metadata.name,
  uid: metadata.uid ?? "",
  resourceVersion: metadata.resourceVersion ?? "",
  generation: metadata.generation ?? 0,
  deleting: metadata.deletionTimestamp !== undefined,
});

const isSecrets = ({ group, plural }: Resource): boolean => group === "" && plural === "secrets";

const nameOf = ({ namespace = "", name }: Pick<Seen, "namespace" | "name">): string => `${namespace}/${name}`;

/** A stream as those who share it see it. */
export type FollowingStream = Pick<
  AwaitedStream,
  "scope" | "state" | "isComplete" | "isFollowing" | "seen" | "awaited" | "stop"
>;

/** Follows awaited objects by their metadata alone, which tells changes of a status too: their version moves. */
export class AwaitedStream implements PlacedStream {
  readonly scope: StreamScope;
  readonly #parts: StreamParts;
  readonly #seen = new Map<string, Seen>();
  #reflector: Reflector<Seen> | undefined;
  #ended: Promise<void> = Promise.resolve();
  #state: StreamState = "queued";

  constructor(scope: StreamScope, parts: StreamParts) {
    this.scope = scope;
    this.#parts = parts;
    if (parts.places === undefined) this.begin();
    else parts.places.join(this);
  }

  begin(): void {
    const { resource, namespace, name } = this.scope;
    const { client, clock, log, places, changed, listed } = this.#parts;
    this.#state = "listing";
    const tell = (seen: Seen): void => {
      if (this.isComplete && changed(seen)) places?.told(this);
    };
    const reflector: Reflector<Seen> = new Reflector<Seen>({
      client,
      resource,
      clock,
      log,
      metadataOnly: true,
      namespace,
      fieldSelector: name === undefined ? undefined : `metadata.name=${name}`,
      keep,
      changed: (now) => {
        if (this.#reflector !== reflector) return;
        this.#seen.set(nameOf(now), now);
        tell(now);
      },
      deleted: (before) => {
        // One of the same name may be there already.
        if (this.#reflector !== reflector || this.#seen.get(nameOf(before))?.uid !== before.uid) return;
        this.#seen.delete(nameOf(before));
        tell(before);
      },
      listed: () => {
        if (this.#reflector !== reflector) return;
        this.#state = "streaming";
        listed();
      },
      failed: (error) => this.#failed(error),
    });
    this.#reflector = reflector;
  }

  pause(): void {
    this.#halt();
    this.#state = "queued";
    this.#seen.clear();
  }

  /** Somebody begins to wait for an object in it. */
  awaited(): void {
    this.#parts.places?.awaited(this);
  }

  /** Returns the pause before the next try, in milliseconds; undefined: as long as usual. */
  #failed(error: unknown): number | undefined {
    const { log, vanished, forbidden } = this.#parts;
    const { resource, namespace } = this.scope;
    if (!(error instanceof KubeError) || error.kind !== "forbidden") {
      if (this.#state !== "listing") this.#state = "failing";
      if (error instanceof KubeError && error.kind === "kindMissing") vanished();
      return undefined;
    }
    if (this.#state !== "forbidden") {
      const about = { kind: resource.kind, group: resource.group, namespace };
      // Nobody may follow Secrets unless somebody thought of it.
      if (isSecrets(resource))
        log.info(about, "Secrets may not be followed here: who waits for one looks every 30 s");
      else
        log.warn(
          { ...about, err: error },
          "what is waited for may not be followed: who waits looks every 30 s. Grant list and watch (`reveille rbac`)",
        );
    }
    this.#state = "forbidden";
    forbidden();
    return LOOK_MILLISECONDS;
  }

  #halt(): void {
    const stopped = this.#reflector?.stop();
    this.#reflector = undefined;
    const before = this.#ended;
    this.#ended = (async () => {
      await before;
      await stopped;
    })();
  }

  get state(): StreamState {
    return this.#state;
  }

  /** False between two of its watches. */
  get isFollowing(): boolean {
    return this.#reflector?.isFollowing === true;
  }

  /** True where all that is there is known. */
  get isComplete(): boolean {
    return this.#state === "streaming";
  }

  /** The object's state; undefined where it is not there. Says nothing before `isComplete`. */
  seen(place: Pick<Seen, "namespace" | "name">): Seen | undefined {
    return this.#seen.get(nameOf(place));
  }

  async stop(): Promise<void> {
    this.#halt();
    this.#parts.places?.leave(this);
    await this.#ended;
  }
}
