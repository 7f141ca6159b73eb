import type { FunctionDeclaration } from "../function/declaration.ts";
import { type Admitted, isAdmitted, mayAdmit } from "../function/slots.ts";
import { TerminalError } from "../function/terminal-error.ts";
import type { KubeClient, Resource } from "../kube/client.ts";
import { KubeError } from "../kube/errors.ts";
import { admittedKind, type Kind, type Slot } from "../kube/kind.ts";
import { apiVersionOf, parseApiVersion } from "../kube/object.ts";

/** The kind that an object names. */
export interface NamedKind {
  readonly apiVersion: string;
  readonly kind: string;
}

const resourceAmong = (resources: readonly Resource[], { kind }: NamedKind): Resource | undefined =>
  resources.find((resource) => resource.kind === kind && !resource.plural.includes("/"));

/**
 * The kinds that slots stand for, as the API server knows them now: asked once an API group and version, and again where a kind is not
 * among them, so that a CRD which has just come is found.
 */
export class SlotKinds {
  readonly #client: KubeClient;
  readonly #admitted: (declaration: FunctionDeclaration) => ReadonlyMap<string, Admitted>;
  readonly #known = new Map<string, readonly Resource[]>();
  readonly #asked = new Map<string, Promise<readonly Resource[]>>();

  /** @param admitted what the configuration admits to a function's slots */
  constructor(
    client: KubeClient,
    admitted: (declaration: FunctionDeclaration) => ReadonlyMap<string, Admitted>,
  ) {
    this.#client = client;
    this.#admitted = admitted;
  }

  /** Throws a `KubeError` (`kindMissing`) where the server does not know it, a `TerminalError` where it is not admitted. */
  async kindFor(slot: Slot, what: NamedKind, declaration: FunctionDeclaration): Promise<Kind> {
    const kind = await this.lookUp(slot, what, declaration);
    if (kind === undefined)
      throw new KubeError(
        "kindMissing",
        `The API server knows no ${what.kind} of ${what.apiVersion}: the CRD or extension API server that brings it is not there yet.`,
        { request: `discovery of ${what.apiVersion}` },
      );
    return kind;
  }

  /** The kind as `kindFor` gives it; undefined where the server does not know it. */
  async lookUp(slot: Slot, what: NamedKind, declaration: FunctionDeclaration): Promise<Kind | undefined> {
    const resource = await this.#find(what);
    if (resource === undefined) return undefined;
    if (!isAdmitted(this.#admitted(declaration).get(slot.id) ?? [], resource)) {
      const name = resource.group === "" ? resource.plural : `${resource.plural}.${resource.group}`;
      throw new TerminalError(
        `${declaration.name} may not touch ${what.kind} of ${what.apiVersion} as ${slot.id}: the configuration does not admit it. Add "${name}" to what it admits, or leave such objects out.`,
        { code: "KIND_NOT_ADMITTED" },
      );
    }
    return admittedKind(slot, resource);
  }

  /** True where one of these slots of the function admits the kind, or may admit it where the server does not know it (yet). */
  async admits(
    slots: readonly string[],
    what: NamedKind,
    declaration: FunctionDeclaration,
  ): Promise<{ readonly resource: Resource | undefined } | undefined> {
    const resource = await this.#find(what);
    return this.#admittedTo(slots, what, declaration, resource) ? { resource } : undefined;
  }

  /** The same by what is known already, without asking. */
  knownTo(
    slots: readonly string[],
    what: NamedKind,
    declaration: FunctionDeclaration,
  ): { readonly resource: Resource | undefined } | undefined {
    const resource = resourceAmong(this.#known.get(what.apiVersion) ?? [], what);
    return this.#admittedTo(slots, what, declaration, resource) ? { resource } : undefined;
  }

  #admittedTo(
    slots: readonly string[],
    { apiVersion }: NamedKind,
    declaration: FunctionDeclaration,
    resource: Resource | undefined,
  ): boolean {
    const admitted = this.#admitted(declaration);
    return slots.some((id) => {
      const names = admitted.get(id) ?? [];
      return resource === undefined
        ? mayAdmit(names, parseApiVersion(apiVersion).group)
        : isAdmitted(names, resource);
    });
  }

  /** Forgets a group and version that proved wrong: they are asked for anew. */
  forget({ group, version }: { readonly group: string; readonly version: string }): void {
    this.#known.delete(apiVersionOf({ group, version }));
  }

  async #find(what: NamedKind): Promise<Resource | undefined> {
    const { apiVersion } = what;
    return (
      resourceAmong(this.#known.get(apiVersion) ?? [], what) ??
      resourceAmong(await this.#ask(apiVersion), what)
    );
  }

  /** Asks the server for a group and version; callers that ask while an answer is on its way share it. */
  async #ask(apiVersion: string): Promise<readonly Resource[]> {
    const asked = this.#asked.get(apiVersion) ?? this.#discover(apiVersion);
    this.#asked.set(apiVersion, asked);
    return asked;
  }

  async #discover(apiVersion: string): Promise<readonly Resource[]> {
    try {
      const { group, version } = parseApiVersion(apiVersion);
      const resources = await this.#client.discover(group, version);
      this.#known.set(apiVersion, resources);
      return resources;
    } finally {
      this.#asked.delete(apiVersion);
    }
  }
}
