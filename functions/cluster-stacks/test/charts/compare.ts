import type { ChartSource, Charts, RenderedDocument, RenderRequest } from "../../ports/charts/index.ts";
import { ChartError } from "../../ports/charts/index.ts";

/** The end of a rendering, in a form that two renderings of one chart share. */
export type Ending =
  | { readonly documents: readonly unknown[] }
  | { readonly error: string; readonly file: string | undefined; readonly line: number | undefined };

const PEM = /-----BEGIN ([A-Z ]+)-----[\s\S]+?-----END \1-----\n?/g;
const BASE64 = /^[A-Za-z0-9+/]{60,}={0,2}$/;
/** Base64 of PEM. */
const ENCODED = /LS0tLS1CRUdJTi[A-Za-z0-9+/]{40,}={0,2}/g;

function maskedText(text: string, masks: readonly RegExp[]): string {
  const decoded = text.replace(ENCODED, (found) =>
    Buffer.from(found, "base64")
      .toString()
      .replace(PEM, "a $1")
      .replace(/^-----BEGIN ([A-Z ]+)-----[\s\S]*/, "a $1"),
  );
  const whole = BASE64.test(decoded) ? Buffer.from(decoded, "base64").toString() : decoded;
  return masks.reduce((masked, pattern) => masked.replace(pattern, "…"), whole.replace(PEM, "a $1"));
}

/** Keys in order, and what is new each time made the same. */
function masked(value: unknown, masks: readonly RegExp[]): unknown {
  if (typeof value === "string") return maskedText(value, masks);
  if (Array.isArray(value)) return value.map((item) => masked(item, masks));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, item]) => [key, masked(item, masks)]),
  );
}

/** Texts of twelve random letters. */
const RANDOM = /^"[A-Za-z0-9]{12}"$/g;

const shown = ({ source, object, hook }: RenderedDocument): unknown =>
  masked({ source, object, hook }, [RANDOM]);

/** The ending of a rendering. */
export async function endingOf(charts: Charts, source: ChartSource, request: RenderRequest): Promise<Ending> {
  try {
    const { documents } = await charts.render(source, request);
    return { documents: documents.map(shown) };
  } catch (error) {
    if (!(error instanceof ChartError)) throw error;
    return { error: error.code, file: error.file, line: error.line };
  }
}
