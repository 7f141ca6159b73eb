import type { RenderRequest } from "../../ports/charts/index.ts";

/** A chart that uses one feature, and what it is rendered for. */
export interface TestChart {
  readonly name: string;
  /** Texts by their paths in the chart's folder. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  readonly request?: Partial<RenderRequest>;
}

export const REQUEST: RenderRequest = {
  values: {},
  releaseName: "rel",
  namespace: "shop",
  kubernetesVersion: "v1.30.2",
  includeCrds: true,
};

export const chartYaml = (name: string, more = ""): string =>
  `apiVersion: v2\nname: ${name}\nversion: 1.2.3\n${more}`;

/** A ConfigMap whose data are expressions, each printed as text. */
export const configMap = (expressions: Readonly<Record<string, string>>, name = "shown"): string =>
  [
    "apiVersion: v1",
    "kind: ConfigMap",
    `metadata: {name: ${name}}`,
    "data:",
    ...Object.entries(expressions).map(
      ([key, expression]) => `  ${key}: {{ ${expression} | toJson | quote }}`,
    ),
    "",
  ].join("\n");

/** A chart `web` with these files. */
export const chart = (
  name: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  request: Partial<RenderRequest> = {},
): TestChart => ({ name, files: { "Chart.yaml": chartYaml("web"), ...files }, request });

export const filesOf = (files: TestChart["files"]): ReadonlyMap<string, Uint8Array> =>
  new Map(
    Object.entries(files).map(([path, content]) => [
      path,
      typeof content === "string" ? Buffer.from(content) : content,
    ]),
  );
