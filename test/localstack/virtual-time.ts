import {
  ChangeMessageVisibilityBatchCommand,
  type Message,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import type { Clock } from "../../shared/clock/clock.ts";

/** Longer than any test takes: what SQS itself would give back meanwhile is given back by the clock before. */
const LONG_SECONDS = 3_600;

type Entry = SendMessageBatchRequestEntry & {
  readonly ReceiptHandle?: string;
  readonly VisibilityTimeout?: number;
};
interface Input {
  readonly QueueUrl?: string;
  readonly Entries?: readonly Entry[];
  readonly VisibilityTimeout?: number;
}
interface Output {
  readonly Messages?: readonly Message[];
}

/**
 * Lets a clock decide when delays and leases of a real queue end: what is delayed is sent only then, and a lease that nobody
 * renewed is given back only then. All else (groups, their locks, batches, deduplication) is the queue's own.
 */
export class VirtualTime {
  readonly #client: SQSClient;
  #clock: Clock | undefined;
  readonly #leases = new Map<string, () => void>();

  constructor(client: SQSClient) {
    this.#client = client;
    client.middlewareStack.add(
      (next, context) => async (args) => {
        const { commandName } = context as { readonly commandName?: string };
        const input = args.input as Input;
        switch (commandName) {
          case "SendMessageBatchCommand":
            return this.#hold(input, (Entries) =>
              next({ ...args, input: { ...input, Entries } as typeof args.input }),
            );
          case "ReceiveMessageCommand": {
            const answer = await next({
              ...args,
              input: { ...input, VisibilityTimeout: LONG_SECONDS } as typeof args.input,
            });
            for (const { ReceiptHandle } of (answer.output as Output).Messages ?? [])
              this.#lease(input.QueueUrl ?? "", ReceiptHandle ?? "", input.VisibilityTimeout ?? 30);
            return answer;
          }
          case "ChangeMessageVisibilityBatchCommand":
            return this.#renew(input, () => next(args));
          case "DeleteMessageBatchCommand":
            for (const { ReceiptHandle } of input.Entries ?? []) this.#end(ReceiptHandle ?? "");
            return next(args);
          default:
            return next(args);
        }
      },
      // Inside of what counts requests.
      { step: "initialize", priority: "low" },
    );
  }

  /** From now on this clock decides. */
  follow(clock: Clock): void {
    for (const cancel of this.#leases.values()) cancel();
    this.#leases.clear();
    this.#clock = clock;
  }

  async #hold<Answer extends { output: object }>(
    { Entries = [], QueueUrl }: Input,
    send: (entries: readonly Entry[]) => Promise<Answer>,
  ): Promise<Answer> {
    const now = Entries.filter(({ DelaySeconds = 0 }) => DelaySeconds === 0);
    for (const { DelaySeconds = 0, ...entry } of Entries)
      if (DelaySeconds > 0)
        this.#clock?.after(DelaySeconds * 1000, () => {
          void this.#client.send(new SendMessageBatchCommand({ QueueUrl, Entries: [entry] }));
        });
    return now.length > 0
      ? send(now)
      : ({ output: { $metadata: {}, Successful: [], Failed: [] }, response: {} } as unknown as Answer);
  }

  #lease(QueueUrl: string, ReceiptHandle: string, seconds: number): void {
    this.#end(ReceiptHandle);
    const cancel = this.#clock?.after(seconds * 1000, () => {
      this.#leases.delete(ReceiptHandle);
      const Entries = [{ Id: "0", ReceiptHandle, VisibilityTimeout: 0 }];
      void this.#client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries }));
    });
    if (cancel !== undefined) this.#leases.set(ReceiptHandle, cancel);
  }

  async #renew<Answer extends { output: object }>(
    { Entries = [], QueueUrl = "" }: Input,
    send: () => Promise<Answer>,
  ): Promise<Answer> {
    const given = Entries.filter(({ VisibilityTimeout = 0 }) => VisibilityTimeout === 0);
    for (const { ReceiptHandle = "" } of given) this.#end(ReceiptHandle);
    if (given.length > 0) return send();
    const lost = Entries.filter(({ ReceiptHandle = "" }) => !this.#leases.has(ReceiptHandle));
    for (const { ReceiptHandle = "", VisibilityTimeout = 0 } of Entries)
      if (this.#leases.has(ReceiptHandle)) this.#lease(QueueUrl, ReceiptHandle, VisibilityTimeout);
    const Failed = lost.map(({ Id }) => ({ Id, SenderFault: true, Code: "MessageNotInflight" }));
    return { output: { $metadata: {}, Successful: [], Failed }, response: {} } as unknown as Answer;
  }

  #end(receipt: string): void {
    this.#leases.get(receipt)?.();
    this.#leases.delete(receipt);
  }
}
