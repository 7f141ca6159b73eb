import * as z from "zod";
import type { CertifiedTrigger, Notice } from "../../../../shared/function/index.ts";
import { runtimeBeat, runtimeChanged, runtimeId } from "../../kinds/index.ts";
import { CONTRACT } from "../../ports/runtime-watcher/index.ts";

/** Bytes of an event at most. */
const MAXIMUM_BODY = 16_384;

const text = z.string().max(256);
/** The words of a runtime. All of it is a hint, so all of it may be missing. */
const told = z.object({
  watched: z.object({ Namespace: text.default(""), Name: text.default("") }).optional(),
  watchedGvk: z
    .object({ group: text.default(""), version: text.default(""), kind: text.default("") })
    .optional(),
  /** Names the delivery, the same when it is sent again. Absent: whoever sends never sends one twice. */
  delivery: z.string().min(1).max(100).optional(),
  /** True: nothing changed, it is only there. */
  beat: z.boolean().optional(),
});

/**
 * Events of runtimes, `POST /v2/<manager>/event`: whose they are, the certificate says and nothing else. The answer is the same whether a runtime is
 * known here or not.
 */
export const listener: CertifiedTrigger = {
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
    if (beat === true) return { notices: [noticeOf(runtimeBeat, { runtimeId: commonName, delivery })] };
    const object = watched &&
      watchedGvk && { ...watchedGvk, namespace: watched.Namespace, name: watched.Name };
    const data = { runtimeId: commonName, delivery, ...(object && { watched: object }) };
    return { notices: [noticeOf(runtimeChanged, data)] };
  },
};

function noticeOf<P extends { readonly runtimeId: string }>(
  { id, idOf }: { readonly id: string; readonly idOf: (payload: never) => string },
  data: P,
): Notice {
  return {
    at: undefined,
    event: { id: idOf(data as never), type: id, subject: `runtime/${data.runtimeId}`, data },
  };
}
