import { definitionStrategy } from "./crd/strategy.ts";
import { definitionsResource, type Lifecycles } from "./registry.ts";
import { namespaceStrategy } from "./rest/namespaces.ts";
import { podStrategy } from "./rest/pods.ts";

/** The kinds whose life the server itself looks after, whoever declares their schema. */
export const lifecycles: Lifecycles = (registry) => ({
  namespaces: namespaceStrategy,
  pods: podStrategy,
  [definitionsResource]: definitionStrategy(registry),
});
