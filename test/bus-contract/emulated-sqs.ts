import { manualClock, type SettlingClock } from "../../infra/testing/settling-clock.ts";

/** Any client of the AWS SDK. */
export interface ObservedClient {
  readonly middlewareStack: {
    add(
      middleware: <Args extends { readonly input: object }, Answer extends { readonly output: object }>(
        next: (args: Args) => Promise<Answer>,
      ) => (args: Args) => Promise<Answer>,
      options: { readonly step: "initialize" },
    ): void;
  };
}

/** Requests to emulators, and the clock that they and the bus share. */
export class Emulation {
  readonly #follow: (now: number) => void;
  readonly #look = new Set<() => void>();
  #inFlight = 0;
  #happened = 0;
  #clock: SettlingClock | undefined;

  /** @param follow tells the emulators what time it is */
  constructor(follow: (now: number) => void) {
    this.#follow = follow;
  }

  /** A clock that the emulators follow. It stops wherever a delay or a lease of theirs ends. */
  clock(): SettlingClock {
    this.#look.clear();
    const clock = manualClock(undefined, (now) => this.#settle(now));
    const follow = (): void => this.#follow(clock.now());
    this.#clock = {
      now: clock.now,
      after: clock.after,
      sleep: clock.sleep,
      settle: clock.settle,
      advance: async (milliseconds) => {
        await clock.advance(milliseconds);
        follow();
        await clock.settle();
      },
      jump: (milliseconds) => {
        clock.jump(milliseconds);
        follow();
      },
      get alarms() {
        return clock.alarms;
      },
    };
    follow();
    return this.#clock;
  }

  /** Told to look at the queues whenever all is to come to rest. */
  watch(look: () => void): void {
    this.#look.add(look);
  }

  /** Counts a client's requests, and notes when what it sends or takes comes back. */
  observe(client: ObservedClient): void {
    client.middlewareStack.add(
      (next) => async (args) => {
        this.#inFlight += 1;
        try {
          const answer = await next(args);
          const { Messages } = answer.output as { readonly Messages?: readonly unknown[] };
          const { MaxNumberOfMessages } = args.input as { readonly MaxNumberOfMessages?: number };
          if (MaxNumberOfMessages === undefined || (Messages?.length ?? 0) > 0) {
            this.#happened += 1;
            this.#note(args.input);
          }
          return answer;
        } finally {
          this.#inFlight -= 1;
        }
      },
      { step: "initialize" },
    );
  }

  #note(input: object): void {
    const { Entries = [], VisibilityTimeout } = input as {
      readonly Entries?: readonly { readonly DelaySeconds?: number; readonly VisibilityTimeout?: number }[];
      readonly VisibilityTimeout?: number;
    };
    const seconds = [
      VisibilityTimeout,
      ...Entries.flatMap((entry) => [entry.DelaySeconds, entry.VisibilityTimeout]),
    ];
    for (const each of seconds)
      if (each !== undefined && each > 0) this.#clock?.after(each * 1000, () => undefined);
  }

  /** Whoever polls looks until nobody finds anything and nothing is asked or sent any more. */
  async #settle(now: number): Promise<void> {
    this.#follow(now);
    for (;;) {
      const before = this.#happened;
      await this.#rest();
      for (const look of this.#look) look();
      await this.#rest();
      if (this.#happened === before) return;
    }
  }

  async #rest(): Promise<void> {
    for (let quiet = 0; quiet < 4; quiet++) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      if (this.#inFlight > 0) quiet = -1;
    }
  }
}
