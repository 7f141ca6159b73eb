import { isDeepStrictEqual } from "node:util";
import { each, on, patch, released, timeOf } from "../../shared/function/index.ts";
import { updatesConfiguration } from "./decide/release/configuration.ts";
import { isTheClusterVersion } from "./decide/release/the-cluster-version.ts";
import {
  offersNow,
  storedOffers,
  storedPart,
  updatesStatus,
} from "./decide/release/updates/available-status.ts";
import { fingerprintOf, questionOf } from "./decide/release/updates/graph-query.ts";
import { changesOffers } from "./decide/release/updates/release-origins.ts";
import { failureVerdict, retrievalOf } from "./decide/release/updates/retrieve.ts";
import { exposuresOf } from "./decide/release/updates/risk-exposure.ts";
import { reconcileInterval } from "./decide/sync/intervals.ts";
import { ClusterVersion } from "./kinds/index.ts";
import { updateGraph } from "./ports/update-graph/index.ts";
import { setCondition } from "./status/index.ts";

/**
 * The annotation that names the question which the lists in the status answer: without it nobody could tell whether they may
 * stand while the service is away.
 */
const ASKED = "reveille.dev/updates-asked";

/** Looks at its own pace, and when one is published, for the releases that the cluster may move to (4.11). */
export const availableUpdates = each(ClusterVersion, {
  status: ["availableUpdates", "conditionalUpdates", "conditions.RetrievedUpdates"],
}).function({
  name: "cluster-version-updates",
  config: updatesConfiguration,
  uses: [updateGraph],
  wakes: [on(released).toEach<typeof ClusterVersion>(changesOffers)],
  writes: [ClusterVersion],
  verbs: { ClusterVersion: ["get", "list", "patch"] },
  observe: async ({ self, use, config, news }) => {
    const question = questionOf(self, config);
    const asks = question.state === "ask" && isTheClusterVersion(self);
    const answer = asks ? await use(updateGraph).fetch(question.query, news) : undefined;
    const retrieval = retrievalOf(question, answer);
    const offers = retrieval.state === "offers" ? retrieval.offers.conditional : storedOffers(self.status);
    return {
      asked: question.state === "ask" ? fingerprintOf(question.query) : "",
      retrieval,
      exposures: await exposuresOf(asks ? offers : [], (promql) => use(updateGraph).evaluate(promql)),
    };
  },
  reconcile: ({ self, asked, retrieval, exposures }, { now }) => {
    if (!isTheClusterVersion(self)) return {};
    if (self.status?.desired === undefined)
      return { waitingFor: [{ for: "the release that the cluster runs" }] };
    const sameQuestion = (self.metadata.annotations[ASKED] ?? "") === asked;
    const offers = offersNow(retrieval, self.status, { sameQuestion, now });
    const acceptedRisks = new Set(self.spec.desiredUpdate?.acceptRisks?.map(({ name }) => name));
    const status = updatesStatus({ retrieval, offers, exposures, acceptedRisks }, self.status, now);
    // The question is noted once its answer stands: noted before, old lists would pass for the answer after a crash.
    const stands = isDeepStrictEqual(status, storedPart(self.status));
    return {
      ...(stands &&
        !sameQuestion && {
          effects: patch(ClusterVersion, self, { annotations: { [ASKED]: asked || null } }),
        }),
      status,
      again: !stands && !sameQuestion,
      wakeAt: { poll: timeOf(Date.parse(now) + reconcileInterval(self.metadata.uid)) },
    };
  },
  failed: ({ self }, { message }, { now }) => {
    // Before there is a status with the rest of what the schema requires, the server would refuse this part.
    if (self.status?.desired === undefined) return undefined;
    const stored = storedPart(self.status);
    const said = { type: "RetrievedUpdates", ...failureVerdict(message) } as const;
    return { ...stored, conditions: [...setCondition(stored.conditions, said, now)] };
  },
});
