import * as z from "zod";
import type { BeatingTrigger, BeatNews, Notice } from "../../../../shared/function/index.ts";
import { runtimeAlive, runtimeChanged, runtimeId, runtimeSilent } from "../../kinds/index.ts";
import { CONTRACT } from "../../ports/runtime-watcher/index.ts";

/** Bytes of an event at most. */
const MAXIMUM_BODY = 16_384;

/** Seconds between two signs of life at most. */
const LONGEST_BEAT = 3_600;

const text = z.string().max(256);
/** The words of a runtime. All of it is a hint, so all of it may be missing. */
const told = z.object({
  watched: z.object({ Namespace: text.default(""), Name: text.default("") }).optional(),
  watchedGvk: z
    .object({ group: text.default(""), version: text.default(""), kind: text.default("") })
    .optional(),
  /** Names the delivery, the same when it is sent again. Absent: whoever sends never sends one twice. */
  delivery: z.string().min(1).max(100).optional(),
  /** Nothing changed, it is only there. */
  beat: z
    .object({
      number: z.int().min(1),
      after: z.int().min(0),
      seconds: z.number().min(1).max(LONGEST_BEAT),
    })
    .optional(),
});

/**
 * Events of runtimes, `POST /v2/<manager>/event`: whose they are, the certificate says and nothing else. The answer is the same whether a runtime is
 * known here or not.
 */
export const listener: BeatingTrigger = {
  name: "kyma-runtimes",
  path: "/:contract/:manager/event",
  proof: "certificate",
  maximumBody: MAXIMUM_BODY,
  // As the listener of before answers.
  noJson: 500,
  read({ commonName, path: { contract, manager }, body, id }) {
    const issues = [
      ...(contract === CONTRACT ? [] : [`(path): the version of the contract is ${CONTRACT}`]),
      ...(manager ? [] : ["(path): name whoever is told, as /v2/lifecycle-manager/event"]),
      ...(runtimeId.safeParse(commonName).success ? [] : ["(certificate): its common name is too long"]),
    ];
    if (issues.length > 0) return { issues };
    const parsed = told.safeParse(body);
    if (!parsed.success)
      return {
        issues: parsed.error.issues.map(({ path, message }) => `${path.join(".") || "(body)"}: ${message}`),
      };
    const { watched, watchedGvk, delivery = id, beat } = parsed.data;
    if (beat !== undefined) return { beat };
    const object = watched &&
      watchedGvk && { ...watchedGvk, namespace: watched.Namespace, name: watched.Name };
    const data = { runtimeId: commonName, delivery, ...(object && { watched: object }) };
    return { notices: [noticeOf(runtimeChanged, data)] };
  },
  beats({ state, sender, heard, host }: BeatNews) {
    // What did not arrive may have been more than signs of life. Several hosts that notice it at about one time cause one look.
    if (state === "missed")
      return noticeOf(runtimeChanged, {
        runtimeId: sender,
        delivery: `missed ${Math.floor(Date.parse(heard) / LOOK)}`,
      });
    return noticeOf(state === "alive" ? runtimeAlive : runtimeSilent, { runtimeId: sender, heard, host });
  },
};

const LOOK = 5 * 60_000;

function noticeOf<P extends { readonly runtimeId: string }>(
  { id, idOf }: { readonly id: string; readonly idOf: (payload: never) => string },
  data: P,
): Notice {
  return {
    at: undefined,
    event: { id: idOf(data as never), type: id, subject: `runtime/${data.runtimeId}`, data },
  };
}
