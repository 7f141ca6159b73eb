import type { Results, Wait } from "../../shared/function/index.ts";

/** Where another owns the name of an object that should be made: its going wakes. */
export const waitsFor = (results: Results): readonly Wait[] =>
  results.failed.flatMap(({ effect: { plan }, error }) => {
    if (!TAKEN.has(error.code) || plan.effect !== "apply") return [];
    const { kind, body, owner } = plan;
    const object = {
      apiVersion: kind.group === "" ? kind.version : `${kind.group}/${kind.version}`,
      kind: kind.kind,
      name: body.metadata.name,
      namespace: owner?.metadata.namespace,
    };
    return [{ for: error.message, object }];
  });

const TAKEN: ReadonlySet<string> = new Set(["OWNED_BY_ANOTHER", "OWNED_BY_FORMER"]);
