import { fieldsOf, isRecord, textOf } from "../../../../../../shared/json/fields.ts";
import { documentsOf } from "../../../../../../shared/manifests/documents.ts";
import type { Hook, RenderedDocument } from "../../contract.ts";
import { ChartError } from "../../errors.ts";

/** The parts of a rendered text as helm takes it apart: at lines that begin with three dashes, whatever stands behind them. */
const partsOf = (text: string): readonly string[] =>
  `\n${text.trim()}`.split("\n---").map((part) => part.trim());

const HOOK = "helm.sh/hook";
const WEIGHT = "helm.sh/hook-weight";
const DELETE_POLICY = "helm.sh/hook-delete-policy";
const EVENTS = new Set([
  ..."pre-install post-install pre-delete post-delete pre-upgrade post-upgrade pre-rollback".split(" "),
  ..."post-rollback test test-success".split(" "),
]);

const listed = (text: string): readonly string[] => text.split(",").map((one) => one.trim().toLowerCase());

function hookOf(annotations: Readonly<Record<string, unknown>>, events: string): Hook {
  const weight = textOf(annotations[WEIGHT]);
  const policies = annotations[DELETE_POLICY];
  return {
    events: listed(events),
    weight: /^[-+]?\d{1,15}$/.test(weight) ? Number(weight) : 0,
    deletePolicies: typeof policies === "string" ? listed(policies) : [],
  };
}

/** The documents that a file of a chart has printed. A hook of a life that helm does not know is left out. @throws ChartError */
export function printedDocuments(source: string, text: string): readonly RenderedDocument[] {
  return partsOf(text)
    .flatMap((part) => objectsIn(source, part))
    .flatMap((object) => {
      const annotations = fieldsOf(fieldsOf(object.metadata).annotations);
      const events = annotations[HOOK];
      if (typeof events !== "string") return [{ source, object }];
      const hook = hookOf(annotations, events);
      return hook.events.every((event) => EVENTS.has(event)) ? [{ source, object, hook }] : [];
    });
}

function objectsIn(source: string, text: string): readonly Readonly<Record<string, unknown>>[] {
  const { documents, faults } = documentsOf(text);
  const [fault] = faults;
  if (fault !== undefined)
    throw new ChartError("CHART_OUTPUT_INVALID", `${source} prints no YAML: ${fault.message}`, {
      file: source,
    });
  return documents.map(({ value }) => {
    if (!isRecord(value))
      throw new ChartError("CHART_OUTPUT_INVALID", `${source} prints a document that is no object`, {
        file: source,
      });
    return value;
  });
}
