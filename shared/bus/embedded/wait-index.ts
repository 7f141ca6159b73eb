import type { WaitedObject } from "../contract.ts";
import { followedIn } from "../followed.ts";
import type { WorkKey } from "../item.ts";
import { keyName, objectName } from "../key-name.ts";

interface Waiter {
  readonly key: WorkKey;
  readonly waits: readonly WaitedObject[];
}

/** The index of waits: the keys that wait for each object (B11). The truth lies with the key; here it is found by object. */
export class WaitIndex {
  readonly #byKey = new Map<string, Waiter>();
  readonly #byObject = new Map<string, Map<string, WorkKey>>();

  replace(key: WorkKey, waits: readonly WaitedObject[]): void {
    const name = keyName(key);
    for (const object of this.#byKey.get(name)?.waits ?? []) {
      const waiters = this.#byObject.get(objectName(object));
      waiters?.delete(name);
      if (waiters?.size === 0) this.#byObject.delete(objectName(object));
    }
    if (waits.length === 0) {
      this.#byKey.delete(name);
      return;
    }
    this.#byKey.set(name, { key, waits });
    for (const object of waits) {
      const waiters = this.#byObject.get(objectName(object)) ?? new Map<string, WorkKey>();
      this.#byObject.set(objectName(object), waiters.set(name, key));
    }
  }

  /** The keys that wait for this object. */
  waitingFor(object: WaitedObject): Iterable<WorkKey> {
    return this.#byObject.get(objectName(object))?.values() ?? [];
  }

  isAwaited(object: WaitedObject): boolean {
    return this.#byObject.has(objectName(object));
  }

  /** The objects that keys wait for and that no watch list covers. */
  followed(): readonly WaitedObject[] {
    return followedIn([...this.#byKey.values()].flatMap(({ waits }) => waits));
  }
}
