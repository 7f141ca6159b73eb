import type { Results, Wait } from "../../shared/function/index.ts";

/** Where another owns the name of an object that should be made: its going wakes. */
export const waitsFor = (results: Results): readonly Wait[] =>
  results.failed.flatMap(({ effect: { plan }, error }) => {
    if (error.code !== "OWNED_BY_ANOTHER" || plan.effect !== "apply") return [];
    const { kind, body, owner } = plan;
    const object = {
      apiVersion: kind.group === "" ? kind.version : `${kind.group}/${kind.version}`,
      kind: kind.kind,
      name: body.metadata.name,
      namespace: owner?.metadata.namespace,
    };
    return [{ for: error.message, object }];
  });
