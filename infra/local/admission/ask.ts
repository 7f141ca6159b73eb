import { randomUUID } from "node:crypto";
import { messageOf } from "../../../shared/errors.ts";
import { sameJson } from "../../../shared/json/same-json.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { ApiError, badRequest, internalError } from "../api-error.ts";
import { clone, isObject } from "../json.ts";
import { apiVersionOfType, type Kernel, type WriteRequest } from "../kernel.ts";
import { jsonPatch } from "../patch/json-patch.ts";
import type { ApiObject, ResourceType } from "../resource-type.ts";
import { keyOf } from "../store/store.ts";
import { CallFailedError } from "./call.ts";
import { conditionsHold } from "./conditions.ts";
import type { Hook } from "./hooks.ts";
import { type Attributes, matchOf } from "./match.ts";

/** A write that webhooks are asked about. */
export interface Question extends Attributes {
  readonly request: WriteRequest;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Asks all mutating webhooks that match, one after the other. Returns the object with their changes. Throws where one denies. */
export async function mutated(kernel: Kernel, question: Question): Promise<ApiObject | undefined> {
  let object = question.object;
  const asked: { readonly hook: Hook; readonly saw: ApiObject | undefined }[] = [];
  for (const hook of kernel.webhooks?.hooks.of("mutating") ?? []) {
    const saw = await askOne(kernel, { ...question, object }, hook);
    if (saw === undefined) continue;
    object = saw.object;
    asked.push({ hook, saw: object });
  }
  // Once more, as the real server does, where a later one changed what it saw.
  for (const { hook, saw } of asked)
    if (hook.reinvocationPolicy === "IfNeeded" && !sameJson(saw, object))
      object = (await askOne(kernel, { ...question, object }, hook))?.object ?? object;
  return object;
}

/** Asks all validating webhooks that match, at once. Throws where one denies: what the first of them says. */
export async function validated(kernel: Kernel, question: Question): Promise<void> {
  const hooks = kernel.webhooks?.hooks.of("validating") ?? [];
  const answers = await Promise.allSettled(hooks.map((hook) => askOne(kernel, question, hook)));
  const refused = answers.find((one) => one.status === "rejected");
  if (refused !== undefined) throw refused.reason;
}

/** The object after a webhook; undefined where it is not asked, or not answered and ignored. */
async function askOne(
  kernel: Kernel,
  question: Question,
  hook: Hook,
): Promise<{ readonly object: ApiObject | undefined } | undefined> {
  const { webhooks, registry, store, log } = kernel;
  const type = matchOf(hook, registry, question, (name) => {
    const text = store.get("/namespaces", keyOf(undefined, name));
    return text === undefined ? undefined : ((JSON.parse(text) as KubeObject).metadata.labels ?? {});
  });
  if (webhooks === undefined || type === undefined) return undefined;
  const { warnings, dryRun } = question.request;
  const review = reviewOf(question, type);
  try {
    if (!conditionsHold(hook, review)) return undefined;
    if (dryRun && hook.sideEffects !== "None" && hook.sideEffects !== "NoneOnDryRun")
      throw badRequest(`admission webhook ${JSON.stringify(hook.name)} does not support dry run`);
    const answer = await webhooks.caller.ask(hook, review);
    warnings.push(...answer.warnings);
    if (!answer.allowed) throw denial(hook, answer.status ?? {});
    if (answer.patch === undefined || !isObject(review.object)) return { object: question.object };
    return { object: patched(question, review.object as ApiObject, answer.patch) };
  } catch (thrown) {
    if (thrown instanceof ApiError) throw thrown;
    if (hook.failurePolicy === "Ignore" && thrown instanceof CallFailedError) {
      log.warn({ webhook: hook.name, reason: thrown.message }, "a webhook gave no answer, and is ignored");
      return undefined;
    }
    throw internalError(messageOf(thrown));
  }
}

/** Another version of a kind is another spelling of the same fields. */
const inVersion = (object: ApiObject | undefined, type: ResourceType): ApiObject | null =>
  object === undefined ? null : { ...clone(object), apiVersion: apiVersionOfType(type) };

function patched({ type, object }: Question, shown: ApiObject, patch: unknown): ApiObject {
  let result: unknown;
  try {
    result = jsonPatch(shown, patch);
  } catch (thrown) {
    throw internalError(messageOf(thrown));
  }
  if (!isObject(result) || !isObject(result.metadata))
    throw internalError("the patch of a webhook leaves no object");
  return { ...(result as ApiObject), apiVersion: object?.apiVersion ?? apiVersionOfType(type) };
}

function reviewOf(
  { type, subresource, operation, namespace, object, old, request, options }: Question,
  shown: ResourceType,
): Readonly<Record<string, unknown>> {
  const kindOf = ({ group, version, kind }: ResourceType): object => ({ group, version, kind });
  const resourceOf = ({ group, version, plural }: ResourceType): object => ({
    group,
    version,
    resource: plural,
  });
  const name = (object ?? old)?.metadata.name;
  const { username, uid, groups, extra } = request.user;
  const sub = subresource === undefined ? {} : { subResource: subresource, requestSubResource: subresource };
  return {
    uid: randomUUID(),
    kind: kindOf(shown),
    resource: resourceOf(shown),
    requestKind: kindOf(type),
    requestResource: resourceOf(type),
    ...sub,
    ...(name === undefined || name === "" ? {} : { name }),
    ...(namespace === "" ? {} : { namespace }),
    operation,
    userInfo: {
      username,
      ...(uid === undefined ? {} : { uid }),
      groups,
      ...(extra === undefined ? {} : { extra }),
    },
    object: inVersion(object, shown),
    oldObject: inVersion(old, shown),
    dryRun: request.dryRun,
    // A patch is shown as what it comes to.
    options: { kind: OPTIONS[operation], ...options },
  };
}
const OPTIONS = { CREATE: "CreateOptions", UPDATE: "UpdateOptions", DELETE: "DeleteOptions" } as const;

/** The refusal of a webhook, as the real server passes it on. */
function denial({ name }: Hook, status: Readonly<Record<string, unknown>>): ApiError {
  const by = `admission webhook ${JSON.stringify(name)} denied the request`;
  const text = (field: string): string => (typeof status[field] === "string" ? status[field] : "");
  const said = text("message") || text("reason");
  const code = typeof status.code === "number" && status.code >= 400 ? status.code : 400;
  return new ApiError(
    code,
    text("reason") || undefined,
    said === "" ? `${by} without explanation` : `${by}: ${said}`,
    isObject(status.details) ? { details: status.details } : {},
  );
}
