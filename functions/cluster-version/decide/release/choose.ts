import { conditionalUpdateTo } from "./accepted-risks.ts";
import type {
  ClusterVersionView,
  ConditionalUpdate,
  HistoryEntry,
  Release,
  Spec,
  Status,
  Verdict,
} from "./types.ts";

/** The release that the cluster is to run. */
export type Target =
  | {
      /** Nothing is asked for, or nothing that can be used: keep to what runs. */
      readonly state: "running";
      readonly release: Release;
    }
  | {
      readonly state: "requested";
      readonly version: string;
      readonly image: string;
      readonly architecture: string;
      readonly force: boolean;
      readonly acceptedRiskNames: readonly string[];
    }
  | {
      /** A version that nothing gives an image to: what runs goes on, ReleaseAccepted says this. */
      readonly state: "not found";
      readonly release: Release;
      readonly accepted: Verdict;
    };

/**
 * The release that the cluster last completed; before that, the one it was installed with. A request that is taken back leads to
 * it, so clearing `desiredUpdate` half-way returns to the old release.
 */
export function runningRelease(history: readonly HistoryEntry[] | undefined, initial: Release): Release {
  const completed = history?.find(({ state }) => state === "Completed");
  if (completed === undefined) return initial;
  if (completed.image === initial.image) return { ...initial, version: completed.version || initial.version };
  return { version: completed.version ?? "", image: completed.image };
}

/** `spec` is the usable one: fields at fault are unset. */
export function chooseTarget(
  { spec, status }: ClusterVersionView & { readonly spec: Spec },
  running: Release,
): Target {
  const { version = "", image = "", architecture = "", force, acceptRisks } = spec.desiredUpdate ?? {};
  if (version === "" && image === "") return { state: "running", release: running };
  const found = image !== "" ? image : imageOf(version, architecture, status, running);
  if (found === undefined) return notFound(version, running, conditionalUpdateTo({ spec, status }, version));
  return {
    state: "requested",
    version,
    image: found,
    architecture,
    force: force ?? false,
    acceptedRiskNames: (acceptRisks ?? []).map(({ name }) => name),
  };
}

/**
 * The image of a version. The version that runs, or that is being moved to, has that image: it has left the available updates by
 * then.
 */
function imageOf(
  version: string,
  architecture: string,
  status: Status | undefined,
  running: Release,
): string | undefined {
  const here = [status?.desired, running].filter(
    (release) =>
      release?.version === version && (architecture === "" || release.architecture === architecture),
  );
  const listed = (status?.availableUpdates ?? []).filter(
    (release) =>
      release.version === version && (architecture === "" || release.architecture === architecture),
  );
  return [...here, ...listed].find((release) => release !== undefined && release.image !== "")?.image;
}

function notFound(version: string, running: Release, risky: ConditionalUpdate | undefined): Target {
  const said = risky?.conditions?.find(({ type }) => type === "Recommended");
  const risks = (risky?.risks ?? []).map(({ name }) => name).join(", ");
  return {
    state: "not found",
    release: running,
    accepted: {
      status: "False",
      reason: "VersionNotFound",
      message:
        risky === undefined
          ? `Version ${version} is neither an available update nor the one that runs; set the image of the release in spec.desiredUpdate.image.`
          : `Version ${version} is offered under risks (${risks}) and not recommended (${said?.reason ?? "not judged yet"}); accept them by name in spec.desiredUpdate.acceptRisks, or set the image of the release in spec.desiredUpdate.image.`,
    },
  };
}
