/** A chart: what `helm package` makes of one, or the files of its folder by their paths in there. */
export type ChartSource =
  | { readonly packed: Uint8Array }
  | { readonly files: ReadonlyMap<string, Uint8Array> };

/** The circumstances that a chart is rendered for. */
export interface RenderRequest {
  /** The values that go before those of the chart; a null takes a default away. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly releaseName: string;
  readonly namespace: string;
  /** The Kubernetes version that templates see, `v1.30.2`. Default: the one that helm was built for. */
  readonly kubernetesVersion?: string | undefined;
  /** The objects of folders `crds/` come first where this is true; else they are left out. */
  readonly includeCrds: boolean;
}

/** The part of a hook in helm's life cycle. `helm template` prints hooks and runs none. */
export interface Hook {
  /** `pre-install`, `post-upgrade`, …, as the object lists them. */
  readonly events: readonly string[];
  readonly weight: number;
  readonly deletePolicies: readonly string[];
}

/** One document that a chart prints. */
export interface RenderedDocument {
  /** The file of the chart, as helm names it in its comments: `web/charts/db/templates/service.yaml`. */
  readonly source: string;
  /** The document as JSON; of keys that are written twice the last one counts. A `List` is kept as it is. */
  readonly object: Readonly<Record<string, unknown>>;
  /** Absent for what is no hook. */
  readonly hook?: Hook;
}

/** A chart's documents: those of `crds/`, then the others in helm's order of installation, then the hooks. Empty documents are left out. */
export interface RenderedChart {
  readonly documents: readonly RenderedDocument[];
}

/** Renders charts without any network. Twice rendered, a chart may differ: keys and random texts are made anew. */
export interface Charts {
  /** @throws ChartError */
  render(chart: ChartSource, request: RenderRequest): Promise<RenderedChart>;
}
