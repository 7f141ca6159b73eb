import { matchesConstraint } from "../../../../shared/templates/functions/semver.ts";
import { FunctionFault } from "../../../../shared/templates/index.ts";
import { ANNOTATIONS, type Requirement, type SyncedObject } from "../../kinds/index.ts";

/** The Manifest of a module as far as others rest on it. */
export interface Provider {
  readonly metadata: {
    readonly deletionTimestamp?: string | undefined;
    readonly annotations?: Readonly<Record<string, string>> | undefined;
  };
  readonly spec?:
    | {
        readonly version?: string | undefined;
        readonly install?: { readonly source: Readonly<Record<string, unknown>> } | undefined;
      }
    | undefined;
  readonly status?:
    | { readonly state: string; readonly synced?: readonly SyncedObject[] | undefined }
    | undefined;
}

/** The reason why a module does not do for a requirement, in words; undefined: it does. */
export function providerFault({ range }: Requirement, provider: Provider | undefined): string | undefined {
  if (provider === undefined) return "which is not installed yet";
  const { metadata, spec, status } = provider;
  if (metadata.deletionTimestamp !== undefined) return "which is being removed";
  const version = spec?.version ?? "";
  if (range !== undefined && !isRange(range)) return `which is at ${version}: ${noRange(range)}`;
  if (range !== undefined && !isWithin(range, version)) return `which is at ${version}`;
  if (isOnItsWay(provider)) return `which is on its way to ${version}`;
  return status?.state === "Ready" ? undefined : "which is not ready";
}

/** True while another artifact stands than the one that it is brought to: what its state says is about that one. */
const isOnItsWay = ({ metadata: { annotations }, spec }: Provider): boolean => {
  const applied = annotations?.[ANNOTATIONS.syncedArtifact];
  return applied !== undefined && applied !== spec?.install?.source.ref;
};

/** The fault of a text that no version can satisfy. */
export const noRange = (text: string): string =>
  `"${text}" is no range of versions, as ">=1.2.0 <2.0.0" is one`;

/** True for a text that says which versions will do. */
export function isRange(text: string): boolean {
  try {
    matchesConstraint(text, "0.0.0");
    return true;
  } catch (error) {
    if (error instanceof FunctionFault) return false;
    throw error;
  }
}

/** True for a version in a range; one that cannot be read is in none. */
function isWithin(range: string, version: string): boolean {
  try {
    return matchesConstraint(range, version);
  } catch (error) {
    if (error instanceof FunctionFault) return false;
    throw error;
  }
}
