import type { RenderRequest } from "../../contract.ts";
import { ChartError } from "../../errors.ts";

/** The Kubernetes version that charts see where none is asked for: the one that helm was built with. */
const KUBERNETES_VERSION = "v1.35.0";

/** A Kubernetes version as text in its two forms, and its numbers. */
export interface KubernetesVersion {
  /** The text that was asked for, with a `v` in front. */
  readonly given: string;
  /** Three numbers alone, which constraints are checked against. */
  readonly plain: string;
  readonly major: string;
  readonly minor: string;
}

/** @throws ChartError where the text is no version. */
export function kubernetesVersionOf(text = KUBERNETES_VERSION): KubernetesVersion {
  const [, major, minor, patch = "0"] = /^v?(\d+)\.(\d+)(?:\.(\d+))?/.exec(text) ?? [];
  if (major === undefined || minor === undefined)
    throw new ChartError(
      "CHART_NOT_INSTALLABLE",
      `${JSON.stringify(text)} is no Kubernetes version: write v1.30.2`,
    );
  return {
    given: text.startsWith("v") ? text : `v${text}`,
    plain: `v${major}.${minor}.${patch}`,
    major,
    minor,
  };
}

const NAME = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
/** The longest name of a release: charts put more behind it. */
const LONGEST_NAME = 53;

/** Refuses what no release can be called, before anything is read. @throws ChartError */
export function requireRequest({ releaseName, namespace }: RenderRequest): void {
  if (!NAME.test(releaseName) || releaseName.length > LONGEST_NAME)
    throw new ChartError(
      "CHART_NOT_INSTALLABLE",
      `${JSON.stringify(releaseName)} is no name of a release: small letters, digits, "-" and ".", ${LONGEST_NAME} characters at most`,
    );
  if (!NAME.test(namespace))
    throw new ChartError("CHART_NOT_INSTALLABLE", `${JSON.stringify(namespace)} is no namespace`);
}
