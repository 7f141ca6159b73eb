import { flag, integer, list, type Message, map, one, text, time } from "./fields.ts";

const ownerReference: Message = {
  1: one("kind", text),
  3: one("name", text),
  4: one("uid", text),
  5: one("apiVersion", text),
  6: one("controller", flag),
  7: one("blockOwnerDeletion", flag),
};

export const objectMeta: Message = {
  1: one("name", text),
  2: one("generateName", text),
  3: one("namespace", text),
  4: one("selfLink", text),
  5: one("uid", text),
  6: one("resourceVersion", text),
  7: one("generation", integer),
  8: one("creationTimestamp", time),
  9: one("deletionTimestamp", time),
  10: one("deletionGracePeriodSeconds", integer),
  11: map("labels", text),
  12: map("annotations", text),
  13: list("ownerReferences", ownerReference),
  14: list("finalizers", text),
};

export const labelSelector: Message = {
  1: map("matchLabels", text),
  2: list("matchExpressions", { 1: one("key", text), 2: one("operator", text), 3: list("values", text) }),
};
