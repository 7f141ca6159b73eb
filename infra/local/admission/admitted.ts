import { sameJson } from "../../../shared/json/same-json.ts";
import { staleVersion } from "../api-error.ts";
import { clone } from "../json.ts";
import { type Kernel, load, type WriteRequest } from "../kernel.ts";
import type { ApiObject } from "../resource-type.ts";
import { normalise } from "../rest/admit.ts";
import { mutated, type Question, validated } from "./ask.ts";
import { concerns } from "./match.ts";

/** A write as a function of its request: it is run dry for what webhooks are shown, and for good with what they make of it. */
type Write<T> = (request: WriteRequest) => T & { readonly object: ApiObject };

/** Ends a dry run where its object is what webhooks are shown. */
class Shown extends Error {
  readonly candidate: ApiObject;
  readonly live: ApiObject | undefined;
  constructor(candidate: ApiObject, live: ApiObject | undefined) {
    super("shown to webhooks");
    this.candidate = candidate;
    this.live = live;
  }
}
/** The object has changed since webhooks were asked about it. */
class MovedError extends Error {}

/** An object that changes each time that webhooks have been asked about it so often is given up. */
const ROUNDS = 100;

/**
 * Runs a write with the webhooks that are asked about it. What is stored is written in one step, after all have answered; where the
 * object has moved meanwhile, they are asked anew. Where no webhook matches, nothing is done twice.
 * @param options the options of the request, as webhooks are shown them
 */
export async function admitted<T>(
  kernel: Kernel,
  request: WriteRequest,
  options: Readonly<Record<string, unknown>>,
  run: Write<T>,
): Promise<T> {
  if (!isAsked(kernel, request)) return run(request);
  const made = {};
  for (let round = 0; round < ROUNDS; round++) {
    const warnings: string[] = [];
    const dry = { ...request, made, dryRun: true, warnings: [] };
    const { candidate, live } = shownBy(run, dry);
    const question: Question = {
      type: request.type,
      subresource: request.subresource,
      operation: live === undefined ? "CREATE" : "UPDATE",
      namespace: placeOf(request, candidate),
      object: candidate,
      old: live,
      request: { ...request, warnings },
      options,
    };
    const wanted = (await mutated(kernel, question)) ?? candidate;
    const admit = (object: ApiObject, now: ApiObject | undefined): void => {
      if (versionOf(now) !== versionOf(live)) throw new MovedError();
      if (!sameJson(candidate, wanted)) become(request, object, wanted);
    };
    try {
      if (isAsked(kernel, request, "validating")) {
        const { object } = run({ ...dry, admit });
        await validated(kernel, { ...question, object: clone(object) });
      }
      const done = run({ ...request, made, admit });
      request.warnings.push(...warnings);
      return done;
    } catch (thrown) {
      if (!(thrown instanceof MovedError)) throw thrown;
    }
  }
  throw staleVersion(request.type, "");
}

/** Asks the webhooks about the deletion of an object, then deletes it if it is still the same one. */
export async function admittedDeletion<T>(
  kernel: Kernel,
  request: WriteRequest,
  name: string,
  options: Readonly<Record<string, unknown>>,
  run: () => T,
): Promise<T> {
  if (!isAsked(kernel, request)) return run();
  for (let round = 0; round < ROUNDS; round++) {
    const live = load(kernel, request.type, request.namespace, name);
    // What is not there is for the write to refuse.
    if (live === undefined) return run();
    const question: Question = {
      type: request.type,
      subresource: undefined,
      operation: "DELETE",
      namespace: placeOf(request, live),
      object: undefined,
      old: live,
      request,
      options,
    };
    await mutated(kernel, question);
    await validated(kernel, question);
    if (versionOf(load(kernel, request.type, request.namespace, name)) === versionOf(live)) return run();
  }
  throw staleVersion(request.type, name);
}

const isAsked = (
  { webhooks, registry }: Kernel,
  { type, subresource }: WriteRequest,
  ...sorts: readonly ("mutating" | "validating")[]
): boolean =>
  (sorts.length === 0 ? (["mutating", "validating"] as const) : sorts).some((sort) =>
    webhooks?.hooks.of(sort).some((hook) => concerns(hook, registry, type, subresource)),
  );

function shownBy<T>(run: Write<T>, dry: WriteRequest): Pick<Shown, "candidate" | "live"> {
  try {
    run({
      ...dry,
      admit: (candidate, live) => {
        throw new Shown(clone(candidate), live === undefined ? undefined : clone(live));
      },
    });
  } catch (thrown) {
    if (thrown instanceof Shown) return thrown;
    throw thrown;
  }
  throw new TypeError("a write ended without showing its object");
}

const versionOf = (object: ApiObject | undefined): string =>
  object === undefined ? "" : `${object.metadata.uid} ${object.metadata.resourceVersion}`;

/** A Namespace is in itself. */
const placeOf = ({ type, namespace }: WriteRequest, { metadata }: ApiObject): string =>
  type.group === "" && type.plural === "namespaces"
    ? metadata.name
    : type.namespaced
      ? (namespace ?? "")
      : "";

/** Puts what webhooks made of an object in its place, read as any object that comes. */
function become(request: WriteRequest, object: ApiObject, wanted: ApiObject): void {
  for (const field of Object.keys(object)) delete object[field];
  Object.assign(object, clone(wanted));
  normalise({ ...request, fieldValidation: "Ignore", warnings: [] }, object);
}
