import type { Clock } from "../../clock/clock.ts";
import { messageOf, ReveilleError } from "../../errors.ts";
import { AdmissionReview, answeredReview } from "../../kube/admission-review.ts";
import type { KubeClient } from "../../kube/client.ts";
import type { Log } from "../../log/log.ts";
import { answerQuestion } from "../../runner/question.ts";
import type { ConfiguredAdmission } from "../configuration.ts";
import { answer, type FetchHandler, HttpError } from "./answer.ts";
import { malformed, parseJson, readBody } from "./body.ts";
import type { Unproven } from "./unproven.ts";

export interface AdmissionEndpointParts {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  /** Absent: the whole cluster. */
  readonly namespaces?: readonly string[] | undefined;
}

/** The one name of the query: for how long the API server waits, as Go spells it. */
export const TIMEOUT = "timeout";
/** Bytes of a review at most: the object as it was and as it will be. */
const MAXIMUM_REVIEW = 3 * 1_048_576;
/** For so long the API server waits where it does not say. */
const USUAL = 10_000;
/** The answer takes its way too. */
const SPARE = 250;

/**
 * `POST <path of an admission>`: answers an AdmissionReview of `admission.k8s.io/v1` within the time that the API server waits. Where
 * there is no answer it says so with a 500 and a sentence, which the API server shows to the user who wrote.
 */
export function admissionEndpoint(
  { admission, configuration }: ConfiguredAdmission,
  { client, clock, log, namespaces, unproven }: AdmissionEndpointParts & { readonly unproven: Unproven },
): FetchHandler {
  return (request) =>
    // Nobody proves to be an API server: what comes may take only so much memory altogether.
    unproven.during(async (take) => {
      const within = waitOf(new URL(request.url).searchParams.get(TIMEOUT));
      const late = new AbortController();
      const cancel = clock.after(Math.max(within - SPARE, within / 2), () =>
        late.abort(
          new ReveilleError("ADMISSION_LATE", `it did not decide within the ${within} ms that are given`),
        ),
      );
      const signal = AbortSignal.any([request.signal, late.signal]);
      try {
        const review = reviewIn(await readBody(request, MAXIMUM_REVIEW, take));
        const decided = answerQuestion(admission, review, { client, configuration, signal, namespaces });
        const response = await Promise.race([decided, rejection(signal)]);
        if (!response.allowed) log.debug({ admission: admission.name, ...response.status }, "denied a write");
        return answer(200, answeredReview(response));
      } catch (thrown) {
        if (thrown instanceof HttpError) throw thrown;
        log.error({ admission: admission.name, err: thrown }, "an admission gave no answer");
        const why = thrown instanceof ReveilleError ? thrown.message : "the log of this server says why";
        return undecided(`${admission.name} cannot decide: ${why}`);
      } finally {
        cancel();
      }
    });
}

/** A 500 in plain text: of such an answer alone the API server shows the text. */
const undecided = (sentence: string): Response =>
  new Response(`${sentence}\n`, {
    status: 500,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = (): void => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

function waitOf(text: string | null): number {
  const [, count, unit = ""] = /^(\d{1,6})(ms|s|m)$/.exec(text ?? "") ?? [];
  return count === undefined ? USUAL : Math.max(Number(count) * (UNITS[unit] ?? 1), 1);
}

function reviewIn(body: Uint8Array) {
  const review = AdmissionReview.safeParse(parseJson(body));
  if (review.success) return review.data.request;
  throw malformed(
    review.error.issues.slice(0, 10).map(({ path, message }) => `${path.join(".") || "(top)"}: ${message}`),
    new Error(messageOf(review.error)),
  );
}
