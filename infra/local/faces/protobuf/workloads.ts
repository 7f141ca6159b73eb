import {
  flag,
  inline,
  integer,
  intOrString,
  list,
  type Message,
  map,
  one,
  quantity,
  text,
} from "./fields.ts";
import { labelSelector, objectMeta } from "./metadata.ts";

const keySelector: Message = {
  1: inline({ 1: one("name", text) }),
  2: one("key", text),
  3: one("optional", flag),
};
const envSource: Message = { 1: inline({ 1: one("name", text) }), 2: one("optional", flag) };

/** The parts of a container that `kubectl create` writes. */
const container: Message = {
  1: one("name", text),
  2: one("image", text),
  3: list("command", text),
  4: list("args", text),
  5: one("workingDir", text),
  6: list("ports", {
    1: one("name", text),
    2: one("hostPort", integer),
    3: one("containerPort", integer),
    4: one("protocol", text),
    5: one("hostIP", text),
  }),
  7: list("env", {
    1: one("name", text),
    2: one("value", text),
    3: one("valueFrom", {
      1: one("fieldRef", { 1: one("apiVersion", text), 2: one("fieldPath", text) }),
      3: one("configMapKeyRef", keySelector),
      4: one("secretKeyRef", keySelector),
    }),
  }),
  8: one("resources", { 1: map("limits", quantity), 2: map("requests", quantity) }),
  9: list("volumeMounts", {
    1: one("name", text),
    2: one("readOnly", flag),
    3: one("mountPath", text),
    4: one("subPath", text),
  }),
  13: one("terminationMessagePath", text),
  14: one("imagePullPolicy", text),
  16: one("stdin", flag),
  17: one("stdinOnce", flag),
  18: one("tty", flag),
  19: list("envFrom", {
    1: one("prefix", text),
    2: one("configMapRef", envSource),
    3: one("secretRef", envSource),
  }),
  20: one("terminationMessagePolicy", text),
};

const podSpec: Message = {
  2: list("containers", container),
  3: one("restartPolicy", text),
  4: one("terminationGracePeriodSeconds", integer),
  5: one("activeDeadlineSeconds", integer),
  6: one("dnsPolicy", text),
  7: map("nodeSelector", text),
  8: one("serviceAccountName", text),
  9: one("serviceAccount", text),
  10: one("nodeName", text),
  11: one("hostNetwork", flag),
  12: one("hostPID", flag),
  13: one("hostIPC", flag),
  14: one("securityContext", {}),
  15: list("imagePullSecrets", { 1: one("name", text) }),
  16: one("hostname", text),
  17: one("subdomain", text),
  19: one("schedulerName", text),
  20: list("initContainers", container),
  21: one("automountServiceAccountToken", flag),
  24: one("priorityClassName", text),
  25: one("priority", integer),
  27: one("shareProcessNamespace", flag),
};

const podTemplate: Message = { 1: one("metadata", objectMeta), 2: one("spec", podSpec) };

const jobSpec: Message = {
  1: one("parallelism", integer),
  2: one("completions", integer),
  3: one("activeDeadlineSeconds", integer),
  4: one("selector", labelSelector),
  5: one("manualSelector", flag),
  6: one("template", podTemplate),
  7: one("backoffLimit", integer),
  8: one("ttlSecondsAfterFinished", integer),
  9: one("completionMode", text),
  10: one("suspend", flag),
  14: one("podReplacementPolicy", text),
};

/** `apiVersion/Kind` → message, of apps/v1 and batch/v1. */
export const workloadMessages: Readonly<Record<string, Message>> = {
  "apps/v1/Deployment": {
    1: one("metadata", objectMeta),
    2: one("spec", {
      1: one("replicas", integer),
      2: one("selector", labelSelector),
      3: one("template", podTemplate),
      4: one("strategy", {
        1: one("type", text),
        2: one("rollingUpdate", { 1: one("maxUnavailable", intOrString), 2: one("maxSurge", intOrString) }),
      }),
      5: one("minReadySeconds", integer),
      6: one("revisionHistoryLimit", integer),
      7: one("paused", flag),
      9: one("progressDeadlineSeconds", integer),
    }),
    3: one("status", () => undefined),
  },
  "batch/v1/Job": {
    1: one("metadata", objectMeta),
    2: one("spec", jobSpec),
    3: one("status", () => undefined),
  },
  "batch/v1/CronJob": {
    1: one("metadata", objectMeta),
    2: one("spec", {
      1: one("schedule", text),
      2: one("startingDeadlineSeconds", integer),
      3: one("concurrencyPolicy", text),
      4: one("suspend", flag),
      5: one("jobTemplate", { 1: one("metadata", objectMeta), 2: one("spec", jobSpec) }),
      6: one("successfulJobsHistoryLimit", integer),
      7: one("failedJobsHistoryLimit", integer),
      8: one("timeZone", text),
    }),
    3: one("status", () => undefined),
  },
};
