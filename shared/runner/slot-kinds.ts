import { hash } from "node:crypto";
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

/** The groups that are remembered at most: there may be thousands of clusters, and of each several. */
const REMEMBERED = 50_000;
/** The different answers among these that are kept at most. */
const ANSWERS = 2_000;

/** Forgets what was added first, beyond a number. */
function forgetOldest(known: Map<string, unknown>, most: number): void {
  for (const oldest of known.keys()) {
    if (known.size <= most) return;
    known.delete(oldest);
  }
}

const resourceAmong = (resources: readonly Resource[], { kind }: NamedKind): Resource | undefined =>
  resources.find((resource) => resource.kind === kind && !resource.plural.includes("/"));

/**
 * The kinds that slots stand for, as the API server knows them now: asked once an API group and version, and again where a kind is not
 * among them, so that a CRD which has just come is found.
 */
export class SlotKinds {
  readonly #clients: Clients;
  readonly #admitted: (declaration: FunctionDeclaration) => ReadonlyMap<string, Admitted>;
  /** The names of the answers by cluster, group and version; what was asked longest ago first. */
  readonly #known = new Map<string, string>();
  /** The answers by what they say: most clusters say the same. */
  readonly #answers = new Map<string, readonly Resource[]>();
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
    const resource = resourceAmong(this.#answerOf(`${name}${what.apiVersion}`), what);
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
      resourceAmong(this.#answerOf(`${server.name}${apiVersion}`), what) ??
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

  #answerOf(id: string): readonly Resource[] {
    return this.#answers.get(this.#known.get(id) ?? "") ?? [];
  }

  /** Keeps an answer; one that says what another server said takes next to no memory. */
  #keep(id: string, resources: readonly Resource[]): readonly Resource[] {
    const answer = hash("sha256", JSON.stringify(resources));
    const same = this.#answers.get(answer) ?? resources;
    this.#answers.delete(answer);
    this.#answers.set(answer, same);
    forgetOldest(this.#answers, ANSWERS);
    this.#known.delete(id);
    this.#known.set(id, answer);
    forgetOldest(this.#known, REMEMBERED);
    return same;
  }

  async #discover(apiVersion: string, server: Server, id: string): Promise<readonly Resource[]> {
    try {
      const { group, version } = parseApiVersion(apiVersion);
      return this.#keep(id, await server.client().discover(group, version));
    } finally {
      this.#asked.delete(id);
    }
  }
}
