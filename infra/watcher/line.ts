/** The object and version that a line tells of. */
export interface ToldVersion {
  readonly uid: string;
  readonly resourceVersion: string;
}

const MODIFIED = '{"type":"MODIFIED",';
const VERSION = '"resourceVersion":"';
const UID = '"uid":"';

/**
 * The object and version of a line that tells of a change, without parsing it; undefined where only the parsed line tells. A text
 * in an object cannot look like a field, since its quotes are escaped; but a label, or any field of a custom resource, may be called
 * like one of these: then there is more than one.
 */
export function versionIn(line: string): ToldVersion | undefined {
  if (!line.startsWith(MODIFIED)) return undefined;
  const at = line.indexOf(VERSION);
  const from = at + VERSION.length;
  if (at < 0 || line.indexOf(VERSION, from) >= 0) return undefined;
  const to = line.indexOf('"', from);
  const uid = uidBeside(line, at, to) ?? onlyUid(line);
  const resourceVersion = line.slice(from, to);
  return uid === undefined || uid === "" || resourceVersion === "" ? undefined : { uid, resourceVersion };
}

/** Custom resources have their fields in the order of the alphabet, so that the uid follows; in others the version follows the uid. */
function uidBeside(line: string, at: number, to: number): string | undefined {
  if (line.startsWith(`,${UID}`, to + 1)) {
    const from = to + 2 + UID.length;
    return line.slice(from, line.indexOf('"', from));
  }
  if (!line.startsWith('",', at - 2)) return undefined;
  const from = line.lastIndexOf('"', at - 3) + 1;
  return line.startsWith(UID, from - UID.length) ? line.slice(from, at - 2) : undefined;
}

function onlyUid(line: string): string | undefined {
  const at = line.indexOf(UID);
  const from = at + UID.length;
  return at < 0 || line.indexOf(UID, from) >= 0 ? undefined : line.slice(from, line.indexOf('"', from));
}
