import type { AnyObject, Obj, SlotPlace } from "../../../../shared/function/index.ts";
import type { ClassObject, ClusterStackRelease, ProviderObject, Resource } from "../../kinds/index.ts";
import type { Opening } from "../../ports/releases/index.ts";
import type { Recorded } from "../apply/index.ts";
import type { AssetFault } from "../assets/fault.ts";
import type { Assets } from "../assets/index.ts";
import type { ReleaseName } from "../names/index.ts";
import type { Rendered } from "../render/index.ts";
import type { SecretPlace } from "../source/index.ts";
import type { User } from "../usage/index.ts";

/** The provider's object for a release. */
export type Provider =
  | { readonly state: "none" }
  | { readonly state: "missing"; readonly place: SlotPlace }
  /** It can never be read: the configuration does not admit its kind, or the reference names nothing. */
  | { readonly state: "refused"; readonly message: string }
  | { readonly state: "found"; readonly place: SlotPlace; readonly object: Obj<typeof ProviderObject> };

/** An entry of the record, and the object that stands there. */
export interface RecordedObject extends Recorded<Obj<typeof ClassObject>> {
  readonly resource: Resource;
  /** Another release that brings the same object, and stays. */
  readonly heir?: Pick<Obj<typeof ClusterStackRelease>, "metadata"> | undefined;
}

/** All that a decision about a release rests on. */
export interface ReleaseWorld {
  /** Undefined: its name is no tag. */
  readonly name: ReleaseName | undefined;
  /** Read for a deletion alone. */
  readonly users: readonly User[];
  /** Undefined where the source was not asked: nothing is applied any more. */
  readonly opening: Opening | undefined;
  /** The Secret that the source was asked with, where that gave no release. */
  readonly secret?: SecretPlace | undefined;
  /** The assets, or their faults; undefined where there are none. */
  readonly assets: Assets | undefined;
  readonly faults: readonly AssetFault[];
  readonly provider: Provider;
  /** Undefined as long as the provider is not ready. */
  readonly rendered: Rendered | undefined;
  /** The objects that are to be made anew, as they stand. */
  readonly recreated: readonly RecordedObject[];
  /** Read for a deletion alone. */
  readonly recorded: readonly RecordedObject[];
}

/** True where Clusters may have their images: the provider says so, or there is none. */
export const isProviderReady = (provider: Provider): boolean =>
  provider.state === "none" ||
  (provider.state === "found" &&
    isReady(provider.object) &&
    provider.object.metadata.deletionTimestamp === undefined);
const isReady = ({ status }: AnyObject): boolean =>
  typeof status === "object" && status !== null && "ready" in status && status.ready === true;
