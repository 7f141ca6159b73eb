import type * as z from "zod";
import { ReveilleError } from "../../errors.ts";
import type { HookDeclaration } from "../../function/hook-declaration.ts";
import { fieldOf, isRecord } from "../../json/fields.ts";
import type { Log } from "../../log/log.ts";
import { effectErrorOf } from "../../runner/errors.ts";
import { answered, answerHook, HookMemory } from "../../runner/hook.ts";
import type { ConfiguredHook } from "../configuration.ts";
import { answer, type FetchHandler, HttpError } from "./answer.ts";
import { malformed, malformedBy, parseJson, readBody } from "./body.ts";
import { inTime, waitOf } from "./deadline.ts";
import type { QuestionParts } from "./question-parts.ts";
import type { Unproven } from "./unproven.ts";

/** Bytes of a question at most: a few objects. */
const MAXIMUM_QUESTION = 3 * 1_048_576;
/** The seconds after which whoever was not answered asks again. */
const AGAIN_SECONDS = 5;

/**
 * `POST <path of a hook>`: answers within the time that is waited, once what was asked is stored. Where it cannot, it answers as the
 * declaration says (`failed`), else by a 503 with a sentence. Cluster API reads that sentence as a `Failure`, whatever its status.
 */
export function hookEndpoint(
  { hook, configuration }: ConfiguredHook,
  { client, clock, log, namespaces, unproven }: QuestionParts & { readonly unproven: Unproven },
): FetchHandler {
  const memory = new HookMemory();
  const tell = (value: unknown): Response => answer(200, named(hook, value));
  return (request) =>
    // Nobody proves who asks: what comes may take only so much memory altogether.
    unproven.during(async (take) => {
      const within = waitOf(request, hook.timeoutSeconds * 1_000);
      const late = new ReveilleError("HOOK_LATE", `it did not answer within the ${within} ms that are given`);
      let asked: unknown;
      try {
        return await inTime({ request, within, late, clock }, async (signal) => {
          refuseForm(request);
          asked = questionIn(hook, parseJson(await readBody(request, MAXIMUM_QUESTION, take)));
          return tell(
            await answerHook(hook, asked, memory, { client, clock, configuration, signal, namespaces }),
          );
        });
      } catch (thrown) {
        if (thrown instanceof HttpError) return refused(hook, thrown, log);
        log.error({ hook: hook.name, err: thrown }, "a hook could not be answered by what is stored");
        try {
          if (hook.failed !== undefined && asked !== undefined)
            return tell(answered(hook, hook.failed(effectErrorOf(thrown), { request: asked } as never)));
        } catch (second) {
          log.error({ hook: hook.name, err: second }, "a hook cannot say that it failed");
        }
        const why = thrown instanceof ReveilleError ? thrown.message : "the log of this server says why";
        const headers = { "retry-after": String(AGAIN_SECONDS) };
        const message = `${hook.name} cannot answer now: ${why}`;
        return refused(hook, new HttpError("HTTP_UNAVAILABLE", message, { headers }), log);
      }
    });
}

/** Tells Cluster API which hooks there are. */
export function discoveryEndpoint(hooks: readonly HookDeclaration[]): FetchHandler {
  const handlers = hooks.flatMap(({ name, requestHook, timeoutSeconds, failurePolicy }) =>
    requestHook === undefined ? [] : [{ name, requestHook, timeoutSeconds, failurePolicy }],
  );
  return async (request) => {
    await readBody(request, MAXIMUM_DISCOVERY);
    const named = { apiVersion: "hooks.runtime.cluster.x-k8s.io/v1alpha1", kind: "DiscoveryResponse" };
    return answer(200, { ...named, status: "Success", message: "", handlers });
  };
}
const MAXIMUM_DISCOVERY = 65_536;

/** An answer with its type, where Cluster API reads it. */
const named = ({ requestHook }: HookDeclaration, value: unknown): unknown =>
  requestHook === undefined || !isRecord(value)
    ? value
    : { apiVersion: requestHook.apiVersion, kind: `${requestHook.hook}Response`, ...value };

/** Older ones of Cluster API read the body alone, so it must not look like a success. */
function refused(hook: HookDeclaration, error: HttpError, log: Log): Response {
  if (hook.requestHook === undefined) throw error;
  const { status, code, message, headers } = error;
  log.warn({ hook: hook.name, code }, message);
  return answer(status, named(hook, { status: "Failure", message, code }), headers);
}

/** A browser sends forms and text to anybody without asking; JSON it does not. */
function refuseForm(request: Request): void {
  const type = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (type !== "" && type !== "application/json" && !type.endsWith("+json"))
    throw new HttpError("HTTP_MEDIA_TYPE", "Questions come in JSON here: send application/json.");
}

function questionIn({ request, requestHook }: HookDeclaration, body: unknown): z.output<typeof request> {
  for (const [field, wanted] of [
    ["apiVersion", requestHook?.apiVersion],
    ["kind", requestHook && `${requestHook.hook}Request`],
  ] as const) {
    const said = fieldOf(body, field);
    if (wanted !== undefined && said !== undefined && said !== "" && said !== wanted)
      throw malformed([`${field}: expected ${wanted}`]);
  }
  const question = request.safeParse(body);
  if (question.success) return question.data;
  throw malformedBy(question.error);
}
