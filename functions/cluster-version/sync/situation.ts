import {
  type ClusterVersionView,
  chooseTarget,
  faultsOf,
  invalidVerdict,
  type Release,
  runningRelease,
  type Spec,
  type SpecFault,
  usableSpec,
  type Verdict,
} from "../target/index.ts";

/** A release that is asked for and not accepted yet. */
export interface Candidate {
  readonly version: string;
  readonly image: string;
  readonly architecture: string;
  readonly force: boolean;
  /** The cluster's own release: neither signature nor preconditions are asked for. */
  readonly local: boolean;
}

/** What a ClusterVersion asks for, beside what it is at. */
export interface Situation {
  readonly spec: Spec;
  readonly faults: readonly SpecFault[];
  readonly invalid: Verdict | undefined;
  /** The release that is applied, or kept to: the newest of the history. */
  readonly current: { readonly version: string; readonly image: string; readonly force: boolean } | undefined;
  readonly candidate: Candidate | undefined;
  /** A version that nothing gives an image to. */
  readonly notFound: Verdict | undefined;
}

const INITIALIZING = (status: ClusterVersionView["status"]): boolean =>
  !(status?.history ?? []).some(({ state }) => state === "Completed");

/**
 * What is to be made of the spec (4.8). Once a release is accepted its image is the newest of the history, so whether it was accepted
 * needs no record. During the first installation another version is not looked at.
 */
export function situationOf(clusterVersion: ClusterVersionView, initial: Release): Situation {
  const faults = faultsOf(clusterVersion);
  const spec = usableSpec(clusterVersion.spec, faults);
  const { status } = clusterVersion;
  const [newest] = status?.history ?? [];
  const target = chooseTarget({ spec, status }, runningRelease(status?.history, initial));
  const asksFor = target.state === "requested" ? target : undefined;
  const same = newest !== undefined && asksFor?.image === newest.image;
  const base = { spec, faults, invalid: invalidVerdict(faults) };
  const current =
    newest === undefined
      ? undefined
      : { version: newest.version ?? "", image: newest.image, force: same && asksFor?.force === true };
  const staying = { ...base, current, candidate: undefined, notFound: undefined };
  if (newest === undefined) return { ...staying, candidate: firstOf(initial, asksFor) };
  if (target.state === "not found") return { ...staying, notFound: target.accepted };
  // What cannot be followed does not undo what was begun.
  if (INITIALIZING(status) || faults.some(({ field }) => field.startsWith("spec.desiredUpdate")))
    return staying;
  if (target.state === "running") {
    const { version, image } = target.release;
    if (image === newest.image || image === "") return staying;
    return { ...staying, candidate: { version, image, architecture: "", force: false, local: true } };
  }
  const { version, image, architecture, force } = target;
  if (same && (version === "" || (newest.version ?? "") === "" || version === newest.version)) return staying;
  return { ...staying, candidate: { version, image, architecture, force, local: false } };
}

/** What a cluster is installed with: its own release; where none is set, what is asked for. */
function firstOf(initial: Release, asksFor: Omit<Candidate, "local"> | undefined): Candidate | undefined {
  if (initial.image !== "")
    return { version: initial.version, image: initial.image, architecture: "", force: false, local: true };
  if (asksFor === undefined) return undefined;
  const { version, image, architecture, force } = asksFor;
  return { version, image, architecture, force, local: true };
}
