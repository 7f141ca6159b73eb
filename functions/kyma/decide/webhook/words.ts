/** The name of everything that the program in a runtime consists of. */
export const WEBHOOK = "skr-webhook";
/** The Secret in the runtime with the program's certificate. */
export const TLS_SECRET = "skr-webhook-tls";
/** Ports of the program's container. */
export const PORTS = { webhook: 8443, metrics: 2112 } as const;
/** The labels of whatever is put into a runtime. */
export const MANAGED = { "operator.kyma-project.io/managed-by": "kyma" } as const;
/** The label of the program's Pods. */
export const SELECTOR = { app: WEBHOOK } as const;

/** An object that is put into a runtime, before its cluster is named. */
export interface InstalledObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

/** Everything that the objects in a runtime follow from. */
export interface Installation {
  readonly image: string;
  /** The Secret with which the image is pulled; absent: without one. */
  readonly pullSecret?: string | undefined;
  /** The control plane's gateway: a host, and a port where it is not 443. */
  readonly controlPlane: string;
  /** Seconds between two signs of life. */
  readonly beatSeconds: number;
  readonly watchers: readonly WatchedKind[];
  /** The authorities of the control plane, PEM. */
  readonly authorities: string;
  /** The certificate of the runtime and its key, PEM, and the version of the Secret that holds them. */
  readonly certificate: { readonly certificate: string; readonly key: string; readonly version: string };
}

/** A Watcher, as far as it concerns a runtime. */
export interface WatchedKind {
  readonly name: string;
  readonly namespace: string;
  readonly manager: string;
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly labels: Readonly<Record<string, string>>;
  readonly field: "spec" | "status";
}
