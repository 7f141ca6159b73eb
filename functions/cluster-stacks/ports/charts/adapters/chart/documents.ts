import { isRecord } from "../../../../../../shared/json/fields.ts";
import { documentsOf } from "../../../../../../shared/manifests/documents.ts";
import { ChartError, type ChartErrorCode } from "../../errors.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The map that a file of a chart holds; an empty one where it holds nothing. @throws ChartError */
export function fieldsIn(
  file: string,
  content: Uint8Array,
  code: ChartErrorCode = "CHART_UNREADABLE",
): Fields {
  const { documents, faults } = documentsOf(new TextDecoder().decode(content));
  const [fault] = faults;
  if (fault !== undefined) throw new ChartError(code, `${file}: ${fault.message}`, { file });
  // Several documents of one file of values go one over the other.
  return documents.reduce<Fields>((before, { value }) => {
    if (!isRecord(value)) throw new ChartError(code, `${file}: it holds no map`, { file });
    return documents.length === 1 ? value : merged(before, value);
  }, {});
}

const merged = (one: Fields, other: Fields): Fields => ({
  ...one,
  ...Object.fromEntries(
    Object.entries(other).map(([key, value]) => {
      const there = one[key];
      return [key, isRecord(there) && isRecord(value) ? merged(there, value) : value];
    }),
  ),
});
