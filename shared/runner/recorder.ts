import type { Echo } from "../bus/contract.ts";
import type { HistoryReference, RecordedWrite } from "../bus/run-record.ts";
import type { ClusterReference } from "../kube/cluster-names.ts";
import type { UnreadableObjectError } from "../kube/read.ts";
import { subjectIn, subjectParts } from "../kube/subject.ts";

/** The number of reads and writes of one run that the history keeps. */
const MAXIMUM = 200;

/** Collects what one run reads and writes: for the history, for echoes, and to know whether it changed anything. */
export class Recorder {
  readonly reads = new Map<string, HistoryReference>();
  readonly writes: RecordedWrite[] = [];
  readonly echoes: Echo[] = [];
  /**
   * The reads of this pass, lists as `<group>/<kind>/<namespace>/*`: a write then knows whether the decision rests on its object.
   */
  readonly #covered = new Set<string>();
  /** The lists that showed only objects that a label, a name or an owner selects: others may be there. */
  readonly #selected = new Set<string>();
  /** The objects that this pass wrote, and of which the server answered with the state after it. */
  readonly #answered = new Set<string>();
  /** The objects of its lists that this pass could not read, by subject. */
  readonly unread = new Map<string, UnreadableObjectError>();
  changes = 0;
  /** The other clusters that this pass asked for and found there. */
  readonly foundThere = new Set<ClusterReference>();

  /** A new pass decides on what it reads itself. */
  begin(): void {
    this.unread.clear();
    this.foundThere.clear();
    this.#covered.clear();
    this.#selected.clear();
    this.#answered.clear();
  }

  /** True where this pass wrote the object and the server answered with its state. */
  wasAnswered(subject: string): boolean {
    return this.#answered.has(subject);
  }

  read(reference: HistoryReference): void {
    this.#covered.add(reference.subject);
    if (this.reads.size < MAXIMUM) this.reads.set(reference.subject, reference);
  }

  /** @param selected whether the list showed only some of the objects at its place */
  listed(subject: string, selected = false): void {
    (selected ? this.#selected : this.#covered).add(subject);
    if (this.reads.size < MAXIMUM) this.reads.set(subject, { subject });
  }

  /** True where this pass's decision could rest on the object: it was read, or lay within a list. */
  covers(subject: string): boolean {
    return this.tellsAbsent(subject) || placesOf(subject).some((place) => this.#selected.has(place));
  }

  /** True where the object would have been seen if it had been there. */
  tellsAbsent(subject: string): boolean {
    return this.#covered.has(subject) || placesOf(subject).some((place) => this.#covered.has(place));
  }

  /** @param changed whether the server made another version of it: what was sent may have been so already */
  wrote(write: RecordedWrite, echo: boolean, changed = true): void {
    if (write.sent && changed && write.error === undefined) this.changes += 1;
    if (write.sent && write.error === undefined) this.#answered.add(write.subject);
    if (this.writes.length < MAXIMUM) this.writes.push(write);
    if (echo && write.uid !== undefined && write.resourceVersion !== undefined)
      this.echoes.push({ uid: write.uid, resourceVersion: write.resourceVersion });
  }
}

/** The lists that an object lies within. */
const placesOf = (subject: string): readonly string[] => {
  const { cluster, namespace, ...of } = subjectParts(subject);
  return [subjectIn(cluster, of, { namespace, name: "*" }), subjectIn(cluster, of, { name: "*" })];
};
