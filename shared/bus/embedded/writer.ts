import type { MemoryLine } from "../memory.ts";
import type { RecordedEvent } from "../run-record.ts";
import type { LoadedKey } from "./key-table.ts";
import type { Letter } from "./refused-table.ts";
import type { TimerChange } from "./timers.ts";

/** A key as a transaction leaves it so far. */
export interface ChangedKey {
  readonly key: LoadedKey;
  /** The time of the change, in milliseconds since the epoch. */
  readonly at: number;
}

/** One attempt at a transaction. What hangs on it is forgotten with it when it fails. */
export class Transaction {
  /** Done once everything is durable, in order. */
  readonly afterCommit: (() => void)[] = [];
  /** Leases that end in it: their places may be taken by others at once. */
  readonly ended = new Set<object>();
  /** The keys that it changes, as they are now, by name. */
  readonly keys = new Map<string, ChangedKey>();
  /** The timers that it changes, as they are now, by name. */
  readonly timers = new Map<string, TimerChange>();
  /** The events that it keeps as refused, by id; undefined where it forgets one. */
  readonly refused = new Map<string, Letter | undefined>();
  /** The events that the history tells with it. */
  readonly events: { readonly event: RecordedEvent; readonly at: number }[] = [];
  /** The lines of memories that stand with it. */
  readonly lines: MemoryLine[] = [];
  /** The number of items that it takes, and whether one of them must run alone. */
  taken = 0;
  takesSuspect = false;
  /** True where an item became ready, so that consumers should look. */
  madeReady = false;
  /** True where items became ready that are not among `keys`. */
  ripened = false;
  /** True where something became due earlier or later, so that the alarm is set anew. */
  movedDue = false;
  /** True where it counts only if the reserve of the file is whole beside it. */
  leavesReserve = false;

  get changes(): boolean {
    return (
      this.keys.size > 0 ||
      this.timers.size > 0 ||
      this.refused.size > 0 ||
      this.lines.length > 0 ||
      this.leavesReserve
    );
  }
}

interface Operation {
  readonly body: (transaction: Transaction) => void;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** The most operations that share one transaction, so that one commit does not hold up the event loop for long. */
const GROUP = 256;
/** The number of promises that may settle in a row before the group is written: operations of one tick share one transaction. */
const HOPS = 3;

/**
 * The one writer of a bus. Operations that arrive in the same tick share a transaction (group commit); if it fails, each is tried
 * in one of its own, so that none fails for another's sake. A body may therefore run more than once: it changes only its transaction.
 */
export class Writer {
  readonly #commit: (transaction: Transaction) => void;
  readonly #beforeCommit: (transaction: Transaction) => void;
  readonly #failed: (thrown: unknown) => void;
  #queue: Operation[] = [];
  #scheduled = false;

  /**
   * @param beforeCommit runs inside each transaction, after its operations
   * @param commit makes a transaction durable, or throws and nothing of it stands
   * @param failed told of each operation that failed, before its promise is rejected
   */
  constructor(
    beforeCommit: (transaction: Transaction) => void,
    commit: (transaction: Transaction) => void,
    failed: (thrown: unknown) => void,
  ) {
    this.#commit = commit;
    this.#beforeCommit = beforeCommit;
    this.#failed = failed;
  }

  /** Resolves when what `body` wrote is durable. */
  submit<T>(body: (transaction: Transaction) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let result: { readonly value: T } | undefined;
      this.#queue.push({
        body: (transaction) => {
          result = { value: body(transaction) };
        },
        resolve: () => {
          if (result !== undefined) resolve(result.value);
        },
        reject,
      });
      this.#schedule();
    });
  }

  /** Writes at once what waits to be written. */
  flush(): void {
    while (this.#queue.length > 0) this.#writeGroup();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    let hops = HOPS;
    const hop = (): void => {
      if (hops-- > 0) {
        queueMicrotask(hop);
        return;
      }
      this.#scheduled = false;
      this.#writeGroup();
      if (this.#queue.length > 0 && !this.#scheduled) {
        this.#scheduled = true;
        setImmediate(hop);
      }
    };
    queueMicrotask(hop);
  }

  #writeGroup(): void {
    const group = this.#queue.splice(0, GROUP);
    if (group.length === 0) return;
    try {
      this.#write(group);
      return;
    } catch (thrown) {
      if (group.length === 1) this.#refuse(group, thrown);
    }
    if (group.length === 1) return;
    for (const operation of group) {
      try {
        this.#write([operation]);
      } catch (thrown) {
        this.#refuse([operation], thrown);
      }
    }
  }

  #write(group: readonly Operation[]): void {
    const transaction = new Transaction();
    for (const operation of group) operation.body(transaction);
    this.#beforeCommit(transaction);
    this.#commit(transaction);
    for (const operation of group) operation.resolve();
    for (const callback of transaction.afterCommit) callback();
  }

  #refuse(group: readonly Operation[], thrown: unknown): void {
    this.#failed(thrown);
    for (const operation of group) operation.reject(thrown);
  }
}
