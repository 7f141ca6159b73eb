import { setTimeout as pause } from "node:timers/promises";
import { messageOf } from "../../../../shared/errors.ts";
import { environmentIdentity } from "../../../../shared/kube/aws/identity.ts";
import { hostOf, signer } from "../../../../shared/kube/aws/signer.ts";
import { type Exchange, exchange, type Limits } from "./exchange.ts";

/** The options of a client of the AWS SDK that the bus on SQS sets. */
export interface ServiceOptions {
  readonly region?: string;
  readonly endpoint?: string;
  readonly requestHandler?: Partial<Limits>;
  readonly useQueueUrlAsEndpoint?: boolean;
}

/** One request of a service: how its input goes onto the wire. */
export interface ServiceCommand {
  readonly method: "POST" | "PUT";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
  /** The address whose server is asked, where the input names it. */
  readonly address?: string | undefined;
}

/** The request of a service that takes every operation at one path. */
export class Operation implements ServiceCommand {
  readonly method = "POST";
  readonly path = "/";
  readonly headers: ServiceCommand["headers"];
  readonly body: object;
  readonly address: string | undefined;
  constructor(target: string, input: object, address?: string) {
    this.headers = { "content-type": "application/x-amz-json-1.0", "x-amz-target": target };
    this.body = input;
    this.address = address;
  }
}

/** A refusal in the service's own words, in the shape of the SDK's errors. */
export class ServiceRefusal extends Error {
  readonly $metadata: { readonly httpStatusCode: number };
  constructor(name: string, message: string, httpStatusCode: number) {
    super(message);
    this.name = name;
    this.$metadata = { httpStatusCode };
  }
}

type Refusals = Readonly<Record<string, typeof ServiceRefusal>>;

/** The number of tries: the SDK makes as many in its standard mode. */
const ATTEMPTS = 3;
const FIRST_PAUSE = 100;
const THROTTLED =
  /^(Throttling|ThrottlingException|ThrottledException|TooManyRequestsException|RequestThrottled|RequestThrottledException|RequestLimitExceeded|ProvisionedThroughputExceededException|TransactionInProgressException|LimitExceededException|SlowDown)$/;

/** A service of AWS that speaks JSON. */
export class JsonService {
  readonly #service: string;
  readonly #options: ServiceOptions;
  readonly #refusals: Refusals;

  /** @param refusals the classes of refusals that callers tell from others, by name */
  constructor(service: string, options: ServiceOptions = {}, refusals: Refusals = {}) {
    this.#service = service;
    this.#options = options;
    this.#refusals = refusals;
  }

  /** Sends a request; what may pass is sent again, as the SDK does. Throws a `ServiceRefusal`, or the connection's error. */
  async send(
    command: ServiceCommand,
    { abortSignal }: { readonly abortSignal?: AbortSignal } = {},
  ): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(command, abortSignal);
      } catch (thrown) {
        if (attempt === ATTEMPTS || abortSignal?.aborted === true || !mayPass(thrown)) throw thrown;
      }
      await pause(Math.random() * FIRST_PAUSE * 2 ** attempt, undefined, { signal: abortSignal });
    }
  }

  destroy(): void {
    // The connections end with the process.
  }

  async #attempt(command: ServiceCommand, signal: AbortSignal | undefined): Promise<unknown> {
    const { region = process.env.AWS_REGION ?? "", endpoint, requestHandler = {} } = this.#options;
    const address = this.#options.useQueueUrlAsEndpoint === true ? command.address : undefined;
    const url = new URL(command.path, endpoint ?? address ?? `https://${hostOf(this.#service, region)}`);
    const body = JSON.stringify(command.body);
    const { headers } = await signer(this.#service, region, environmentIdentity(process.env)).sign({
      method: command.method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      headers: { host: url.host, ...command.headers },
      body,
    });
    const answer = await exchange({ url, method: command.method, headers, body, signal }, requestHandler);
    if (answer.status >= 300) throw refusalOf(answer, this.#refusals);
    return answer.text === "" ? {} : JSON.parse(answer.text);
  }
}

function mayPass(thrown: unknown): boolean {
  if (!(thrown instanceof ServiceRefusal)) return true;
  const { httpStatusCode } = thrown.$metadata;
  return httpStatusCode >= 500 || httpStatusCode === 429 || THROTTLED.test(thrown.name);
}

/** The error of an answer, by the SDK's name for it, which comes as `com.amazonaws…#Name` or `Name:http…`. */
function refusalOf({ status, headers, text }: Exchange, refusals: Refusals): ServiceRefusal {
  let said: { readonly __type?: string; readonly message?: string; readonly Message?: string } = {};
  try {
    said = JSON.parse(text) as typeof said;
  } catch (thrown) {
    // A proxy or a balancer answers in words of its own.
    return new ServiceRefusal("UnknownError", `${messageOf(thrown)}: ${text.slice(0, 300)}`, status);
  }
  const type = String(headers["x-amzn-errortype"] ?? said.__type ?? "UnknownError");
  const name = type.replace(/:.*$/, "").replace(/^.*#/, "");
  const Refusal = refusals[name] ?? ServiceRefusal;
  return new Refusal(name, said.message ?? said.Message ?? name, status);
}
