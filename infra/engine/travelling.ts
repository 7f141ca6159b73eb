import type { Envelope, ResourceChanged } from "../../events/index.ts";
import type { Clock } from "../../shared/clock/clock.ts";
import { subjectOf } from "../../shared/function/key.ts";
import { Sightings } from "../../shared/host/sightings.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import type { WatchedKind } from "../../shared/runner/watch-list.ts";

/** What a message may carry beside its causes, in characters of JSON. */
const MOST_CHARACTERS = 16_384;
/** What kubectl keeps of what it applied is never sent. Without it the object would not be what a read gives. */
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
/** For the moment between the watch and the publishing. */
const LIMITS = { busy: 1_048_576, atRest: 65_536 } as const;

/**
 * Lets objects go along with the events that tell of them: those of kinds that declare it, small ones, and only in the version that
 * the event is about.
 */
export class Travelling {
  readonly #sightings: Sightings;

  constructor(clock: Clock) {
    this.#sightings = new Sightings(clock, LIMITS);
  }

  /** For the watcher's `onSeen`. */
  saw = (object: KubeObject, watched: WatchedKind): void => {
    if (watched.travels === true && object.metadata.annotations?.[LAST_APPLIED] === undefined)
      this.#sightings.saw(subjectOf(watched, object.metadata), object);
  };

  /** For the watcher's `onEra`. */
  forgetAll = (): void => this.#sightings.forgetAll();

  /** The events as they are published. */
  withObjects(events: readonly Envelope[]): readonly Envelope[] {
    return events.map((event) => (event.type === "resource.changed" ? this.#with(event) : event));
  }

  #with(event: Envelope): Envelope {
    const data = event.data as ResourceChanged["data"];
    const object = this.#sightings.get(subjectOf(data.ref, data.ref));
    if (
      object === undefined ||
      object.metadata.uid !== data.ref.uid ||
      object.metadata.resourceVersion !== data.resourceVersion ||
      JSON.stringify(object).length > MOST_CHARACTERS
    )
      return event;
    return { ...event, data: { ...data, object } };
  }
}
