import type { Health } from "./health.ts";
import type { StateStore } from "./store.ts";

/** A store whose answers tell how AWS is, and that says nothing any more once the bus is closed. */
export function guardedStore(store: StateStore, health: Health): StateStore {
  const read = <T>(call: () => Promise<T>): Promise<T> => health.call("read the table", call);
  const write = <T>(call: () => Promise<T>): Promise<T> => health.call("write the table", call);
  const { history } = store;
  return {
    load: (key) => read(() => store.load(key)),
    save: (key, record, version, expiresAt) => write(() => store.save(key, record, version, expiresAt)),
    keysOf: (name) => read(() => store.keysOf(name)),
    addWaits: (key, objects) => write(() => store.addWaits(key, objects)),
    removeWaits: (key, objects) => write(() => store.removeWaits(key, objects)),
    followed: () => read(() => store.followed()),
    waitingFor: (object) => read(() => store.waitingFor(object)),
    recordRun: (run, at, expiresAt) => write(() => store.recordRun(run, at, expiresAt)),
    recordEvents: (events, expiresAt) => write(() => store.recordEvents(events, expiresAt)),
    toldSince: (subject, since) => read(() => store.toldSince(subject, since)),
    history: {
      ofSubject: (subject, limit) => read(() => history.ofSubject(subject, limit)),
      ofKey: (key, limit) => read(() => history.ofKey(key, limit)),
      ofWrite: (echo) => read(() => history.ofWrite(echo)),
      run: (id) => read(() => history.run(id)),
      event: (id) => read(() => history.event(id)),
      after: (position, options) => read(() => history.after(position, options)),
    },
  };
}
