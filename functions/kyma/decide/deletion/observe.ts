import type { ClusterState, Obj, SlotPlace } from "../../../../shared/function/index.ts";
import { whereAdmitted } from "../../../../shared/function/known.ts";
import type { Secret } from "../../../../shared/kube/kinds/index.ts";
import type { Configuration } from "../../configuration.ts";
import {
  type CertificateObject,
  type Kyma,
  LABELS,
  type Manifest,
  type RuntimeDefinition,
  type RuntimeKyma,
  type RuntimeObject,
} from "../../kinds/index.ts";
import { certificateName, describedAt } from "../certificates/index.ts";
import { DEFINITIONS, KYMA_DEFINITION, unlessRefused, whereServed } from "../runtime/index.ts";
import { installedPlaces } from "../webhook/index.ts";
import type { CertificateLeft, DeletionWorld, LeftThere } from "./world.ts";

/** The reads that the deletion of a Kyma needs. */
export interface DeletionReads {
  manifests(): Promise<readonly Obj<typeof Manifest>[]>;
  there(): Promise<ClusterState>;
  kyma(): Promise<Obj<typeof RuntimeKyma> | undefined>;
  definition(name: string): Promise<Obj<typeof RuntimeDefinition> | undefined>;
  object(at: SlotPlace): Promise<Obj<typeof RuntimeObject> | undefined>;
  /** A Secret beside the Kyma. */
  secret(name: string): Promise<Obj<typeof Secret> | undefined>;
  certificate(at: SlotPlace): Promise<Obj<typeof CertificateObject> | undefined>;
}

/** Reads what is left of a Kyma that is being deleted. */
export async function observeDeletion(
  self: Obj<typeof Kyma>,
  { target, watcher }: Pick<Configuration, "target" | "watcher">,
  reads: DeletionReads,
): Promise<DeletionWorld> {
  const [manifests, left, certificate] = await Promise.all([
    reads.manifests(),
    target === "local" ? ({ state: "none" } as const) : leftThere(reads),
    target === "local" ? {} : certificateLeft(self, watcher?.issuer, reads),
  ]);
  return { manifests, left, certificate };
}

async function certificateLeft(
  self: Obj<typeof Kyma>,
  issuer: NonNullable<Configuration["watcher"]>["issuer"] | undefined,
  reads: DeletionReads,
): Promise<CertificateLeft> {
  const [described, secret] = await Promise.all([
    issuer === undefined || issuer === "builtIn"
      ? undefined
      : whereAdmitted(() => reads.certificate(describedAt(self, issuer))),
    reads.secret(certificateName(self.metadata.name)),
  ]);
  return { described: described && "value" in described ? described.value : undefined, secret };
}

async function leftThere(reads: DeletionReads): Promise<LeftThere> {
  const there = await reads.there();
  // Only the server's own word that there is no Secret says that the cluster is gone.
  if (there.state === "no secret") return { state: "none" };
  if (there.state !== "reachable") return { state: "away", there };
  const found = await unlessRefused(() =>
    Promise.all([
      whereServed(reads.kyma),
      Promise.all(
        installedPlaces().map(({ apiVersion, kind, metadata: { name, namespace } }) =>
          reads.object({ apiVersion, kind, name, ...(namespace !== undefined && { namespace }) }),
        ),
      ),
      Promise.all(IN_ORDER.map((name) => reads.definition(name))),
    ]),
  );
  if ("refused" in found) return { state: "refused", there, refused: found.refused };
  const [kyma, program, definitions] = found.read;
  return {
    state: "there",
    cluster: there.cluster,
    kyma,
    program: program.filter((object) => object !== undefined),
    definitions: definitions.flatMap((definition) =>
      definition === undefined || (there.isUnmarked === true && !isCopy(definition)) ? [] : definition,
    ),
  };
}

/** True for a definition that we brought: in a cluster that nobody has marked others may have theirs, with all their objects. */
const isCopy = ({ metadata: { labels } }: Obj<typeof RuntimeDefinition>): boolean =>
  labels[LABELS.managedBy] === "kyma";

/** The definition of Kymas goes when the Kyma has gone. */
const IN_ORDER: readonly string[] = [
  ...DEFINITIONS.filter((name) => name !== KYMA_DEFINITION),
  KYMA_DEFINITION,
];
