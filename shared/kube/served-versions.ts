import type { KubeClient, ListOptions, ListPage, Resource } from "./client.ts";
import { KubeError } from "./errors.ts";
import { apiVersionOf, type KubeObject, parseApiVersion } from "./object.ts";

const nameOf = ({ group, plural, versions = [] }: Resource): string =>
  [group, plural, ...versions].join("\n");

/** The body in the version that is asked for, where it came in another one of the kind's. */
function inVersion(body: KubeObject, { group, versions }: Resource, served: Resource): KubeObject {
  const came = parseApiVersion(body.apiVersion);
  return came.group === group && came.version !== served.version && versions?.includes(came.version) === true
    ? { ...body, apiVersion: apiVersionOf(served) }
    : body;
}

/**
 * A client for resources that name several versions: requests about them go to the first that the server offers. Discovery is asked
 * once a resource, and again once the server no longer knows the version. Where it offers none, requests go to the first, and are
 * answered as those about any kind that is missing. All other requests pass as they are.
 */
export class ServedVersions implements KubeClient {
  readonly #client: KubeClient;
  readonly #served = new Map<string, Resource>();
  readonly #asked = new Map<string, Promise<Resource>>();

  constructor(client: KubeClient) {
    this.#client = client;
  }

  get requests(): Readonly<Record<string, number>> {
    return this.#client.requests;
  }
  get answers(): Readonly<Record<string, number>> {
    return this.#client.answers ?? {};
  }

  readonly get: KubeClient["get"] = (resource, ...rest) =>
    this.#send(resource, (served) => this.#client.get(served, ...rest));
  readonly list: KubeClient["list"] = (resource, ...rest) =>
    this.#send(resource, (served) => this.#client.list(served, ...rest));
  readonly watch: KubeClient["watch"] = (resource, ...rest) =>
    this.#send(resource, (served) => this.#client.watch(served, ...rest));
  readonly apply: KubeClient["apply"] = (resource, place, body, options) =>
    this.#send(resource, (served) =>
      this.#client.apply(served, place, inVersion(body, resource, served), options),
    );
  readonly create: KubeClient["create"] = (resource, body, options) =>
    this.#send(resource, (served) => this.#client.create(served, inVersion(body, resource, served), options));
  readonly patch: KubeClient["patch"] = (resource, ...rest) =>
    this.#send(resource, (served) => this.#client.patch(served, ...rest));
  readonly replace: KubeClient["replace"] = (resource, place, body, options) =>
    this.#send(resource, (served) =>
      this.#client.replace(served, place, inVersion(body, resource, served), options),
    );
  readonly delete: KubeClient["delete"] = (resource, ...rest) =>
    this.#send(resource, (served) => this.#client.delete(served, ...rest));
  readonly discover: KubeClient["discover"] = (...args) => this.#client.discover(...args);
  readonly raw: KubeClient["raw"] = (...args) => this.#client.raw(...args);
  readonly exec: KubeClient["exec"] = (...args) => this.#client.exec(...args);

  pages(resource: Resource, options?: ListOptions): AsyncGenerator<ListPage, void, void> {
    return resource.versions === undefined
      ? this.#client.pages(resource, options)
      : this.#pagesServed(resource, options);
  }

  close(): void {
    this.#client.close();
  }

  async *#pagesServed(resource: Resource, options?: ListOptions): AsyncGenerator<ListPage, void, void> {
    const served = await this.#servedOf(resource);
    let isBegun = false;
    try {
      for await (const page of this.#client.pages(served, options)) {
        isBegun = true;
        yield page;
      }
      return;
    } catch (error) {
      // Pages that were read in one version do not go on in another.
      if (!this.#forgets(resource, error) || isBegun) throw error;
    }
    yield* this.#client.pages(await this.#servedOf(resource), options);
  }

  #send<T>(resource: Resource, request: (served: Resource) => Promise<T>): Promise<T> {
    return resource.versions === undefined ? request(resource) : this.#sendServed(resource, request);
  }

  async #sendServed<T>(resource: Resource, request: (served: Resource) => Promise<T>): Promise<T> {
    try {
      return await request(await this.#servedOf(resource));
    } catch (error) {
      if (!this.#forgets(resource, error)) throw error;
      return request(await this.#servedOf(resource));
    }
  }

  /** True where the server no longer knows the version that was taken: it is forgotten. */
  #forgets(resource: Resource, error: unknown): boolean {
    return (
      error instanceof KubeError && error.kind === "kindMissing" && this.#served.delete(nameOf(resource))
    );
  }

  /** Asks once; callers that ask while an answer is on its way share it. */
  async #servedOf(resource: Resource): Promise<Resource> {
    const name = nameOf(resource);
    const known = this.#served.get(name);
    if (known !== undefined) return known;
    const asked = this.#asked.get(name) ?? this.#find(resource, name);
    this.#asked.set(name, asked);
    return asked;
  }

  async #find(resource: Resource, name: string): Promise<Resource> {
    const { versions = [], ...one } = resource;
    try {
      for (const version of versions) {
        const offered = await this.#client.discover(resource.group, version);
        if (!offered.some(({ kind }) => kind === resource.kind)) continue;
        const served = { ...one, version };
        this.#served.set(name, served);
        return served;
      }
      return one;
    } finally {
      this.#asked.delete(name);
    }
  }
}
