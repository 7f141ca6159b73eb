import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import { BusError } from "../errors.ts";
import type { Health } from "./health.ts";
import { bodyOf, type Delivery, groupOf, type TimerMessage, type WorkMessage } from "./message.ts";
import { type SqsOptions, workQueueOf } from "./options.ts";

/** The number of messages that one request carries. */
const BATCH = 10;
/** The number of bytes of one request: SQS counts those of all its messages together, and some endpoints stop at 256 KiB. */
const BATCH_BYTES = 250_000;
/** The number of times that the failed part of a batch is sent again before the whole fails. */
const TRIES = 4;
/** No message can be delayed for longer: 15 minutes. */
export const MAXIMUM_DELAY_SECONDS = 900;

/** A message for a work queue, with the id under which SQS knows it again for five minutes. */
export interface Outgoing {
  readonly work: WorkMessage;
  readonly deduplicationId: string;
}
export interface Delayed {
  readonly message: TimerMessage;
  readonly delaySeconds: number;
}

interface Entry {
  readonly MessageBody: string;
  readonly MessageGroupId?: string;
  readonly MessageDeduplicationId?: string;
  readonly DelaySeconds?: number;
}
interface Refusal {
  readonly Id: string | undefined;
  readonly SenderFault: boolean | undefined;
  readonly Code: string | undefined;
  readonly Message?: string | undefined;
}

/** The number of messages in a queue, as SQS estimates it. */
export interface Depth {
  readonly waiting: number;
  readonly running: number;
}

/** Batches that SQS takes; what is too large for one with others goes alone. */
function* batchesBySize(entries: readonly Entry[]): Generator<readonly Entry[]> {
  let batch: Entry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const size = Buffer.byteLength(entry.MessageBody);
    if (batch.length === BATCH || (batch.length > 0 && bytes + size > BATCH_BYTES)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(entry);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

function* batchesOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += BATCH) yield all.slice(start, start + BATCH);
}

/** The queues of one installation. Every call throws a `BusError` where AWS does not answer or refuses. */
export class Queues {
  readonly #client: SQSClient;
  readonly #options: SqsOptions;
  readonly #health: Health;

  constructor(client: SQSClient, options: SqsOptions, health: Health) {
    this.#client = client;
    this.#options = options;
    this.#health = health;
  }

  get timers(): string {
    return this.#options.timerQueue;
  }

  /** The address of a function's work queue. */
  of(name: string): string {
    return workQueueOf(this.#options, name);
  }

  /** Resolves when all are durable. */
  async send(messages: readonly Outgoing[]): Promise<void> {
    const byQueue = Map.groupBy(messages, ({ work }) => this.of(work.function));
    await Promise.all(
      [...byQueue].map(async ([url, all]) => {
        // One batch after the other, so that the order within a group stays.
        const entries = all.map(({ work, deduplicationId }) => ({
          MessageBody: bodyOf(work),
          MessageGroupId: groupOf(work),
          MessageDeduplicationId: deduplicationId,
        }));
        for (const batch of batchesBySize(entries)) await this.#sendBatch(url, batch);
      }),
    );
  }

  /** Resolves when all are durable on the timer queue. */
  async delay(messages: readonly Delayed[]): Promise<void> {
    const entries = messages.map(({ message, delaySeconds }) => ({
      MessageBody: bodyOf(message),
      DelaySeconds: Math.min(MAXIMUM_DELAY_SECONDS, Math.max(0, delaySeconds)),
    }));
    for (const batch of batchesBySize(entries)) await this.#sendBatch(this.timers, batch);
  }

  /** Takes up to ten messages; waits for them as long as `waitSeconds` says. */
  async receive(
    url: string,
    options: {
      readonly most: number;
      readonly waitSeconds: number;
      readonly leaseSeconds: number;
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<readonly Delivery[]> {
    const command = new ReceiveMessageCommand({
      QueueUrl: url,
      MaxNumberOfMessages: Math.min(BATCH, options.most),
      WaitTimeSeconds: options.waitSeconds,
      VisibilityTimeout: options.leaseSeconds,
      MessageSystemAttributeNames: ["ApproximateReceiveCount"],
    });
    const { signal } = options;
    const { Messages = [] } = await this.#health.call("hand out messages", () =>
      this.#client.send(command, signal === undefined ? {} : { abortSignal: signal }),
    );
    return Messages.flatMap(({ MessageId, ReceiptHandle, Body, Attributes }) =>
      MessageId === undefined || ReceiptHandle === undefined
        ? []
        : {
            id: MessageId,
            receipt: ReceiptHandle,
            body: Body ?? "",
            receives: Number(Attributes?.ApproximateReceiveCount ?? 1),
          },
    );
  }

  async acknowledge(url: string, deliveries: readonly Delivery[]): Promise<void> {
    for (const batch of batchesOf(deliveries))
      await this.#again("forget a message", batch, async (part) => {
        const Entries = part.map(({ receipt }, index) => ({ Id: String(index), ReceiptHandle: receipt }));
        return (await this.#client.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries }))).Failed;
      });
  }

  /** Keeps messages out of others' reach for so long from now; 0 gives them back. False where one is no longer ours. */
  async hold(url: string, deliveries: readonly Delivery[], seconds: number): Promise<boolean> {
    for (const batch of batchesOf(deliveries)) {
      const Entries = batch.map(({ receipt }, index) => ({
        Id: String(index),
        ReceiptHandle: receipt,
        VisibilityTimeout: seconds,
      }));
      const { Failed = [] } = await this.#health.call("keep messages", () =>
        this.#client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: url, Entries })),
      );
      if (Failed.some(({ SenderFault }) => SenderFault === true)) return false;
      const [failed] = Failed;
      if (failed !== undefined)
        throw new BusError(
          "BUS_UNREACHABLE",
          `SQS did not keep a message (${failed.Code}); it is tried again.`,
        );
    }
    return true;
  }

  async depth(url: string): Promise<Depth> {
    const { Attributes = {} } = await this.#health.call("tell a queue's length", () =>
      this.#client.send(
        new GetQueueAttributesCommand({
          QueueUrl: url,
          AttributeNames: ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"],
        }),
      ),
    );
    const { ApproximateNumberOfMessages: waiting, ApproximateNumberOfMessagesNotVisible: running } =
      Attributes;
    return { waiting: Number(waiting ?? 0), running: Number(running ?? 0) };
  }

  #sendBatch(url: string, entries: readonly Entry[]): Promise<void> {
    return this.#again("take messages", entries, async (part) => {
      const Entries = part.map((entry, index) => ({ Id: String(index), ...entry }));
      return (await this.#client.send(new SendMessageBatchCommand({ QueueUrl: url, Entries }))).Failed;
    });
  }

  /** A batch may fail in part: that part is sent again, from the first one that failed on so that groups keep their order. */
  async #again<T>(
    what: string,
    all: readonly T[],
    send: (part: readonly T[]) => Promise<readonly Refusal[] | undefined>,
  ): Promise<void> {
    let left = all;
    for (let tries = 1; left.length > 0; tries++) {
      const refused = (await this.#health.call(what, () => send(left))) ?? [];
      const [first] = refused;
      if (first === undefined) return;
      if (tries === TRIES || refused.some(({ SenderFault }) => SenderFault === true))
        throw new BusError(
          first.SenderFault === true ? "BUS_MISCONFIGURED" : "BUS_UNREACHABLE",
          `SQS did not ${what} (${first.Code}: ${first.Message}); check the queue and the role's rights.`,
        );
      left = left.slice(Math.min(...refused.map(({ Id }) => Number(Id))));
    }
  }
}
