import { documentsOf } from "../../../../../shared/manifests/documents.ts";
import { objectOf } from "../../../../../shared/manifests/object-of.ts";
import { quoted } from "../../definition/index.ts";
import { present, successorOf } from "../../served/index.ts";

/** The warnings about API versions that Kubernetes has dropped, of what a template renders to. */
export const apiVersionWarnings = (template: string, text: string): readonly string[] => [
  ...new Set(
    documentsOf(text).documents.flatMap(({ value }) => {
      const object = objectOf(value);
      const successor = typeof object === "string" ? undefined : successorOf(object);
      if (typeof object === "string" || successor === undefined) return [];
      const { apiVersion, gone } = successor;
      const of = `template ${quoted(template)} holds a ${object.kind} of ${object.apiVersion}, which Kubernetes dropped in ${gone}`;
      const now = present(object);
      if (apiVersion === undefined || now === undefined)
        return [`${of}: nothing has taken its place, so a plan that applies it fails there`];
      return "homeless" in now
        ? [`${of}: ${apiVersion} has no place for ${now.homeless}, so a plan that applies it fails there`]
        : [`${of}: it is applied as ${apiVersion} there`];
    }),
  ),
];
