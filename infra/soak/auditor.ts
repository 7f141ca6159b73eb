import type { KubeClient, Resource } from "../../shared/kube/client.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { follow } from "../testing/follow.ts";

/** A state that must not be, with the object and what was seen. */
export interface Finding {
  /**
   * `back`: a status returned to an older generation. `future`: it observed what was not there yet. `doubled`: one generation was
   * answered twice, differently. `wrong`: the answer is not that of its generation.
   */
  readonly sort: "back" | "future" | "doubled" | "wrong";
  readonly object: string;
  readonly seen: string;
}

interface Answer {
  readonly observedGeneration: number;
  readonly text: string;
}

/**
 * Judges, from the API server alone, how one kind is answered: while it happens, from a watch of its own.
 * @param expected what the status of a spec must hold; absent where only the order of the answers is judged
 */
export class Auditor {
  readonly findings: Finding[] = [];
  /** Answers that were judged. */
  answers = 0;
  readonly #resource: Resource;
  readonly #expected: ((spec: unknown) => Readonly<Record<string, unknown>>) | undefined;
  readonly #specs = new Map<string, Map<number, unknown>>();
  readonly #last = new Map<string, Answer>();

  constructor(resource: Resource, expected?: (spec: unknown) => Readonly<Record<string, unknown>>) {
    this.#resource = resource;
    this.#expected = expected;
  }

  follow(client: KubeClient, signal: AbortSignal): Promise<void> {
    return follow(client, this.#resource, signal, {
      seen: ({ type, object }) => {
        if (type === "DELETED") this.#forget(object);
        else this.#judge(object);
      },
      // Between two lists one generation may have been answered more often than was seen, but never less well.
      missed: () => undefined,
    });
  }

  #forget({ metadata }: KubeObject): void {
    this.#specs.delete(metadata.uid ?? "");
    this.#last.delete(metadata.uid ?? "");
  }

  #judge(object: KubeObject): void {
    const { uid = "", generation = 0, namespace = "", name } = object.metadata;
    const specs = this.#specs.get(uid) ?? new Map<number, unknown>();
    this.#specs.set(uid, specs.set(generation, object.spec));
    const status = object.status as Readonly<Record<string, unknown>> | undefined;
    const observed = status?.observedGeneration;
    if (status === undefined || typeof observed !== "number") return;
    const text = JSON.stringify(status);
    const last = this.#last.get(uid);
    if (last?.text === text) return;
    this.answers += 1;
    const find = (sort: Finding["sort"], seen: string): void => {
      this.findings.push({ sort, object: `${this.#resource.kind} ${namespace}/${name}`, seen });
    };
    if (observed > generation) find("future", `${observed} of ${generation}`);
    if (last !== undefined && observed < last.observedGeneration)
      find("back", `${last.observedGeneration} to ${observed}`);
    if (this.#expected !== undefined) {
      if (last?.observedGeneration === observed) find("doubled", `${last.text} and ${text}`);
      if (specs.has(observed))
        for (const [field, value] of Object.entries(this.#expected(specs.get(observed))))
          if (status[field] !== value)
            find("wrong", `${field} is ${String(status[field])}, not ${String(value)}`);
    }
    this.#last.set(uid, { observedGeneration: observed, text });
    for (const known of specs.keys()) if (known < observed) specs.delete(known);
  }
}
