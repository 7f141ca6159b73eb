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
} from "../release/index.ts";

/** A release that is asked for and not accepted yet. */
export interface Candidate {
  readonly version: string;
  readonly image: string;
  readonly architecture: string;
  readonly force: boolean;
  /** The cluster's own release: neither signature nor preconditions are asked for. */
  readonly local: boolean;
}

/** The requests of a ClusterVersion, beside its present state. */
export interface Situation {
  readonly spec: Spec;
  readonly faults: readonly SpecFault[];
  readonly invalid: Verdict | undefined;
  /** The release that is applied, or kept to: the newest of the history. */
  readonly current: { readonly version: string; readonly image: string; readonly force: boolean } | undefined;
  readonly candidate: Candidate | undefined;
  /** The release that is asked for, if it is another one, where nothing is applied yet and the candidate cannot be taken. */
  readonly otherwise: Candidate | undefined;
  /** A version that nothing gives an image to. */
  readonly notFound: Verdict | undefined;
}

const INITIALIZING = (status: ClusterVersionView["status"]): boolean =>
  !(status?.history ?? []).some(({ state }) => state === "Completed");

/**
 * The situation of a ClusterVersion, from its spec (4.8). Once a release is accepted its image is the newest of the history, so
 * whether it was accepted needs no record. During the first installation another version is not looked at.
 *
 * @param recorded the image that was worked on last, which a ClusterVersion without a history goes on with: it was made anew, and
 *   the cluster was not.
 */
export function situationOf(
  clusterVersion: ClusterVersionView,
  initial: Release,
  recorded?: string | undefined,
): Situation {
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
  const staying = { ...base, current, candidate: undefined, otherwise: undefined, notFound: undefined };
  if (newest === undefined) return { ...staying, ...firstOf(initial, asksFor, recorded) };
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

/**
 * The first release of a cluster: the one it was at, as the record of the work tells; in a new one its own release; where none is
 * set, the one that is asked for.
 */
function firstOf(
  initial: Release,
  asksFor: Omit<Candidate, "local"> | undefined,
  recorded: string | undefined,
): Pick<Situation, "candidate" | "otherwise"> {
  const asked = asksFor && {
    version: asksFor.version,
    image: asksFor.image,
    architecture: asksFor.architecture,
    force: asksFor.force,
  };
  const image = recorded ?? initial.image;
  if (image === "") return { candidate: asked && { ...asked, local: true }, otherwise: undefined };
  const version = image === initial.image ? initial.version : "";
  const same = asked?.image === image;
  return {
    candidate: { version, image, architecture: "", force: same && asked.force, local: true },
    otherwise: asked === undefined || same ? undefined : { ...asked, local: false },
  };
}
