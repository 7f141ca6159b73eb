import { ArchiveError, type ArchiveLimits, filesOf } from "../../../../../../shared/archive/index.ts";
import type { ChartSource } from "../../contract.ts";
import { ChartError } from "../../errors.ts";
import { ignoring } from "./ignore.ts";

/** The files of a chart by their paths below its folder. */
export type ChartFiles = ReadonlyMap<string, Uint8Array>;

/** The files in what `helm package` made: all lie below one folder, whose name says nothing. @throws ChartError */
export async function unpacked(
  packed: Uint8Array,
  limits: ArchiveLimits,
  name = "the chart",
): Promise<ChartFiles> {
  try {
    const files = new Map<string, Uint8Array>();
    for (const [path, content] of await filesOf(packed, limits)) {
      const at = path.indexOf("/");
      if (at < 0)
        throw new ChartError(
          "CHART_UNREADABLE",
          `${name}: ${path} lies in no folder of the archive: pack the chart with helm package`,
        );
      files.set(path.slice(at + 1), withoutMark(content));
    }
    return files;
  } catch (error) {
    if (error instanceof ArchiveError)
      throw new ChartError("CHART_UNREADABLE", `${name}: ${error.message}`, {}, error);
    throw error;
  }
}

/** The files of a folder without those that its `.helmignore` names, in the order in which helm walks them. */
export function ofFolder(files: ChartFiles): ChartFiles {
  const ignored = ignoring(new TextDecoder().decode(files.get(".helmignore") ?? new Uint8Array()));
  const parts = (path: string): readonly string[] => path.split("/");
  return new Map(
    [...files]
      .filter(([path]) => !ignored(path))
      .sort(([one], [other]) => compareParts(parts(one), parts(other)))
      .map(([path, content]) => [path, withoutMark(content)]),
  );
}

/** The files of a chart wherever they come from. @throws ChartError */
export const filesOfSource = (source: ChartSource, limits: ArchiveLimits): Promise<ChartFiles> =>
  "packed" in source ? unpacked(source.packed, limits) : Promise.resolve(ofFolder(source.files));

function compareParts(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((part, index) => part !== other[index]);
  const [mine = "", theirs = ""] = [one[at], other[at]];
  return mine < theirs ? -1 : mine > theirs ? 1 : one.length - other.length;
}

const MARK = [0xef, 0xbb, 0xbf];
/** The content without the mark of UTF-8 in front, which helm drops too. */
const withoutMark = (content: Uint8Array): Uint8Array =>
  MARK.every((byte, index) => content[index] === byte) ? content.subarray(MARK.length) : content;
