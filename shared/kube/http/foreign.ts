import { isRecord } from "../../json/fields.ts";
import { KubeError } from "../errors.ts";
import type { KubeObject } from "../object.ts";

/** True for what may be an object or a list of Kubernetes: whoever asked knows its kind. A proxy before an API server answers anything in JSON, and with 200. */
export const isObject = (value: unknown): value is KubeObject => isRecord(value) && isRecord(value.metadata);

/** The error for a success that no API server gives: nothing may be concluded from what it lacks. */
export const foreignAnswer = (request: string, what: string): KubeError =>
  new KubeError(
    "unavailable",
    `${request}: the answer is JSON and ${what} of Kubernetes: is this the address of an API server?`,
    { request, code: "KUBE_NOT_JSON" },
  );
