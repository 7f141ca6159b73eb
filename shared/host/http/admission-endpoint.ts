import { ReveilleError } from "../../errors.ts";
import { AdmissionReview, answeredReview } from "../../kube/admission-review.ts";
import { answerQuestion } from "../../runner/question.ts";
import type { ConfiguredAdmission } from "../configuration.ts";
import { answer, type FetchHandler, HttpError } from "./answer.ts";
import { malformedBy, parseJson, readBody } from "./body.ts";
import { inTime, waitOf } from "./deadline.ts";
import type { QuestionParts } from "./question-parts.ts";
import type { Unproven } from "./unproven.ts";

/** Bytes of a review at most: the object as it was and as it will be. */
const MAXIMUM_REVIEW = 3 * 1_048_576;
/** For so long the API server waits where it does not say. */
const USUAL = 10_000;

/**
 * `POST <path of an admission>`: answers an AdmissionReview of `admission.k8s.io/v1` within the time that the API server waits. Where
 * there is no answer it says so with a 500 and a sentence, which the API server shows to the user who wrote.
 */
export function admissionEndpoint(
  { admission, configuration }: ConfiguredAdmission,
  { client, clock, log, namespaces, unproven }: QuestionParts & { readonly unproven: Unproven },
): FetchHandler {
  return (request) =>
    // Nobody proves to be an API server: what comes may take only so much memory altogether.
    unproven.during(async (take) => {
      const within = waitOf(request, USUAL);
      try {
        const late = new ReveilleError(
          "ADMISSION_LATE",
          `it did not decide within the ${within} ms that are given`,
        );
        const response = await inTime({ request, within, late, clock }, async (signal) => {
          const review = reviewIn(await readBody(request, MAXIMUM_REVIEW, take));
          return answerQuestion(admission, review, { client, configuration, signal, namespaces });
        });
        if (!response.allowed) log.debug({ admission: admission.name, ...response.status }, "denied a write");
        return answer(200, answeredReview(response));
      } catch (thrown) {
        if (thrown instanceof HttpError) throw thrown;
        log.error({ admission: admission.name, err: thrown }, "an admission gave no answer");
        const why = thrown instanceof ReveilleError ? thrown.message : "the log of this server says why";
        return undecided(`${admission.name} cannot decide: ${why}`);
      }
    });
}

/** A 500 in plain text: of such an answer alone the API server shows the text. */
const undecided = (sentence: string): Response =>
  new Response(`${sentence}\n`, {
    status: 500,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });

function reviewIn(body: Uint8Array) {
  const review = AdmissionReview.safeParse(parseJson(body));
  if (review.success) return review.data.request;
  throw malformedBy(review.error);
}
