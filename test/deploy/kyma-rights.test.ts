// R12: a Kyma and its cluster are linked by a Secret alone; whoever makes clusters is nobody that we read.
import assert from "node:assert/strict";
import { it } from "vitest";
import { kyma } from "../../functions/kyma/index.ts";
import { functionGrants } from "../../infra/systems/rbac.ts";

it("no function may read how a cluster was made", () => {
  const groups = kyma.functions.flatMap((declaration) =>
    functionGrants(declaration, undefined).flatMap(({ rules }) =>
      rules.flatMap(({ apiGroups }) => apiGroups),
    ),
  );
  assert.deepEqual([...new Set(groups)].sort(), [
    ...["", "apiextensions.k8s.io", "coordination.k8s.io", "networking.istio.io"],
    ...["operator.kyma-project.io", "reveille.dev"],
  ]);
});
