import { whereKnown } from "../../../shared/function/known.ts";
import type { SimulationTools } from "../../../shared/function/simulation.ts";
import { fieldOf, fieldsOf, listOf, textOf } from "../../../shared/json/fields.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { conditionsAfter, no, yes } from "./conditions.ts";
import { EXTENSION_CONFIGS, PLAYER } from "./resources.ts";

const API_VERSION = "hooks.runtime.cluster.x-k8s.io/v1alpha1";
const TIMEOUT_SECONDS = 10;

/** The answer of all who were asked: go on, or ask again after a while. */
export type Answer =
  | { readonly state: "go" }
  | { readonly state: "wait"; readonly seconds: number; readonly message: string };

interface Handler {
  readonly config: KubeObject;
  /** Its name without that of its ExtensionConfig. */
  readonly name: string;
  readonly timeoutSeconds: number;
  readonly mayFail: boolean;
}

/** An ExtensionConfig whose handlers nobody knows yet, or a handler that failed: nothing goes on until that is mended. */
export class ExtensionError extends Error {}

/** The extensions of Cluster API: found by their ExtensionConfigs, asked as Cluster API asks them. */
export class Extensions {
  readonly #tools: Pick<SimulationTools, "client" | "clock" | "post">;
  readonly #since: number;

  /** @param graceMilliseconds for so long nobody is thought not to be there who may still come */
  constructor(tools: Pick<SimulationTools, "client" | "clock" | "post">, graceMilliseconds: number) {
    this.#tools = tools;
    this.#since = tools.clock.now() + graceMilliseconds;
  }

  /** Asks which hooks an ExtensionConfig answers, and stores that in its status. */
  async discover(name: string): Promise<void> {
    const { client } = this.#tools;
    const config = await client.get(EXTENSION_CONFIGS, { name });
    if (config === undefined) return;
    let told: Readonly<Record<string, unknown>>;
    try {
      const request = { apiVersion: API_VERSION, kind: "DiscoveryRequest" };
      told = fieldsOf(await this.#post(config, "discovery", request, TIMEOUT_SECONDS));
      if (told.status !== "Success") throw new ExtensionError(textOf(told.message) || "it gave no answer");
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      await this.#store(config, [], no("Discovered", "DiscoveryFailed", message));
      throw error;
    }
    const handlers = listOf(told.handlers).map((one) => ({
      ...fieldsOf(one),
      name: `${textOf(fieldOf(one, "name"))}.${name}`,
    }));
    await this.#store(config, handlers, yes("Discovered"));
  }

  async #store(
    { metadata, status }: KubeObject,
    handlers: readonly unknown[],
    discovered: ReturnType<typeof yes>,
  ): Promise<void> {
    const { client, clock } = this.#tools;
    const now = new Date(clock.now()).toISOString().replace(/\.\d+Z$/, "Z");
    const conditions = conditionsAfter(fieldOf(status, "conditions"), [discovered], now);
    const wanted = { handlers, conditions };
    const { handlers: before = [], conditions: former = [] } = fieldsOf(status);
    if (JSON.stringify([before, former]) === JSON.stringify([handlers, conditions])) return;
    await client.patch(
      EXTENSION_CONFIGS,
      { name: metadata.name },
      "merge",
      { status: wanted },
      {
        fieldManager: PLAYER,
        subresource: "status",
      },
    );
  }

  /** Asks all who answer a hook. @throws ExtensionError where one of them fails, or is not known yet */
  async ask(hook: string, question: Readonly<Record<string, unknown>>): Promise<Answer> {
    const items = await whereKnown(async () => (await this.#tools.client.list(EXTENSION_CONFIGS)).items);
    const unknown = items.find(({ status }) => listOf(fieldOf(status, "handlers")).length === 0);
    if (unknown !== undefined)
      throw new ExtensionError(`the handlers of ExtensionConfig ${unknown.metadata.name} are not known yet`);
    if (items.length === 0 && this.#tools.clock.now() < this.#since)
      throw new ExtensionError("no ExtensionConfig is there yet");
    let answer: Answer = { state: "go" };
    for (const handler of items.flatMap((config) => handlersOf(config, hook))) {
      const one = await this.#askOne(handler, hook, question);
      if (one.state === "wait" && (answer.state === "go" || one.seconds < answer.seconds)) answer = one;
    }
    return answer;
  }

  async #askOne(
    { config, name, timeoutSeconds, mayFail }: Handler,
    hook: string,
    question: Readonly<Record<string, unknown>>,
  ): Promise<Answer> {
    const request = { apiVersion: API_VERSION, kind: `${hook}Request`, settings: {}, ...question };
    try {
      const said = fieldsOf(
        await this.#post(config, `${hook.toLowerCase()}/${name}`, request, timeoutSeconds),
      );
      const message = textOf(said.message);
      if (said.status !== "Success") throw new ExtensionError(message || `${hook} gave no answer`);
      const { retryAfterSeconds: seconds } = said;
      return typeof seconds === "number" && seconds > 0
        ? { state: "wait", seconds, message }
        : { state: "go" };
    } catch (error) {
      if (mayFail) return { state: "go" };
      throw error;
    }
  }

  #post({ spec }: KubeObject, path: string, body: object, timeoutSeconds: number): Promise<unknown> {
    const { url, caBundle } = fieldsOf(fieldOf(spec, "clientConfig"));
    if (typeof url !== "string")
      throw new ExtensionError("an ExtensionConfig without a url cannot be asked from here");
    return this.#tools.post(`${url}/${API_VERSION}/${path}?timeout=${timeoutSeconds}s`, body, {
      ...(typeof caBundle === "string" && { authorities: Buffer.from(caBundle, "base64").toString() }),
      timeoutMilliseconds: timeoutSeconds * 1000,
    });
  }
}

function handlersOf(config: KubeObject, hook: string): readonly Handler[] {
  const suffix = `.${config.metadata.name}`;
  return listOf(fieldOf(config.status, "handlers")).flatMap((one) => {
    const { name, requestHook, timeoutSeconds, failurePolicy } = fieldsOf(one);
    if (fieldOf(requestHook, "hook") !== hook) return [];
    return [
      {
        config,
        name: textOf(name).replace(new RegExp(`${suffix.replaceAll(".", "\\.")}$`), ""),
        timeoutSeconds: typeof timeoutSeconds === "number" ? timeoutSeconds : TIMEOUT_SECONDS,
        mayFail: failurePolicy === "Ignore",
      },
    ];
  });
}
