import type { RenderedDocument } from "../../contract.ts";
import { printedDocuments } from "../output/documents.ts";

const SOURCE = /^# Source: (.+)$/;

/** The documents that `helm template` prints: each part names its file, but for further documents of a file in `crds/`. */
export function documentsInOutput(output: string): readonly RenderedDocument[] {
  const documents: RenderedDocument[] = [];
  let source = "";
  for (const part of `\n${output}`.split("\n---")) {
    const text = part.trim();
    const [first = ""] = text.split("\n", 1);
    source = SOURCE.exec(first)?.[1] ?? source;
    documents.push(...printedDocuments(source, text));
  }
  return documents;
}
