import type { Envelope } from "../../../events/index.ts";
import { timeOf } from "../../../shared/clock/time.ts";
import type { Standing } from "../../../shared/kube/client/index.ts";
import {
  type ClusterReference,
  connectionKind,
  connectionObject,
} from "../../../shared/kube/cluster-names.ts";
import { subjectIn } from "../../../shared/kube/subject.ts";

/** The event that tells the state of the connection to one of other clusters. `id`: each of them is another one. */
export function connectionEvent(of: {
  readonly home: string;
  readonly reference: ClusterReference;
  readonly standing: Standing;
  readonly now: number;
  readonly id: string;
}): Envelope {
  const { home, reference, standing, now, id } = of;
  const { name } = connectionObject(reference);
  return {
    specversion: "1.0",
    id,
    type: standing.state === "reachable" ? "dependency.ready" : "dependency.lost",
    source: `/clusters/${home}`,
    subject: subjectIn(undefined, connectionKind, { name }),
    time: timeOf(now),
    datacontenttype: "application/json",
    data: {
      ref: { cluster: home, ...connectionKind, name, uid: "" },
      era: 0,
      resourceVersion: "",
      lane: "urgent",
      facts: { state: standing.state },
      seen: [],
      incomplete: false,
    },
  };
}
