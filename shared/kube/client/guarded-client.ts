import type { KubeClient, ListOptions, ListPage, Resource } from "../client.ts";

/** Sends a request with the client of the moment, and may cut it off. `isWatch`: it stays open. */
export type Send = <T>(
  signal: AbortSignal | undefined,
  request: (client: KubeClient, signal: AbortSignal) => Promise<T>,
  isWatch: boolean,
) => Promise<T>;

/** A client each of whose requests goes through `send`. */
export function guardedClient(of: {
  readonly send: Send;
  readonly requests: () => KubeClient["requests"];
  readonly answers: () => NonNullable<KubeClient["answers"]>;
}): KubeClient {
  const { send } = of;
  return {
    get: (resource, place, options) =>
      send(options?.signal, (client, signal) => client.get(resource, place, { ...options, signal }), false),
    list: (resource, options) =>
      send(options?.signal, (client, signal) => client.list(resource, { ...options, signal }), false),
    pages: (resource, options) => pagesOf(send, resource, options),
    watch: (resource, options) =>
      send(options.signal, (client, signal) => client.watch(resource, { ...options, signal }), true),
    apply: (resource, place, body, options) =>
      send(
        options.signal,
        (client, signal) => client.apply(resource, place, body, { ...options, signal }),
        false,
      ),
    create: (resource, body, options) =>
      send(options.signal, (client, signal) => client.create(resource, body, { ...options, signal }), false),
    patch: (resource, place, type, body, options) =>
      send(
        options.signal,
        (client, signal) => client.patch(resource, place, type, body, { ...options, signal }),
        false,
      ),
    replace: (resource, place, body, options) =>
      send(
        options.signal,
        (client, signal) => client.replace(resource, place, body, { ...options, signal }),
        false,
      ),
    delete: (resource, place, options) =>
      send(options.signal, (client, signal) => client.delete(resource, place, { ...options, signal }), false),
    discover: (group, version) => send(undefined, (client) => client.discover(group, version), false),
    raw: (method, path, options) =>
      send(options?.signal, (client, signal) => client.raw(method, path, { ...options, signal }), false),
    exec: (pod, container, command, options) =>
      send(
        options.signal,
        (client, signal) => client.exec(pod, container, command, { ...options, signal }),
        true,
      ),
    get requests() {
      return of.requests();
    },
    get answers() {
      return of.answers();
    },
    close: () => undefined,
  };
}

/** Each page is a request of its own; all come from the client that began. */
async function* pagesOf(
  send: Send,
  resource: Resource,
  options: ListOptions = {},
): AsyncGenerator<ListPage, void, void> {
  let pages: AsyncGenerator<ListPage, void, void> | undefined;
  for (;;) {
    const next = await send(
      options.signal,
      (client) => {
        pages ??= client.pages(resource, options);
        return pages.next();
      },
      false,
    );
    if (next.done === true) return;
    yield next.value;
  }
}
