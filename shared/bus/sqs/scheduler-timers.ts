import {
  ConflictException,
  CreateScheduleCommand,
  type CreateScheduleCommandInput,
  type SchedulerClient,
  UpdateScheduleCommand,
} from "@aws-sdk/client-scheduler";
import type { DistantTimer, DistantTimers } from "./distant-timers.ts";
import type { SqsOptions } from "./options.ts";

/** `at(2026-01-15T10:00:00)`: whole seconds, in UTC. */
const expressionOf = (at: number): string =>
  `at(${new Date(Math.ceil(at / 1000) * 1000).toISOString().slice(0, 19)})`;

/** Distant timers as one-time schedules of EventBridge Scheduler, which remove themselves when they have fired. */
export class SchedulerTimers implements DistantTimers {
  readonly #client: SchedulerClient;
  readonly #options: NonNullable<SqsOptions["scheduler"]>;

  constructor(client: SchedulerClient, options: NonNullable<SqsOptions["scheduler"]>) {
    this.#client = client;
    this.#options = options;
  }

  async set({ name, at, body }: DistantTimer): Promise<void> {
    const { group, role, queue } = this.#options;
    const schedule: CreateScheduleCommandInput = {
      Name: name,
      GroupName: group,
      ScheduleExpression: expressionOf(at),
      ScheduleExpressionTimezone: "UTC",
      FlexibleTimeWindow: { Mode: "OFF" },
      ActionAfterCompletion: "DELETE",
      Target: { Arn: queue, RoleArn: role, Input: body },
    };
    try {
      await this.#client.send(new CreateScheduleCommand(schedule));
    } catch (thrown) {
      if (!(thrown instanceof ConflictException)) throw thrown;
      await this.#client.send(new UpdateScheduleCommand(schedule));
    }
  }
}
