import type { KubeObject } from "../../../shared/kube/object.ts";
import { isObject } from "../json.ts";
import type { Store, StoredEvent } from "../store/store.ts";

/** A rule of a webhook: what it is asked about. */
export interface Rule {
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly operations: readonly string[];
  readonly resources: readonly string[];
  readonly scope: string;
}

/** The address of a webhook, as its configuration gives it. */
export interface ClientConfig {
  readonly url?: string;
  /** PEM in base64. */
  readonly caBundle?: string;
  readonly service?: {
    readonly name: string;
    readonly namespace: string;
    readonly path?: string;
    readonly port?: number;
  };
}

/** One webhook of a configuration, with the defaults that storing it filled in. */
export interface Hook {
  readonly sort: "mutating" | "validating";
  readonly name: string;
  readonly rules: readonly Rule[];
  readonly clientConfig: ClientConfig;
  readonly failurePolicy: "Fail" | "Ignore";
  readonly matchPolicy: "Equivalent" | "Exact";
  readonly timeoutSeconds: number;
  readonly sideEffects: string;
  readonly namespaceSelector: unknown;
  readonly objectSelector: unknown;
  readonly matchConditions: readonly { readonly name: string; readonly expression: string }[];
  readonly reinvocationPolicy: "Never" | "IfNeeded";
}

const GROUP = "admissionregistration.k8s.io";
const PLACES = {
  mutating: `${GROUP}/mutatingwebhookconfigurations`,
  validating: `${GROUP}/validatingwebhookconfigurations`,
} as const;

/** The webhooks that the API keeps, in the order in which they are called: by the names of their configurations. */
export class Hooks {
  readonly #store: Store;
  readonly #stop: () => void;
  #known: Readonly<Record<Hook["sort"], readonly Hook[]>> | undefined;

  constructor(store: Store) {
    this.#store = store;
    this.#stop = store.subscribe(({ resource }: StoredEvent) => {
      if (resource.startsWith(GROUP)) this.#known = undefined;
    });
  }

  of(sort: Hook["sort"]): readonly Hook[] {
    this.#known ??= { mutating: this.#read("mutating"), validating: this.#read("validating") };
    return this.#known[sort];
  }

  stop(): void {
    this.#stop();
  }

  #read(sort: Hook["sort"]): readonly Hook[] {
    return this.#store.list(PLACES[sort], "").flatMap(({ text }) => {
      const { webhooks } = JSON.parse(text) as KubeObject & { readonly webhooks?: unknown };
      return Array.isArray(webhooks) ? webhooks.filter(isObject).map((one) => hookOf(sort, one)) : [];
    });
  }
}

function hookOf(sort: Hook["sort"], webhook: Readonly<Record<string, unknown>>): Hook {
  const rules = Array.isArray(webhook.rules) ? webhook.rules.filter(isObject) : [];
  const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);
  // Its schema was checked, and its defaults filled in, when it was stored.
  return {
    matchConditions: [],
    reinvocationPolicy: "Never",
    ...webhook,
    sort,
    rules: rules.map((rule) => ({
      apiGroups: textsOf(rule.apiGroups),
      apiVersions: textsOf(rule.apiVersions),
      operations: textsOf(rule.operations),
      resources: textsOf(rule.resources),
      scope: String(rule.scope ?? "*"),
    })),
  } as unknown as Hook;
}
