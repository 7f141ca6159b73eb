// Stands in a Lambda's bundle for @aws-sdk/client-scheduler: the requests of distant timers, by the same names.
import { randomUUID } from "node:crypto";
import { JsonService, type ServiceCommand, type ServiceOptions, ServiceRefusal } from "./service.ts";

export class ConflictException extends ServiceRefusal {}

export class SchedulerClient extends JsonService {
  constructor(options?: ServiceOptions) {
    super("scheduler", options, { ConflictException });
  }
}

const schedule = (method: ServiceCommand["method"]) =>
  class implements ServiceCommand {
    readonly method = method;
    readonly path: string;
    readonly headers = { "content-type": "application/json" };
    readonly body: object;
    constructor({ Name, ...schedule }: { readonly Name: string }) {
      this.path = `/schedules/${encodeURIComponent(Name)}`;
      // Made once, so that AWS knows a request again that is sent a second time.
      this.body = { ClientToken: randomUUID(), ...schedule };
    }
  };

export const CreateScheduleCommand = schedule("POST");
export const UpdateScheduleCommand = schedule("PUT");
