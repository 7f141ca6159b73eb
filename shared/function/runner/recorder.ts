import type { Echo } from "../../bus/contract.ts";
import type { HistoryReference, RecordedWrite } from "../../bus/run-record.ts";

/** How many reads and writes of one run the history keeps. */
const MAXIMUM = 200;

/** Collects what one run reads and writes: for the history, for echoes, and to know whether it changed anything. */
export class Recorder {
  readonly reads = new Map<string, HistoryReference>();
  readonly writes: RecordedWrite[] = [];
  readonly echoes: Echo[] = [];
  /** What this pass read, lists as `<group>/<kind>/<namespace>/*`: a write then knows whether the decision rests on its object. */
  readonly #covered = new Set<string>();
  changes = 0;

  /** A new pass decides on what it reads itself. */
  begin(): void {
    this.#covered.clear();
  }

  read(reference: HistoryReference): void {
    this.#covered.add(reference.subject);
    if (this.reads.size < MAXIMUM) this.reads.set(reference.subject, reference);
  }

  listed(subject: string): void {
    this.read({ subject });
  }

  /** Whether this pass's decision could rest on the object: it was read, or lay within a list. */
  covers(subject: string): boolean {
    if (this.#covered.has(subject)) return true;
    const [group, kind, namespace] = subject.split("/");
    return this.#covered.has(`${group}/${kind}/${namespace}/*`) || this.#covered.has(`${group}/${kind}//*`);
  }

  wrote(write: RecordedWrite, echo: boolean): void {
    if (write.sent && write.error === undefined) this.changes += 1;
    if (this.writes.length < MAXIMUM) this.writes.push(write);
    if (echo && write.uid !== undefined && write.resourceVersion !== undefined)
      this.echoes.push({ uid: write.uid, resourceVersion: write.resourceVersion });
  }
}
