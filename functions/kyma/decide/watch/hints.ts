import type { Kind } from "../../../../shared/function/index.ts";
import { CustomResourceDefinition } from "../../../../shared/kube/kinds/index.ts";
import { Kyma, ModuleReleaseMeta, ModuleTemplate, type WatchedObject } from "../../kinds/index.ts";
import { ofRuntime } from "./runtime.ts";

/** The word of a runtime on a change. */
interface Hint {
  readonly runtimeId: string;
  readonly watched?: WatchedObject | undefined;
}

/** True for an object of one of these kinds. Where nobody says what changed, it may have been one. */
const mayBe = ({ watched }: Hint, kinds: readonly Kind[]): boolean =>
  watched === undefined ||
  watched.kind === "" ||
  kinds.some(({ group, kind }) => group === watched.group && kind === watched.kind);

/** True for a definition of another group than ours. All definitions may be deleted at once, without a name. */
const isOthersDefinition = ({ watched }: Hint): boolean =>
  watched?.kind === CustomResourceDefinition.kind &&
  watched.name !== "" &&
  !watched.name.endsWith(`.${Kyma.group}`);

/** The Kyma whose runtime tells of what it gets besides modules: its own Kyma, and our definitions. */
export const ofRuntimeItself = (hint: Hint) =>
  mayBe(hint, [Kyma, CustomResourceDefinition]) && !isOthersDefinition(hint) ? ofRuntime(hint) : undefined;

/** The Kyma whose runtime tells of copies of the catalog. */
export const ofRuntimeCatalog = (hint: Hint) =>
  mayBe(hint, [ModuleReleaseMeta, ModuleTemplate]) ? ofRuntime(hint) : undefined;
