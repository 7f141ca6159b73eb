import type { Envelope } from "../../../events/index.ts";
import { timeOf } from "../../../shared/clock/time.ts";
import type { Standing } from "../../../shared/kube/client/index.ts";
import {
  type ClusterReference,
  type ConnectionNews,
  connectionTelling,
} from "../../../shared/kube/cluster-names.ts";
import { subjectIn } from "../../../shared/kube/subject.ts";

/**
 * The event that tells the state of the connection to one of other clusters.
 *
 * @param of.tells whom it tells it: those who wait for the connection, or for its loss. Default: those who found it otherwise
 * @param of.id each of them is another one
 */
export function connectionEvent(of: {
  readonly home: string;
  readonly reference: ClusterReference;
  readonly standing: Standing;
  readonly tells?: ConnectionNews | undefined;
  readonly now: number;
  readonly id: string;
}): Envelope {
  const { home, reference, standing, now, id } = of;
  const isThere = standing.state === "reachable";
  const tells = of.tells ?? (isThere ? "connection" : "loss");
  const object = connectionTelling(reference, tells);
  return {
    specversion: "1.0",
    id,
    type: isThere ? "dependency.ready" : "dependency.lost",
    source: `/clusters/${home}`,
    subject: subjectIn(undefined, object, { name: object.name }),
    time: timeOf(now),
    datacontenttype: "application/json",
    data: {
      ref: { cluster: home, ...object, uid: "" },
      era: 0,
      resourceVersion: "",
      // The keys of a lost cluster can only say so: what users do in others goes before that.
      lane: tells === "loss" ? "sweep" : "urgent",
      facts: { state: standing.state },
      seen: [],
      incomplete: false,
    },
  };
}
