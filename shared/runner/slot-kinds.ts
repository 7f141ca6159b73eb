import type { FunctionDeclaration } from "../function/declaration.ts";
import { type Admitted, isAdmitted, mayAdmit } from "../function/slots.ts";
import { TerminalError } from "../function/terminal-error.ts";
import type { KubeClient, Resource } from "../kube/client.ts";
import { referenceOf } from "../kube/cluster-names.ts";
import { KubeError } from "../kube/errors.ts";
import type { Kind, Slot } from "../kube/kind.ts";
import { apiVersionOf, parseApiVersion } from "../kube/object.ts";
import { admittedKind } from "../kube/slot.ts";

import { type Clients, clientAt } from "./clients.ts";

/** The kind that an object names. */
export interface NamedKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** The object's own name, where one is meant that is read: some slots admit by it. */
  readonly name?: string;
}

/** A slot of other clusters, and one of these. */
export interface SlotAt {
  readonly slot: Pick<Kind, "id" | "clusters">;
  readonly cluster: string;
}

interface Server {
  readonly name: string;
  readonly client: () => KubeClient;
}

/** The groups that are remembered at most: there may be thousands of clusters. */
const REMEMBERED = 2_000;

const resourceAmong = (resources: readonly Resource[], { kind }: NamedKind): Resource | undefined =>
  resources.find((resource) => resource.kind === kind && !resource.plural.includes("/"));

/**
 * The kinds that slots stand for, as the API server knows them now: asked once an API group and version, and again where a kind is not
 * among them, so that a CRD which has just come is found.
 */
export class SlotKinds {
  readonly #clients: Clients;
  readonly #admitted: (declaration: FunctionDeclaration) => ReadonlyMap<string, Admitted>;
  /** The resources by cluster, group and version; what was asked longest ago first. */
  readonly #known = new Map<string, readonly Resource[]>();
  readonly #asked = new Map<string, Promise<readonly Resource[]>>();

  /** @param admitted what the configuration admits to a function's slots */
  constructor(
    clients: Clients,
    admitted: (declaration: FunctionDeclaration) => ReadonlyMap<string, Admitted>,
  ) {
    this.#clients = clients;
    this.#admitted = admitted;
  }

  /** Throws a `KubeError` (`kindMissing`) where the server does not know it, a `TerminalError` where it is not admitted. */
  async kindFor(
    slot: Slot,
    what: NamedKind,
    declaration: FunctionDeclaration,
    cluster?: string | undefined,
  ): Promise<Kind> {
    const kind = await this.lookUp(slot, what, declaration, cluster);
    if (kind === undefined)
      throw new KubeError(
        "kindMissing",
        `The API server knows no ${what.kind} of ${what.apiVersion}: the CRD or extension API server that brings it is not there yet.`,
        { request: `discovery of ${what.apiVersion}` },
      );
    return kind;
  }

  /** The kind as `kindFor` gives it; undefined where the server does not know it. */
  async lookUp(
    slot: Slot,
    what: NamedKind,
    declaration: FunctionDeclaration,
    cluster?: string | undefined,
  ): Promise<Kind | undefined> {
    const resource = await this.#find(what, this.#at(slot, cluster));
    if (resource === undefined) return undefined;
    if (!isAdmitted(this.#admitted(declaration).get(slot.id) ?? [], resource, what.name)) {
      const name = resource.group === "" ? resource.plural : `${resource.plural}.${resource.group}`;
      throw new TerminalError(
        `${declaration.name} may not touch ${what.kind} of ${what.apiVersion} as ${slot.id}: the configuration does not admit it. Add "${name}" to what it admits, or leave such objects out.`,
        { code: "KIND_NOT_ADMITTED" },
      );
    }
    return admittedKind(slot, resource);
  }

  /**
   * True where one of these slots of the function admits the kind, or may admit it where the server does not know it (yet).
   * @param at the slot of other clusters, and the cluster; absent: at home
   */
  async admits(
    slots: readonly string[],
    what: NamedKind,
    declaration: FunctionDeclaration,
    at?: SlotAt,
  ): Promise<{ readonly resource: Resource | undefined } | undefined> {
    const resource = await this.#find(what, this.#at(at?.slot, at?.cluster));
    return this.#admittedTo(slots, what, declaration, resource) ? { resource } : undefined;
  }

  /** The same by what is known already, without asking. */
  knownTo(
    slots: readonly string[],
    what: NamedKind,
    declaration: FunctionDeclaration,
    at?: SlotAt,
  ): { readonly resource: Resource | undefined } | undefined {
    const { name } = this.#at(at?.slot, at?.cluster);
    const resource = resourceAmong(this.#known.get(`${name}${what.apiVersion}`) ?? [], what);
    return this.#admittedTo(slots, what, declaration, resource) ? { resource } : undefined;
  }

  #admittedTo(
    slots: readonly string[],
    { apiVersion, name }: NamedKind,
    declaration: FunctionDeclaration,
    resource: Resource | undefined,
  ): boolean {
    const admitted = this.#admitted(declaration);
    return slots.some((id) => {
      const names = admitted.get(id) ?? [];
      return resource === undefined
        ? mayAdmit(names, parseApiVersion(apiVersion).group)
        : isAdmitted(names, resource, name);
    });
  }

  /** Forgets a group and version that proved wrong: they are asked for anew. */
  forget(kind: Kind, cluster?: string | undefined): void {
    this.#known.delete(`${this.#at(kind, cluster).name}${apiVersionOf(kind)}`);
  }

  #at(slot: Pick<Kind, "id" | "clusters"> | undefined, cluster: string | undefined): Server {
    if (slot?.clusters === undefined) return { name: "", client: () => this.#clients.client };
    return {
      name: `${referenceOf(slot.clusters, cluster ?? "")} `,
      client: () => clientAt(this.#clients, slot, cluster),
    };
  }

  async #find(what: NamedKind, server: Server): Promise<Resource | undefined> {
    const { apiVersion } = what;
    return (
      resourceAmong(this.#known.get(`${server.name}${apiVersion}`) ?? [], what) ??
      resourceAmong(await this.#ask(apiVersion, server), what)
    );
  }

  /** Asks the server for a group and version; callers that ask while an answer is on its way share it. */
  async #ask(apiVersion: string, server: Server): Promise<readonly Resource[]> {
    const id = `${server.name}${apiVersion}`;
    const asked = this.#asked.get(id) ?? this.#discover(apiVersion, server, id);
    this.#asked.set(id, asked);
    return asked;
  }

  async #discover(apiVersion: string, server: Server, id: string): Promise<readonly Resource[]> {
    try {
      const { group, version } = parseApiVersion(apiVersion);
      const resources = await server.client().discover(group, version);
      this.#known.delete(id);
      this.#known.set(id, resources);
      for (const oldest of this.#known.keys()) {
        if (this.#known.size <= REMEMBERED) break;
        this.#known.delete(oldest);
      }
      return resources;
    } finally {
      this.#asked.delete(id);
    }
  }
}
